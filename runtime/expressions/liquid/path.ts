import { type PropertyAccessToken, type Token, TypeGuards } from 'liquidjs'
import type { Path } from '../types.ts'

/** Returns the name of a member: a word, a quoted text or a number. Null if it is computed. */
export function writtenKey(token: Token): string | null {
  if (TypeGuards.isWordToken(token) || TypeGuards.isQuotedToken(token)) return token.content
  return TypeGuards.isNumberToken(token) ? String(token.content) : null
}

/** Returns the path that a token reads, from the roots. Null if a part of it is computed, or the token reads no path. */
export function pathOf(token: Token): Path | null {
  if (!TypeGuards.isPropertyAccessToken(token) || token.variable !== undefined) return null
  const keys = (token as PropertyAccessToken).props.map(writtenKey)
  return keys.every((key) => key !== null) ? keys : null
}
