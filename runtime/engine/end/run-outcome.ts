import type { Logger } from 'pino'
import { type Cancellation, cancellationText, type Failure, type Run } from '../../domain/index.ts'
import { isTocsinError, messageOf } from '../../errors/index.ts'
import { explain } from '../failure/explain.ts'
import { failed } from '../failure/failed.ts'
import { GivenUp, RunFailed, StepFailed, Superseded } from '../failure/signals.ts'

/** How a run ends. */
export interface RunOutcome {
  readonly state: 'completed' | 'failed'
  readonly reason: string | null
  readonly failure: Failure | null
}

/**
 * Returns the outcome of a run, from the error that ended it. Throws errors that only interrupt the run:
 * another execution took over, the process stops, or the store does not answer. Then the run has not ended.
 */
export function runOutcomeOf(error: unknown, { id }: Run, logger: Logger): RunOutcome {
  const over = (failure: Failure): RunOutcome => ({ state: 'failed', reason: null, failure })
  if (error instanceof StepFailed || error instanceof RunFailed) return over(error.failure)
  if (error instanceof Superseded || error instanceof GivenUp) throw error
  if (isTocsinError(error)) {
    if (error.code === 'store_unavailable') throw error
    if (error.entry.status < 500) return over(failed(error.code, explain(error), null))
  }
  // A defect would fail every later execution at the same place. It is better to end the run and say so.
  logger.error({ run: id, error: error instanceof Error ? error.stack : messageOf(error) }, 'an unexpected error ended an investigation')
  return over(failed('investigation_failed', messageOf(error), null))
}

/**
 * Returns the outcome of a cancelled run. Somebody was told that the run is cancelled, so this replaces any
 * other outcome.
 */
export function cancelledOutcome(cancellation: Cancellation): RunOutcome {
  return { state: 'failed', reason: cancellation.reason, failure: failed('run_cancelled', cancellationText(cancellation), null) }
}
