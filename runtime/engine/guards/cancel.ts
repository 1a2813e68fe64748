import { type Cancellation, cancellationText, type Failure } from '../../domain/index.ts'
import { failed } from '../failure/failed.ts'
import { RunFailed } from '../failure/signals.ts'

/** Whether somebody has cancelled a run, as far as this life of it has heard. */
export class CancelState {
  #standing: Cancellation | null = null

  get cancellation(): Cancellation | null {
    return this.#standing
  }

  /** Heard in its log or in the store. It stays. */
  note(cancellation: Cancellation): void {
    this.#standing ??= cancellation
  }

  /**
   * Asked before anything begins that is not in the log.
   * @throws RunFailed `run_cancelled`: no `on_error` catches it
   */
  check(): void {
    const failure = this.failureAt(null)
    if (failure) throw new RunFailed(failure)
  }

  /** Why something at an address goes no further; null: nobody has cancelled the run. */
  failureAt(step: string | null): Failure | null {
    return this.#standing && failed('run_cancelled', cancellationText(this.#standing), step)
  }
}
