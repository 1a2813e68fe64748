import { Drop } from 'liquidjs'
import type { Json } from '../../domain/index.ts'
import type { Kind } from '../typing/model/index.ts'
import { kindOf } from '../values.ts'
import { type FilterSignature, scalars } from './signature.ts'

/** Ends the message of a filter that needs a text. */
const asJson = '; `| json` makes a text of it'

/** Returns `list` or `object` for such a value. Null for any other, and for `empty` and `blank`. */
function compositeKind(value: unknown): 'list' | 'object' | null {
  if (typeof value !== 'object' || value === null || value instanceof Drop) return null
  return Array.isArray(value) ? 'list' : 'object'
}

/** Returns whether a text is read. A filter of lists takes any value as a list of one, and a filter of numbers counts it as 0. */
function readsText(kinds: readonly Kind[] | null | undefined): kinds is readonly Kind[] {
  return kinds?.includes('text') ?? false
}

/**
 * Refuses a list or object where a filter reads a text. Liquid would read every object as the same text, so
 * that all of them would have one hash, one fingerprint and one target.
 * @throws Error if the value or an argument is one
 */
export function checkTexts(name: string, signature: FilterSignature, value: unknown, given: readonly unknown[]): void {
  const kind = compositeKind(value)
  if (kind !== null && readsText(signature.takes) && !signature.takes.includes(kind))
    throw new Error(`\`${name}\` needs ${signature.needs}, not ${kindOf(value as Json)}${signature.needs === scalars.needs ? asJson : ''}`)
  for (const [index, argument] of given.entries()) {
    const kinds = signature.argumentKinds[index]
    const wrong = compositeKind(argument)
    if (wrong !== null && readsText(kinds) && !kinds.includes(wrong))
      throw new Error(`argument ${index + 1} of \`${name}\` must not be ${kindOf(argument as Json)}`)
  }
}
