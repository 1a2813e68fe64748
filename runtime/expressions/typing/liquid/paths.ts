import { type PropertyAccessToken, type Token, TypeGuards, type ValueToken } from 'liquidjs'
import type { Path } from '../../types.ts'

/** The name of a member as it is written: a word, a quoted text or a number; null when it is computed. */
export function writtenKey(token: Token): string | null {
  if (TypeGuards.isWordToken(token) || TypeGuards.isQuotedToken(token)) return token.content
  return TypeGuards.isNumberToken(token) ? String(token.content) : null
}

/** The path that a token reads from the roots; null when a part of it is computed, or it reads none. */
export function pathOf(token: ValueToken): Path | null {
  if (!TypeGuards.isPropertyAccessToken(token) || token.variable !== undefined) return null
  const keys = (token as PropertyAccessToken).props.map(writtenKey)
  return keys.every((key) => key !== null) ? keys : null
}

/** How a path is called in messages. */
export function called(base: string, key: string): string {
  if (base === '') return key
  return /^[A-Za-z_]\w*$/.test(key) ? `${base}.${key}` : /^\d+$/.test(key) ? `${base}[${key}]` : `${base}["${key}"]`
}
