import { TtlCache } from '../../caches/index.ts'
import { type Clock, type Millis, type Pause, pausableRun, pausesOf, type RunPins, systemScope } from '../../domain/index.ts'
import type { Job } from '../../queue/index.ts'
import type { Store } from '../../storage/index.ts'

/** How old cached pauses may be before a claim. Before a write, pauses are always read from the store. */
const pauseAge: Millis = 1_000

/** Keeps runs from being claimed while a pause stops them. */
export class PausedClaims {
  readonly #store: Store
  readonly #clock: Clock
  readonly #standing: TtlCache<readonly Pause[]>

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
    this.#standing = new TtlCache(clock, pauseAge, 1)
  }

  #read(): Promise<readonly Pause[]> {
    return this.#standing.get('', () => this.#store.pauses.standing(systemScope))
  }

  /** Begins to read the pauses, so that `holds` finds them cached. An error appears when `holds` reads the same. */
  lookAhead(): void {
    void this.#read().catch(() => undefined)
  }

  /**
   * Returns whether a pause stops the job. If so, holds its run or its alert in the store, so that it is not
   * handed over again during the pause.
   * @param pins what the run would pin if it began now. Null: the run exists
   * @throws the store's error
   */
  async holds(job: Job, pins: RunPins | null): Promise<boolean> {
    const { runs, alerts } = this.#store
    const cached = await this.#read()
    if (cached.length === 0) return false
    const run = await runs.get(systemScope, job.run)
    // A cancelled run only ends, and sends nothing.
    if (run?.cancelled) return false
    const used = run?.pins ?? pins
    if (!used) return false
    const pausable = pausableRun({ organization: job.organization, pins: used })
    if (pausesOf(cached, pausable).length === 0) return false
    // Read again: the pause may have ended since it was cached, and a run that is held now would wait for the next sweep.
    this.#standing.forget('')
    const [pause] = pausesOf(await this.#read(), pausable)
    if (!pause) return false
    const since = pause.paused.at
    if (run === null) {
      await alerts.hold(systemScope, job.alert, pause.id)
      // A claim that failed halfway may have left a run that nobody can read yet.
      await runs.hold(systemScope, job.run, pause.id, since)
    } else if (run.state === 'running') {
      await runs.hold(systemScope, run.id, pause.id, Math.max(since, run.startedAt))
    } else if (run.state === 'waiting' && run.wakeAt !== null && run.wakeAt <= this.#clock.now()) {
      await runs.hold(systemScope, run.id, pause.id, Math.max(since, run.wakeAt))
    }
    return true
  }
}
