import type { Alert } from '../../domain/index.ts'
import { CancelState } from '../guards/cancel.ts'
import type { Claimed } from './create-execution.ts'
import type { Engine } from './engine.ts'
import { RunInWork } from './run-in-work.ts'

/**
 * Executes a claimed run until it ends, or until it sleeps for a time or for people.
 * @param cancel tells this execution about a cancellation while it runs
 * @param onStored gets the alert as it will be shown, when the end is durable but may not be shown yet. Not every store
 * has such a moment
 * @returns the alert after the end of the run; null if the run sleeps
 * @throws Superseded, GivenUp, or the store's error: then the run has not ended, and the next claim continues
 * it
 */
export async function executeRun(
  engine: Engine,
  claimed: Claimed,
  alert: Alert,
  signal: AbortSignal,
  cancel: CancelState = new CancelState(),
  onStored?: (ended: Alert) => void,
): Promise<Alert | null> {
  const work = new RunInWork(engine, claimed, alert, signal, cancel)
  try {
    const outcome = await work.execute()
    return outcome && (await work.end(outcome, onStored))
  } finally {
    work.leave()
  }
}
