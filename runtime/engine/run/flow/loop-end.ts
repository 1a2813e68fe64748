import { RunFailed, Sleeping, StepFailed, type StopOf, Stopped } from '../../failure/signals.ts'
import { decide } from '../../journal/decide.ts'
import { stopMark } from '../../journal/replay.ts'
import type { Execution } from '../execution.ts'
import { BranchStop } from './branch-stop.ts'
import type { Frame } from './frame.ts'

/** Ends all iterations of a concurrent loop when one of them ends the run: none begins another step. */
export class LoopEnd {
  readonly #execution: Execution
  readonly #frame: Frame
  readonly #address: string
  readonly #stops: BranchStop[] = []
  #reason: Error | null = null

  constructor(execution: Execution, frame: Frame, address: string) {
    this.#execution = execution
    this.#frame = frame
    this.#address = `${address}${stopMark}`
    // If an iteration stopped the run, and the run continued only for a write in doubt, nothing more begins.
    const standing = execution.replay.decision(this.#address) as StopOf | undefined
    if (standing) this.#endAll(new Stopped(standing.outcome, standing.reason))
    const ahead = execution.replay.foreseen(this.#address) as StopOf | undefined
    if (ahead) frame.branchStop.foresee(new Stopped(ahead.outcome, ahead.reason))
  }

  /** Returns what keeps an iteration from beginning further steps. */
  stopOf(prefix: string): BranchStop {
    const stop = new BranchStop(this.#frame.branchStop, this.#execution.replay.ahead(prefix))
    if (this.#reason) stop.stop(this.#reason)
    this.#stops.push(stop)
    return stop
  }

  /** Waits for the steps of an iteration. Ends the others if they end the run. @throws their error */
  async watch(iteration: Frame, steps: Promise<void>): Promise<void> {
    try {
      await steps
    } catch (error) {
      // A branch inside may have stopped the run, and sleep until a write in doubt is settled.
      const reason = error instanceof Stopped || error instanceof RunFailed ? error : iteration.branchStop.reason
      if (reason instanceof Stopped) decide(this.#execution, this.#address, () => ({ outcome: reason.outcome, reason: reason.reason }))
      if (reason) this.#endAll(reason)
      throw error
    }
  }

  /** Returns what the loop throws. A `stop` wins over a failed step. It also wins over a wait, because no step may begin after it. */
  instead(error: unknown): unknown {
    const gives = error instanceof StepFailed || (error instanceof Sleeping && !error.binding)
    return gives && this.#reason instanceof Stopped ? this.#reason : error
  }

  #endAll(reason: Error): void {
    this.#reason ??= reason
    this.#frame.branchStop.stopAround(reason)
    for (const stop of this.#stops) stop.stop(reason)
  }
}
