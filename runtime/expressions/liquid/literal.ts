import type { LiteralToken } from 'liquidjs'
import type { Json } from '../../domain/index.ts'

/** Liquid's words for empty values. In a comparison, each equals several values. */
export const emptyWords = new Set(['empty', 'blank'])

/** Returns the value of a word such as `true` or `nil`. Null for `empty` and `blank`. */
export function literalValue({ content }: LiteralToken): Json {
  return typeof content === 'boolean' || typeof content === 'string' || typeof content === 'number' ? content : null
}
