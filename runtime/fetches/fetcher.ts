import type { Logger } from 'pino'
import { type AlertFetch, type Ids, type Millis, type OrganizationId, systemScope } from '../domain/index.ts'
import type { KnownFetch, Store } from '../storage/index.ts'
import { type StoreFailureLog, storeFailures } from '../telemetry/index.ts'
import { type AttemptDeps, type Attempted, attemptOf } from './attempt.ts'

/** How often to look for fetches that are due. */
const lookEvery: Millis = 1_000
/** The most fetches that are known to be due at once: all of many organizations. */
const lookAt = 1_000
/** The most attempts at once in a process, and of one organization. */
const [atOnce, atOnceOfOne] = [16, 2]
/** A process that has died holds a fetch this long. */
const leaseDuration: Millis = 30_000
const extendEvery: Millis = 10_000

export interface FetcherDeps extends AttemptDeps {
  readonly store: Store
  readonly ids: Ids
  readonly logger: Logger
  /** Absent: nothing is counted. */
  readonly meter?: FetchMeter
}

/** Counts attempts. */
interface FetchMeter {
  fetched(outcome: 'ok' | 'failed'): void
}

/**
 * Fetches alerts when they are due. Any number of processes may do this at once: a lease sees to it that one of them makes an attempt. If it
 * loses the lease, two may fetch the same, which makes no second alert.
 */
export class Fetcher {
  readonly #deps: FetcherDeps
  readonly #failures: StoreFailureLog
  readonly #stopping = new AbortController()
  /** The attempts under way, with the organization of each. */
  readonly #underWay = new Map<Promise<void>, OrganizationId | null>()
  #looking: Promise<void> | null = null
  /** Whether there were more due than there was room for. */
  #more = false
  #stop: (() => void) | null = null

  constructor(deps: FetcherDeps) {
    this.#deps = deps
    this.#failures = storeFailures(deps.logger, deps.clock)
  }

  start(): void {
    this.#stop = this.#deps.clock.every(lookEvery, () => this.#lookOnce())
  }

  #lookOnce(): void {
    this.#looking ??= this.look()
      .catch((error: unknown) => this.#failures.warn(error, {}, 'could not look for fetches that are due'))
      .finally(() => {
        this.#looking = null
      })
  }

  /**
   * Begins the attempts that are due, as far as there is room. Resolves when they have begun.
   * @throws the store's error
   */
  async look(): Promise<void> {
    this.#more = false
    if (this.#stopping.signal.aborted) return
    const { store, ids } = this.#deps
    for (const id of await store.fetches.due(systemScope, lookAt)) {
      if (this.#stopping.signal.aborted) return
      if (this.#underWay.size >= atOnce) {
        this.#more = true
        return
      }
      const holder = ids.uuid()
      const known = await store.fetches.get(systemScope, id)
      if (!known || !this.#hasRoom(known.fetch.organization)) continue
      const leased = await store.fetches.lease(systemScope, id, { holder, duration: leaseDuration })
      if (leased) this.#begin(leased, holder)
    }
  }

  /** Resolves when no attempt is under way. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.keys())
  }

  /** Begins nothing more. Aborts the attempts under way, which another process then makes. */
  async stop(): Promise<void> {
    this.#stop?.()
    this.#stopping.abort(new Error('the process stops'))
    await this.#looking
    await this.settled()
  }

  #hasRoom(organization: OrganizationId): boolean {
    let busy = 0
    for (const one of this.#underWay.values()) if (one === organization) busy += 1
    return busy < atOnceOfOne
  }

  #begin(known: KnownFetch, holder: string): void {
    const { clock, store } = this.#deps
    const { id, organization } = known.fetch
    const extending = clock.every(extendEvery, () => {
      store.fetches
        .extend(systemScope, id, { holder, duration: leaseDuration })
        .catch((error: unknown) => this.#failures.warn(error, { fetch: id }, 'could not extend a fetch'))
    })
    const work = this.#make(known, holder)
      // The lease runs out, and then some process tries again.
      .catch((error: unknown) => this.#failures.warn(error, { fetch: id }, 'could not make an attempt of a fetch'))
      .finally(() => {
        extending()
        this.#underWay.delete(work)
        if (this.#more) this.#lookOnce()
      })
    this.#underWay.set(work, organization)
  }

  async #make({ fetch, state }: KnownFetch, holder: string): Promise<void> {
    const { store, meter } = this.#deps
    const [organization] = await store.organizations.byId(systemScope, [fetch.organization])
    if (!organization) throw new Error('its organization does not exist')
    const attempted = await attemptOf(this.#deps, fetch, state, organization.code, this.#stopping.signal)
    const { attempt, next, delay } = attempted
    if (attempt.failure !== null && this.#stopping.signal.aborted) {
      await store.fetches.settle(systemScope, fetch.id, holder, state, 0)
      return
    }
    // A fetch that was changed or removed meanwhile stays as somebody made it.
    if (!(await store.fetches.settle(systemScope, fetch.id, holder, next, delay))) return
    meter?.fetched(attempt.failure === null ? 'ok' : 'failed')
    this.#tell(fetch, state.failures, attempted)
  }

  /** Tells when a fetch begins to fail and when it has recovered, and not each failure. */
  #tell({ id, name, organization }: AlertFetch, failedBefore: number, { attempt }: Attempted): void {
    const { logger } = this.#deps
    const { found, fresh, failure } = attempt
    const told = { fetch: id, name, organization }
    if (failure === null && failedBefore > 0) logger.info({ ...told, found, fresh }, 'a fetch works again')
    else if (failure !== null && failedBefore === 0) logger.warn({ ...told, ...failure }, 'a fetch failed; it will be tried again')
    else if (fresh > 0) logger.debug({ ...told, found, fresh }, 'fetched alerts')
  }
}
