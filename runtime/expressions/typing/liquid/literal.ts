import type { LiteralToken } from 'liquidjs'
import type { Json } from '../../../domain/index.ts'

/** Words of Liquid that stand for something empty; in a comparison each means several values. */
export const emptyWords = new Set(['empty', 'blank'])

/** The value of a word such as `true` or `nil`; what stands for something empty is null as a value. */
export function literalValue({ content }: LiteralToken): Json {
  return typeof content === 'boolean' || typeof content === 'string' || typeof content === 'number' ? content : null
}
