import { type JournalRecord, stepOf, TriedWrites, type WriteTries } from '../../domain/index.ts'

/** What became of a write that was begun and has no outcome. `partial`: some of its requests happened, and none is in doubt. */
export interface Unended {
  readonly end: 'not_happened' | 'in_doubt' | 'partial'
  /** Why its last try did not happen; null: nothing says why. */
  readonly code: string | null
}

/** The writes that were begun, by the address of their step, as far as their outcome is concerned: a run that is cancelled leaves some without one. */
export function begunIn(records: readonly JournalRecord[]): ReadonlyMap<string, Unended> {
  const steps = Map.groupBy(new TriedWrites(records).all, ({ address }) => stepOf(address))
  return new Map([...steps].map(([step, acts]) => [step, endOf(acts)]))
}

function endOf(acts: readonly WriteTries[]): Unended {
  if (acts.some(({ open }) => open.length > 0)) return { end: 'in_doubt', code: null }
  if (acts.some(({ happened }) => happened)) return { end: 'partial', code: null }
  return { end: 'not_happened', code: acts.at(-1)?.code ?? null }
}
