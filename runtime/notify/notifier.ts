import type { Logger } from 'pino'
import { TtlCache } from '../caches/index.ts'
import { type Clock, type Millis, systemScope } from '../domain/index.ts'
import type { Store } from '../storage/index.ts'
import { type StoreFailureLog, storeFailures } from '../telemetry/index.ts'
import { announceFacts } from './announce.ts'
import type { Courier } from './courier.ts'

/** How often to look for work that this process was not told about: another process died, or a delivery is due again. */
const lookEvery: Millis = 2_000
/** Facts of this process within this time are announced together. */
const gatherFor: Millis = 100
const pruneEvery: Millis = 60_000
/** Deleted at once. A small number, so that nobody waits long for the store. */
const pruneAtOnce = 1_000
/** How long delivered ones are kept for people to look at, and dead ones until the receiver has been repaired. */
const keepDelivered: Millis = 3 * 24 * 60 * 60 * 1_000
const keepDead: Millis = 14 * 24 * 60 * 60 * 1_000
/** How long attempts under way may take when the process stops. */
const stopPatience: Millis = 2_000

/** Tells webhooks what happens. Any number of processes may do this at once. Nothing else waits for it. */
export class Notifier {
  readonly #store: Store
  readonly #courier: Courier
  readonly #clock: Clock
  readonly #failures: StoreFailureLog
  readonly #listened: TtlCache<boolean>
  #stop: (() => void)[] = []
  #underWay: Promise<void> | null = null
  #gathering: (() => void) | null = null
  #stopped = false

  constructor(store: Store, courier: Courier, clock: Clock, logger: Logger) {
    this.#store = store
    this.#courier = courier
    this.#clock = clock
    this.#failures = storeFailures(logger, clock)
    this.#listened = new TtlCache(clock, 1_000, 1)
  }

  start(): void {
    this.#stop = [
      this.#clock.every(lookEvery, () => this.#once(() => this.look())),
      this.#clock.every(pruneEvery, () => {
        this.prune().catch((error: unknown) => this.#failures.warn(error, {}, 'could not remove old deliveries'))
      }),
    ]
  }

  /** Call when something happened in this process that webhooks may be told about. */
  nudge(): void {
    if (this.#stopped) return
    this.#gathering ??= this.#clock.after(gatherFor, () => {
      this.#gathering = null
      if (this.#underWay) this.nudge()
      else this.#once(() => this.#announce())
    })
  }

  /**
   * Announces the marked facts, and begins due deliveries.
   * @throws the store's error
   */
  async look(): Promise<void> {
    await announceFacts(this.#store, this.#clock)
    await this.#courier.begin(await this.#store.deliveries.due(systemScope))
  }

  /** Removes deliveries that were kept long enough. */
  async prune(): Promise<void> {
    for (const [state, age] of [
      ['delivered', keepDelivered],
      ['dead', keepDead],
    ] as const)
      while ((await this.#store.deliveries.prune(systemScope, state, age, pruneAtOnce)) === pruneAtOnce);
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#gathering?.()
    for (const stop of this.#stop) stop()
    await this.#underWay
    await this.#courier.stop(stopPatience)
  }

  /** If there are no webhooks, this costs one read each second, however much happens. */
  async #announce(): Promise<void> {
    if (!(await this.#listened.get('', async () => (await this.#store.webhooks.enabled(systemScope)).length > 0))) return
    await this.#courier.begin(await announceFacts(this.#store, this.#clock))
  }

  #once(work: () => Promise<void>): void {
    this.#underWay ??= work()
      .catch((error: unknown) => this.#failures.warn(error, {}, 'could not notify webhooks'))
      .finally(() => {
        this.#underWay = null
      })
  }
}
