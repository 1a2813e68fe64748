import { TocsinError } from '../errors/index.ts'

/**
 * The schema version of the first release. Development versions counted from 1. The first release starts far
 * above them, so that their stores are never taken for released ones.
 */
export const baselineVersion = 100

/**
 * Checks that this Tocsin knows the schema of a store.
 * @param version of the store; 0: the store is new
 * @param steps how many versions this Tocsin knows: the baseline and its migrations
 * @throws TocsinError `store_newer`, `store_unknown`
 */
export function mustKnow(version: number, steps: number): void {
  const newest = baselineVersion + steps - 1
  if (version > newest) throw new TocsinError('store_newer', `The store has schema version ${version}; this Tocsin knows ${newest}.`)
  if (version !== 0 && version < baselineVersion)
    throw new TocsinError('store_unknown', `The store has schema version ${version}, which was never released; this Tocsin knows ${newest}.`)
}
