import type { Gauge, Registry } from 'prom-client'
import { TtlCache } from '../caches/index.ts'
import type { Clock, Effect, Millis, RunState } from '../domain/index.ts'
import { registry as errors } from '../errors/index.ts'
import { promClient } from '../packages/index.ts'
import type { Store } from '../storage/index.ts'
import { type Backlog, readBacklog } from './backlog.ts'
import { aboutProcess, type Definition, ofInstallation } from './definitions.ts'
import { type Registered, register } from './registry.ts'

/** How old the figures of the store may be. Many scrapers then cost it no more than one. */
const age: Millis = 10_000
/** If the store takes longer than this, `/metrics` answers without its figures. */
const patience: Millis = 5_000
const outcomesOfCalls: readonly ('ok' | Effect)[] = ['ok', 'not_sent', 'refused', 'done', 'unknown']

export interface MetricsNeeds {
  readonly store: Store
  readonly clock: Clock
  readonly version: string
  /** How many remote agents are connected to this process. */
  readonly agents: () => number
}

/** How a run ended. */
export interface EndedRun {
  readonly undo: boolean
  readonly state: RunState
  /** The error code of a failed run. Null: it has none. */
  readonly code: string | null
  readonly lasted: Millis
}

/** An answered request. */
export interface CountedRequest {
  readonly method: string
  /** The path with names in place of values. Null: no operation has this path. */
  readonly route: string | null
  readonly status: number
  readonly lasted: Millis
}

/**
 * What Prometheus can read about a process and its installation. Counting takes less than a microsecond. Everything else happens when
 * somebody reads.
 */
export class Metrics {
  readonly #needs: MetricsNeeds
  readonly #backlog: TtlCache<Backlog>
  #made: Registered | null = null
  #watchesNode = false
  readonly #integrations = new Set<string>()

  constructor(needs: MetricsNeeds) {
    this.#needs = needs
    this.#backlog = new TtlCache(needs.clock, age, 1)
  }

  /** An alert is durable. @param fresh false: it was so before, and was sent again with the same idempotency key */
  accepted(fresh: boolean): void {
    const { accepted, repeated } = this.#of
    if (fresh) accepted.inc()
    else repeated.inc()
  }

  /** The first run of an alert has started. @param waited since the alert was created */
  started(waited: Millis): void {
    this.#of.waited.observe(seconds(waited))
  }

  ended({ undo, state, code, lasted }: EndedRun): void {
    const kind = undo ? 'undo' : 'investigation'
    this.#of.ended.inc({ kind, state, code: code === null ? '' : code in errors ? code : 'other' })
    this.#of.lasted.observe({ kind, state }, seconds(lasted))
  }

  /** A call of a skill has ended. @param outcome `ok`, or what a failed call did */
  called(integration: string, outcome: 'ok' | Effect, lasted: Millis): void {
    if (!this.#integrations.has(integration)) this.#beginCalls(integration)
    this.#of.called.inc({ integration, outcome })
    this.#of.callLasted.observe({ integration }, seconds(lasted))
  }

  /** An attempt to deliver to a webhook has ended. */
  attempted(outcome: 'delivered' | 'again' | 'dead'): void {
    this.#of.delivered.inc({ outcome })
  }

  /** An attempt to fetch alerts has ended. */
  fetched(outcome: 'ok' | 'failed'): void {
    this.#of.fetched.inc({ outcome })
  }

  answered({ method, route, status, lasted }: CountedRequest): void {
    // Anybody can send any method to a path that does not exist, so it is no label there.
    const where = route === null ? { method: 'any', route: 'none' } : { method, route }
    this.#of.answered.observe({ ...where, status: `${Math.floor(status / 100)}xx` }, seconds(lasted))
  }

  /** Returns everything in the text format of Prometheus, and its media type. Never waits longer than some seconds for the store. */
  async read(): Promise<{ readonly type: string; readonly text: string }> {
    const { registry } = this.#of
    // Node's own figures cost something all the time. So they begin when somebody first reads them.
    if (!this.#watchesNode) promClient().collectDefaultMetrics({ register: registry })
    this.#watchesNode = true
    const now = gaugesOf(await this.#backlogNow(), this.#needs)
    return { type: registry.contentType, text: `${await registry.metrics()}\n${await now.metrics()}` }
  }

  /** The outcomes of an integration begin together, so that Prometheus sees the first failure of one that has worked before. */
  #beginCalls(integration: string): void {
    this.#integrations.add(integration)
    for (const outcome of outcomesOfCalls) this.#of.called.inc({ integration, outcome }, 0)
  }

  get #of(): Registered {
    this.#made ??= register()
    return this.#made
  }

  /** Returns what waits. Null: the store does not answer. */
  #backlogNow(): Promise<Backlog | null> {
    const { store, clock } = this.#needs
    return new Promise((resolve) => {
      const cancel = clock.after(patience, () => resolve(null))
      this.#backlog
        .get('backlog', () => readBacklog(store, clock))
        .then(resolve, () => resolve(null))
        .finally(cancel)
    })
  }
}

function gaugesOf(backlog: Backlog | null, { version, agents }: MetricsNeeds): Registry {
  const client = promClient()
  const registry = new client.Registry()
  const gauge = ({ name, help, labels }: Definition): Gauge => new client.Gauge({ name, help, labelNames: labels, registers: [registry] })
  gauge(aboutProcess.info).set({ version }, 1)
  gauge(aboutProcess.agents).set(agents())
  gauge(ofInstallation.storeUp).set(backlog ? 1 : 0)
  if (!backlog) return registry
  gauge(ofInstallation.waiting).set(backlog.waiting)
  gauge(ofInstallation.oldest).set(seconds(backlog.oldest ?? 0))
  gauge(ofInstallation.decisions).set(backlog.decisions)
  gauge(ofInstallation.inDoubt).set(backlog.inDoubt)
  gauge(ofInstallation.pauses).set(backlog.pauses)
  gauge(ofInstallation.failingFetches).set(backlog.failingFetches)
  return registry
}

/** A clock that was set back must not make a time negative. */
function seconds(milliseconds: Millis): number {
  return Math.max(0, milliseconds) / 1_000
}
