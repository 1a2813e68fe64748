import { Stopped } from '../../failure/signals.ts'
import type { RecordedStep } from '../../journal/recorded-way.ts'
import type { Ahead } from '../../journal/replay.ts'

/**
 * Keeps a part of a playbook from beginning further steps: a branch that was cancelled, or a run that a
 * branch has stopped. Steps that an earlier execution began are replayed first. So a write that was under way
 * is settled, and everything that was done is reported.
 */
export class BranchStop {
  readonly #outer: BranchStop | null
  readonly #ahead: Ahead
  /** Told of a `stop` in a branch, which stops all steps of a playbook. Null: this is a part of a playbook. */
  readonly #onStop: ((stop: Stopped) => void) | null
  #reason: Error | null = null
  #foreseen: Error | null = null

  /**
   * @param ahead the steps in this part that are still to be replayed
   * @param onStop told of a `stop` in a branch, if this part is all of a playbook
   */
  constructor(outer: BranchStop | null, ahead: Ahead, onStop: ((stop: Stopped) => void) | null = null) {
    this.#outer = outer
    this.#ahead = ahead
    this.#onStop = onStop
  }

  /**
   * Stops the part.
   * @param reason the next step throws this instead of beginning; the first reason wins
   */
  stop(reason: Error): void {
    this.#reason ??= reason
  }

  /**
   * Stops the part and everything around it at once: the whole playbook for a `stop`, the whole run for an error.
   * Branches further out must not begin steps until this branch has ended.
   */
  stopAround(reason: Error): void {
    this.stop(reason)
    if (this.#onStop && reason instanceof Stopped) this.#onStop(reason)
    else this.#outer?.stopAround(reason)
  }

  /**
   * Says that the part will be stopped, as in the recorded run that is rehearsed. So it begins no step before which
   * that run was stopped.
   * @param reason what such a step throws
   */
  foresee(reason: Error): void {
    this.#foreseen ??= reason
  }

  /** The reason, if it was stopped. */
  get reason(): Error | null {
    return this.#reason
  }

  /** Whether it was stopped, or a part around it was. */
  get isOver(): boolean {
    return this.#reason !== null || (this.#outer?.isOver ?? false)
  }

  /**
   * Call before each step.
   * @param recorded the step in the recorded run that is rehearsed, if there is one and it records such steps
   * @throws the reason, once everything that was begun is replayed
   */
  check(recorded: RecordedStep | null = null): void {
    this.#check(recorded, recorded !== null && !recorded.passed && !this.#ahead.later())
  }

  /** @param last whether the recorded run passed neither this step nor a later one of its sequence */
  #check(recorded: RecordedStep | null, last: boolean): void {
    if (this.#reason && (last || !this.#ahead.any())) throw this.#reason
    if (this.#foreseen && recorded?.isBehind(last)) {
      this.stop(this.#foreseen)
      throw this.#foreseen
    }
    if (this.#outer) this.#outer.#check(recorded, last)
  }
}
