import { type JournalRecord, type RecordedWrite, stepOf, TriedWrites, type WriteTries } from '../../domain/index.ts'

/** What the tries of a write tell about its outcome. `partial`: some of its requests happened, and none is in doubt. */
export interface BegunWrite {
  readonly end: 'not_happened' | 'in_doubt' | 'partial'
  /** Why its last try did not happen. Null: the reason is not recorded. */
  readonly code: string | null
  /** Whether it is a handler, whose requests are tried one by one. */
  readonly handler: boolean
  /** What the step sends. Null: the journal does not have it. */
  readonly write: RecordedWrite | null
}

/** Returns the writes that have begun, by the address of their step. A cancelled run leaves some without an outcome. */
export function begunWrites(records: readonly JournalRecord[]): ReadonlyMap<string, BegunWrite> {
  const steps = Map.groupBy(new TriedWrites(records).all, ({ address }) => stepOf(address))
  const sent = new Map(
    records.flatMap((record) => (record.kind === 'intent' && record.write ? [[stepOf(record.address), record.write] as const] : [])),
  )
  const one = (step: string, acts: readonly WriteTries[]): BegunWrite => {
    return { ...endOf(acts), handler: acts.some(({ address }) => address !== step), write: sent.get(step) ?? null }
  }
  return new Map([...steps].map(([step, acts]) => [step, one(step, acts)]))
}

function endOf(acts: readonly WriteTries[]): Pick<BegunWrite, 'end' | 'code'> {
  if (acts.some(({ open }) => open.length > 0)) return { end: 'in_doubt', code: null }
  if (acts.some(({ happened }) => happened)) return { end: 'partial', code: null }
  return { end: 'not_happened', code: acts.at(-1)?.code ?? null }
}
