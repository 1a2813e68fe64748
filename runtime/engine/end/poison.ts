import { diedTooOften, type Failure, type JournalRecord, type Run, type RunDeaths, stepOf } from '../../domain/index.ts'
import { failed } from '../failure/failed.ts'

/** Kinds of records that belong to a step. The last one shows how far the run got. */
const ofSteps: ReadonlySet<JournalRecord['kind']> = new Set(['done', 'failed', 'intent', 'answered', 'asked', 'decided'])

/**
 * Returns why a run ends because processes kept dying while they worked on it. Null: they did not. Once
 * `poisoned` is in the journal, the answer stays the same: settling its writes in doubt is not progress.
 */
export function poisonOf({ deaths }: Pick<Run, 'deaths'>, records: readonly JournalRecord[], limit: number): Failure | null {
  const standing = records.find((record) => record.kind === 'poisoned')
  if (!standing && !diedTooOften(deaths, limit)) return null
  return failed('process_died', sentence(standing?.deaths ?? deaths, lastStep(records)), null)
}

/**
 * Returns why an alert is no longer prepared.
 * @param times how many processes died while they prepared it
 */
export function poisonBefore(times: number): Failure {
  return failed('process_died', `Processes died ${times} times while they prepared the investigation, before its first step.`, null)
}

function sentence({ inPlace, total }: RunDeaths, step: string | null): string {
  const where = step === null ? 'before its first step' : `after it had reached the step ${step}`
  const earlier = total > inPlace ? ` (${total} times in all)` : ''
  return `Processes died ${inPlace} times in a row while they worked on the run, ${where}${earlier}.`
}

/** Returns the last step that the run reached. */
function lastStep(records: readonly JournalRecord[]): string | null {
  const last = records.findLast((record) => ofSteps.has(record.kind))
  return last && 'address' in last ? stepOf(last.address) : null
}
