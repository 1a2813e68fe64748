import type { FuncKeywordDefinition } from 'ajv/dist/2020.js'
import type { DataValidateFunction } from 'ajv/dist/types/index.js'
import { isoTime } from '../../formats/index.ts'

/**
 * The keyword `x-order: [after, before]` of an object. If the object has both members, as numbers
 * or times, the second must be larger. With the two swapped, a listing would find nothing, which
 * looks like a normal answer.
 */
export const orderKeyword: FuncKeywordDefinition & { readonly keyword: string } = {
  keyword: 'x-order',
  type: 'object',
  schemaType: 'array',
  metaSchema: { type: 'array', minItems: 2, maxItems: 2, items: { type: 'string' } },
  errors: true,
  compile(names: readonly [string, string]) {
    const [first, second] = names
    const check: DataValidateFunction = (value: Readonly<Record<string, unknown>>) => {
      const [from, to] = [rankOf(value[first]), rankOf(value[second])]
      if (from === null || to === null || from < to) return true
      check.errors = [{ keyword: orderKeyword.keyword, message: `${second} must be later than ${first}`, params: {} }]
      return false
    }
    return check
  },
}

function rankOf(value: unknown): number | null {
  // Other forms without a zone are in the zone of the machine. If both texts are, their order is right.
  const rank = typeof value === 'string' ? (isoTime(value) ?? Date.parse(value)) : value
  return typeof rank === 'number' && !Number.isNaN(rank) ? rank : null
}
