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
 * How a run ends for what was thrown in it. What only interrupts it (another life has taken over, the process stops, the store
 * does not answer) is thrown on: then it has not ended.
 */
export function runOutcomeOf(error: unknown, { id }: Run, logger: Logger): RunOutcome {
  const over = (failure: Failure): RunOutcome => ({ state: 'failed', reason: null, failure })
  if (error instanceof StepFailed || error instanceof RunFailed) return over(error.failure)
  if (error instanceof Superseded || error instanceof GivenUp) throw error
  if (isTocsinError(error)) {
    if (error.code === 'store_unavailable') throw error
    if (error.entry.status < 500) return over(failed(error.code, explain(error), null))
  }
  // A defect would meet every later life of the run in the same place: better an end that says so than a run without one.
  logger.error({ run: id, error: error instanceof Error ? error.stack : messageOf(error) }, 'investigation failed unexpectedly')
  return over(failed('investigation_failed', messageOf(error), null))
}

/** However else it would have ended: who cancelled it was told that it is cancelled. */
export function cancelledOutcome(cancellation: Cancellation): RunOutcome {
  return { state: 'failed', reason: cancellation.reason, failure: failed('run_cancelled', cancellationText(cancellation), null) }
}
