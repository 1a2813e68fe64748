import type { Clock, Millis, RunId } from '../../../domain/index.ts'
import { inLane } from '../../../fairness/index.ts'
import type { RunCase, RunDocument } from './run-documents.ts'

/**
 * How often claims are shown that have waited that long. So an alert shows its run and its case after once to twice
 * this time.
 */
const patience: Millis = 250

/** What an alert shows of a claim. */
export interface ClaimToShow {
  readonly run: RunDocument
  readonly case: RunCase
  readonly at: Millis
}

interface Waiting extends ClaimToShow {
  readonly shown: PromiseWithResolvers<void>
  /** The write that shows it, while it is under way. */
  writing: Promise<void> | null
}

/**
 * Claims that their alerts do not show yet. If the run ends soon, its end shows everything in one write. If the process
 * dies first, the sweeper finds the run without an owner, and the next claim shows it.
 */
export class ClaimsToShow {
  readonly #clock: Pick<Clock, 'after'>
  readonly #show: (claim: ClaimToShow) => Promise<void>
  readonly #waiting = new Map<RunId, Waiting>()
  /** Runs whose claims were noted before the last tick. */
  #old: readonly RunId[] = []
  #cancelTick: (() => void) | null = null

  /** @param show writes it into the alert, unless the alert shows more by then */
  constructor(clock: Pick<Clock, 'after'>, show: (claim: ClaimToShow) => Promise<void>) {
    this.#clock = clock
    this.#show = show
  }

  /** Shows a claim later. Its run and its case are stored. */
  later(claim: ClaimToShow): void {
    this.#waiting.set(claim.run._id, { ...claim, shown: Promise.withResolvers(), writing: null })
    this.#tickSoon()
  }

  /** Resolves when the alert shows the claim or the end of the run. */
  async shown(run: RunId): Promise<void> {
    await this.#waiting.get(run)?.shown.promise
  }

  /**
   * Shows a claim now, if it is not shown yet.
   * @throws the store's error
   */
  async now(run: RunId): Promise<void> {
    const waiting = this.#waiting.get(run)
    if (waiting) await this.#write(waiting)
  }

  /**
   * Call before the end of a run is shown.
   * @returns the claim, if the alert may not show it yet. Then the end must show it too, even if its write is under way
   */
  take(run: RunId): ClaimToShow | null {
    const waiting = this.#waiting.get(run)
    if (!waiting) return null
    this.#forget(waiting)
    return waiting
  }

  /** Shows all that is left, as far as the store still takes it. */
  async close(): Promise<void> {
    this.#cancelTick?.()
    this.#cancelTick = null
    await Promise.allSettled([...this.#waiting.values()].map((waiting) => this.#write(waiting)))
  }

  #forget(waiting: Waiting): void {
    // A later claim of the same run has a wait of its own.
    if (this.#waiting.get(waiting.run._id) === waiting) this.#waiting.delete(waiting.run._id)
    waiting.shown.resolve()
  }

  #write(waiting: Waiting): Promise<void> {
    waiting.writing ??= this.#show(waiting)
      .then(() => this.#forget(waiting))
      .finally(() => {
        waiting.writing = null
      })
    return waiting.writing
  }

  #tickSoon(): void {
    // A tick is for all lanes, and not for the one of the run that was claimed first.
    this.#cancelTick ??= this.#clock.after(patience, () => inLane(null, () => this.#tick()))
  }

  #tick(): void {
    this.#cancelTick = null
    for (const run of this.#old) {
      const waiting = this.#waiting.get(run)
      // If the store does not take it, the next tick tries again.
      if (waiting) this.#write(waiting).catch(() => undefined)
    }
    this.#old = [...this.#waiting.keys()]
    if (this.#waiting.size > 0) this.#tickSoon()
  }
}
