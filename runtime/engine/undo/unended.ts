import type { JournalRecord } from '../../domain/index.ts'

/** What became of a write that was begun and has no outcome. `partial`: some of its requests happened, and none is in doubt. */
export interface Unended {
  readonly end: 'not_happened' | 'in_doubt' | 'partial'
  /** Why its last try did not happen. */
  readonly code: string | null
}

type Sent = 'open' | 'happened' | { readonly code: string }

/** The writes that were begun, by the address of their step, as far as their outcome is concerned: a run that is cancelled leaves some without one. */
export function begunIn(records: readonly JournalRecord[]): ReadonlyMap<string, Unended> {
  const sent = new Map<string, Sent>()
  for (const record of records) {
    if (record.kind === 'intent') sent.set(record.address, 'open')
    if (!('address' in record) || !sent.has(record.address)) continue
    if (record.kind === 'answered') sent.set(record.address, 'happened')
    if (record.kind === 'tried') sent.set(record.address, { code: record.code })
    if (record.kind === 'probed' && !record.happened) sent.set(record.address, { code: 'network' })
  }
  // An act of a handler is of the step that it is part of.
  const steps = Map.groupBy(sent, ([address]) => address.split('#')[0] ?? '')
  return new Map([...steps].map(([step, acts]) => [step, endOf(acts.map(([, end]) => end))]))
}

function endOf(acts: readonly Sent[]): Unended {
  if (acts.includes('open')) return { end: 'in_doubt', code: null }
  if (acts.includes('happened')) return { end: 'partial', code: null }
  const last = acts.at(-1)
  return { end: 'not_happened', code: typeof last === 'object' ? last.code : null }
}
