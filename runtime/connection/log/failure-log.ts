import { type Clock, type Connection, type ConnectionId, cutText, type Effect, type Millis, type OrganizationId } from '../../domain/index.ts'
import type { CallFailure } from '../../plugin/index.ts'
import type { Logger } from '../../telemetry/index.ts'

/** A request of a skill that failed. */
export interface FailedRequest {
  /** `<integration>.<skill>` */
  readonly skill: string
  readonly effect: Effect
  readonly failure: Pick<CallFailure, 'code' | 'message' | 'vendor'>
}

/** Finds the code of an organization, for people to read. Null if it is unknown. */
export type CodeOf = (organization: OrganizationId) => Promise<string | null>

/** A failing connection is logged at most once in this time. */
const period: Millis = 60_000
/** How many failing connections are tracked at once. */
const mostConnections = 1_000
/** How many codes and skills a line lists. The rest are counted together as `others`. */
const mostNames = 20
/** Longest error text of an example, in characters. */
const longestExample = 300

interface Example {
  readonly at: string
  readonly skill: string
  readonly code: string
  readonly error: string
}

/** A connection whose system fails. */
interface Failing {
  readonly connection: Connection
  /** The time of the first failure since the connection last recovered. */
  readonly since: Millis
  told: Millis
  /** Failures since the last log line. */
  count: number
  codes: Map<string, number>
  skills: Map<string, number>
  first: Example | null
  last: Example | null
  lastAt: Millis
  /** Failures since `since`. */
  total: number
  /** Whether a request was answered since the last failure. */
  answered: boolean
  cancel: (() => void) | null
}

/**
 * Codes of failures that came without an answer and are neither the external system's fault nor the
 * network's.
 */
const ours: ReadonlySet<string> = new Set([
  'paused',
  'store_unavailable',
  'send_too_late',
  'skill_input_invalid',
  'template_failed',
  'secret_unreadable',
])
/** Statuses below 500 that mean that the connection is at fault, not the request. */
const refusals: ReadonlySet<number> = new Set([401, 403, 407, 408, 425, 429])

/**
 * Returns whether a failure is the fault of the external system, the network or the credentials. A
 * missing record or an invalid value is not.
 */
function isFault({ effect, failure }: FailedRequest): boolean {
  const status = failure.vendor?.['status']
  if (typeof status === 'number' && status >= 300) return status >= 500 || refusals.has(status) || effect === 'unknown'
  return effect === 'unknown' || typeof status === 'number' || !ours.has(failure.code)
}

/**
 * Logs when external systems fail. The first failure of a connection is logged at once. Then one
 * line a minute says how many failures there were and of which kinds, and shows the first and the
 * last. Recovery is logged once.
 */
export class FailureLog {
  readonly #logger: Logger
  readonly #clock: Clock
  readonly #codeOf: CodeOf
  readonly #failing = new Map<ConnectionId, Failing>()

  constructor(logger: Logger, clock: Clock, codeOf: CodeOf) {
    this.#logger = logger
    this.#clock = clock
    this.#codeOf = codeOf
  }

  failed(connection: Connection, request: FailedRequest): void {
    if (!isFault(request)) return this.answered(connection)
    const now = this.#clock.now()
    const standing = this.#failing.get(connection.id) ?? this.#begin(connection, now)
    count(standing, request, now)
    if (standing.cancel === null) this.#tell(standing, now)
  }

  /** Call this when a request was answered normally. */
  answered({ id }: Connection): void {
    // Fast path: usually nothing fails.
    if (this.#failing.size === 0) return
    const standing = this.#failing.get(id)
    if (!standing) return
    standing.answered = true
    if (standing.cancel === null && standing.count === 0) this.#recovered(standing)
  }

  /** Logs what was counted but not logged yet. After this, no timer logs anything. */
  async close(): Promise<void> {
    const all = [...this.#failing.values()]
    this.#failing.clear()
    for (const { cancel } of all) cancel?.()
    await Promise.all(all.filter(({ count }) => count > 0).map((standing) => this.#write(standing, this.#clock.now())))
  }

  #begin(connection: Connection, now: Millis): Failing {
    const oldest = this.#failing.keys().next().value
    if (this.#failing.size >= mostConnections && oldest !== undefined) this.#forget(oldest)
    const counts = { count: 0, codes: new Map(), skills: new Map(), first: null, last: null, lastAt: now, total: 0 }
    const begun: Failing = { connection, since: now, told: now, ...counts, answered: false, cancel: null }
    this.#failing.set(connection.id, begun)
    return begun
  }

  #forget(id: ConnectionId): void {
    const standing = this.#failing.get(id)
    standing?.cancel?.()
    if (standing && standing.count > 0) void this.#write(standing, this.#clock.now())
    this.#failing.delete(id)
  }

  /** Writes a line, and schedules the next check. */
  #tell(standing: Failing, now: Millis): void {
    void this.#write(standing, now)
    standing.told = now
    standing.cancel = this.#clock.after(period, () => this.#look(standing))
  }

  #look(standing: Failing): void {
    standing.cancel = null
    if (standing.count > 0) this.#tell(standing, this.#clock.now())
    else if (standing.answered) this.#recovered(standing)
    // Otherwise nobody has called since the last failure. The next call shows whether the system has
    // recovered.
  }

  #recovered(standing: Failing): void {
    this.#failing.delete(standing.connection.id)
    const { connection, since, total } = standing
    const seconds = Math.round((standing.lastAt - since) / 1_000)
    void this.#named(connection).then((named) => this.#logger.info({ ...named, failures: total, seconds }, 'the external system has recovered'))
  }

  async #write(standing: Failing, now: Millis): Promise<void> {
    const { connection, count: failures, codes, skills, first, last, total } = standing
    const seconds = Math.round((now - standing.told) / 1_000)
    Object.assign(standing, { count: 0, codes: new Map(), skills: new Map(), first: null, last: null })
    const counts = {
      failures,
      ...(total > failures && { in_all: total, seconds }),
      codes: Object.fromEntries(codes),
      skills: Object.fromEntries(skills),
    }
    this.#logger.warn(
      { ...(await this.#named(connection)), ...counts, first, ...(failures > 1 && { last }) },
      'calls to an external system are failing',
    )
  }

  async #named({ organization, integration, instance }: Connection): Promise<object> {
    const code = organization === null ? null : await this.#codeOf(organization).catch(() => null)
    return { organization: code ?? organization, integration, connection: instance }
  }
}

function count(standing: Failing, { skill, failure: { code, message } }: FailedRequest, now: Millis): void {
  const example: Example = { at: new Date(now).toISOString(), skill, code, error: cut(message) }
  standing.first ??= example
  standing.last = example
  standing.lastAt = now
  standing.answered = false
  standing.count += 1
  standing.total += 1
  add(standing.codes, code)
  add(standing.skills, skill)
}

function add(counts: Map<string, number>, name: string): void {
  const kept = counts.has(name) || counts.size < mostNames ? name : 'others'
  counts.set(kept, (counts.get(kept) ?? 0) + 1)
}

/** Shortens a text for a log line. Removes control characters, which could break the line. */
function cut(text: string): string {
  return cutText(text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim(), longestExample)
}
