import { diedTooOften, type Failure, type JournalRecord, type Run, type RunDeaths, stepOf } from '../domain/index.ts'
import { failed } from './walk.ts'

/** Steps and what happens in them: how far a run came. */
const ofSteps: ReadonlySet<JournalRecord['kind']> = new Set(['done', 'failed', 'intent', 'answered', 'asked', 'decided'])

/**
 * Why a run ends because processes have died in it too often; null: they have not. It stays so: what the run writes to settle what it left
 * is no progress of it.
 */
export function poisonOf({ deaths }: Pick<Run, 'deaths'>, records: readonly JournalRecord[], limit: number): Failure | null {
  const standing = records.find((record) => record.kind === 'poisoned')
  if (!standing && !diedTooOften(deaths, limit)) return null
  return failed('process_died', sentence(standing?.deaths ?? deaths, lastStep(records)), null)
}

/** Why an alert is not even prepared. @param times how often a process died while it prepared it */
export function poisonBefore(times: number): Failure {
  return failed('process_died', `A process died ${times} times while it prepared the investigation: before its first step.`, null)
}

function sentence({ inPlace, total }: RunDeaths, step: string | null): string {
  const where = step === null ? 'before its first step' : `after it had come to the step ${step}`
  const earlier = total > inPlace ? ` (${total} times in all)` : ''
  return `The process died ${inPlace} times in a row while it had the run in work, ${where}${earlier}.`
}

/** The step that the run came to last. */
function lastStep(records: readonly JournalRecord[]): string | null {
  const last = records.findLast((record) => ofSteps.has(record.kind))
  return last && 'address' in last ? stepOf(last.address) : null
}
