/** The types of Liquid filters: what they take and give. */

import type { Filters } from '../../template/index.ts'
import { arithmeticFilters } from './arithmetic.ts'
import { listFilters } from './lists.ts'
import type { FilterSignature } from '../../filters/signature.ts'
import { quotingFilters, textFilters } from './texts.ts'

export type { FilterSignature } from '../../filters/signature.ts'

const builtIn: ReadonlyMap<string, FilterSignature> = new Map(Object.entries({ ...listFilters, ...textFilters, ...arithmeticFilters }))

const kept = new WeakMap<Filters, ReadonlyMap<string, FilterSignature>>()

/** What every filter takes and makes, by name. */
export function signaturesOf(filters: Filters): ReadonlyMap<string, FilterSignature> {
  const known = kept.get(filters) ?? new Map([...builtIn, ...Object.entries(quotingFilters(filters))])
  kept.set(filters, known)
  return known
}
