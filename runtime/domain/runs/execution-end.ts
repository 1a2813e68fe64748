import type { JournalEntry, JournalRecord } from '../journal/journal.ts'
import type { RunDeaths } from './deaths.ts'
import type { Run } from './run.ts'

/**
 * How an execution of a run ended: its process died, the run went to sleep, or its process stopped and left
 * the run unfinished.
 */
export type ExecutionEnd = 'died' | 'slept' | 'left'

/**
 * Returns the deaths of a run when its next execution begins.
 * @param journal all entries from before that execution
 */
export function deathsAfter({ epoch, deaths }: Pick<Run, 'epoch' | 'deaths'>, journal: readonly JournalEntry[], end: ExecutionEnd): RunDeaths {
  const written = writtenIn(journal, epoch)
  const inPlace = written.length > 0 ? 0 : deaths.inPlace
  // If `slept` is the last record, the run had nothing left to do. Its process may still have died before the run became `waiting`.
  const died = end === 'died' && written.at(-1)?.kind !== 'slept'
  return died ? { inPlace: inPlace + 1, total: deaths.total + 1 } : { ...deaths, inPlace }
}

/** Kinds of records that are no progress. */
const beside: ReadonlySet<JournalRecord['kind']> = new Set(['claimed', 'cancelled'])

/** Returns what the last execution wrote after its `claimed` record. */
function writtenIn(journal: readonly JournalEntry[], epoch: number): readonly JournalRecord[] {
  const records = journal.flatMap((entry) => entry.records)
  const began = records.findLastIndex((record) => record.kind === 'claimed')
  const claimed = records[began]
  // An execution that died between its claim and its first entry has no records.
  if (claimed?.kind !== 'claimed' || claimed.epoch !== epoch) return []
  return records.slice(began + 1).filter(({ kind }) => !beside.has(kind))
}
