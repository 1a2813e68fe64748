import { TypeGuards } from 'liquidjs'
import type { Json } from '../../../domain/index.ts'
import { literalValue, type Node } from '../../liquid/index.ts'
import { same } from '../../values.ts'
import { Meter, mostFolded } from '../../work.ts'

/** Operators that compare, with the result of comparing a value with itself. */
const ofItself: Readonly<Record<string, boolean>> = { '==': true, '!=': false, '<': false, '>': false, '<=': true, '>=': true }

/** Returns the result of a comparison in a template that does not depend on what it reads, and why; null: it depends. */
export function constantOf({ operator, operands }: Extract<Node, { operator: string }>): { readonly holds: boolean; readonly why: string } | null {
  const itself = Object.hasOwn(ofItself, operator) ? ofItself[operator] : undefined
  const [a, b] = operands
  if (a === undefined || b === undefined || 'operator' in a || 'operator' in b) return null
  const [left, right] = [writtenValue(a), writtenValue(b)]
  if (left !== undefined && right !== undefined) {
    const holds = compared(operator, left, right)
    return holds === null ? null : { holds, why: 'it reads no value and compares constants' }
  }
  const read = [a, b].every(({ token }) => TypeGuards.isPropertyAccessToken(token))
  if (itself === undefined || !read || a.token.getText() !== b.token.getText()) return null
  return { holds: itself, why: 'a value is compared with itself' }
}

/** Returns the value of a constant. Undefined: it is not a constant. */
function writtenValue({ token }: Extract<Node, { token: unknown; operator?: never }>): Json | undefined {
  if (TypeGuards.isQuotedToken(token) || TypeGuards.isNumberToken(token)) return token.content
  if (!TypeGuards.isLiteralToken(token)) return undefined
  const value: unknown = literalValue(token)
  // `empty` and `blank` are tests, not values.
  return value === null || typeof value === 'boolean' ? value : undefined
}

function compared(operator: string, a: Json, b: Json): boolean | null {
  if (operator === '==' || operator === '!=') return same(new Meter(null, mostFolded), a, b) === (operator === '==')
  if (operator === 'contains') return typeof a === 'string' && typeof b === 'string' ? a.includes(b) : null
  const numbers = typeof a === 'number' && typeof b === 'number'
  const texts = typeof a === 'string' && typeof b === 'string'
  if (!numbers && !texts) return null
  switch (operator) {
    case '<':
      return a < b
    case '>':
      return a > b
    case '<=':
      return a <= b
    case '>=':
      return a >= b
    default:
      return null
  }
}
