import { type Cancellation, cancellationText, type Failure } from '../../domain/index.ts'
import { failed } from '../failure/failed.ts'
import { RunFailed } from '../failure/signals.ts'

/** Whether somebody has cancelled the run, as far as this execution knows. */
export class CancelState {
  #standing: Cancellation | null = null

  get cancellation(): Cancellation | null {
    return this.#standing
  }

  /** Notes a cancellation that was found in the journal or the store. It is never undone. */
  note(cancellation: Cancellation): void {
    this.#standing ??= cancellation
  }

  /**
   * Call before anything begins that the journal does not have.
   * @throws RunFailed `run_cancelled`; no `on_error` catches it
   */
  check(): void {
    const failure = this.failureAt(null)
    if (failure) throw new RunFailed(failure)
  }

  /** Returns why a step goes no further. Null: nobody has cancelled the run. */
  failureAt(step: string | null): Failure | null {
    return this.#standing && failed('run_cancelled', cancellationText(this.#standing), step)
  }
}
