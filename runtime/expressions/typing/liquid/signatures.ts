import { allFilters, type FilterSignature, type Filters, typesOfQuoting } from '../../filters/index.ts'

const builtIn: ReadonlyMap<string, FilterSignature> = new Map(allFilters.map(({ name, types }) => [name, types]))

const kept = new WeakMap<Filters, ReadonlyMap<string, FilterSignature>>()

/** Returns the types of every filter, by name. @param filters the quoting filters of the plugins */
export function signaturesOf(filters: Filters): ReadonlyMap<string, FilterSignature> {
  const known = kept.get(filters) ?? new Map([...builtIn, ...Object.keys(filters).map((name) => [name, typesOfQuoting] as const)])
  kept.set(filters, known)
  return known
}
