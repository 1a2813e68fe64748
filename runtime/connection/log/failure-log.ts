import type { Clock, Connection, ConnectionId, Effect, Millis, OrganizationId } from '../../domain/index.ts'
import type { CallFailure } from '../../plugin/index.ts'
import type { Logger } from '../../telemetry/index.ts'

/** A request of a skill that came to nothing. */
export interface FailedRequest {
  /** `<integration>.<skill>` */
  readonly skill: string
  readonly effect: Effect
  readonly failure: Pick<CallFailure, 'code' | 'message' | 'vendor'>
}

/** The code of an organization, for people; null where it is not known. */
export type CodeOf = (organization: OrganizationId) => Promise<string | null>

/** A connection is told of once in so long. */
const period: Millis = 60_000
/** Connections that fail at once and are remembered one by one. */
const mostConnections = 1_000
/** Codes and skills of one line; the others are counted together. */
const mostNames = 20
/** Characters of an example. */
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
  /** When the first failure was told that has not been made good since. */
  readonly since: Millis
  told: Millis
  /** Since it was told last. */
  count: number
  codes: Map<string, number>
  skills: Map<string, number>
  first: Example | null
  last: Example | null
  lastAt: Millis
  /** In all. */
  total: number
  /** Whether a request was answered since the last failure. */
  answered: boolean
  cancel: (() => void) | null
}

/** Codes without an answer that are no failure of the external system, or of the way to it. */
const ours: ReadonlySet<string> = new Set([
  'paused',
  'store_unavailable',
  'send_too_late',
  'skill_input_invalid',
  'template_failed',
  'secret_unreadable',
])
/** Statuses below 500 that say that something is wrong with the connection, and not with what was asked. */
const refusals: ReadonlySet<number> = new Set([401, 403, 407, 408, 425, 429])

/** Whether a failure is one of the external system, of the way to it or of the credentials: that a record is not there, or a value not allowed, is none. */
function isFault({ effect, failure }: FailedRequest): boolean {
  const status = failure.vendor?.['status']
  if (typeof status === 'number' && status >= 300) return status >= 500 || refusals.has(status) || effect === 'unknown'
  return effect === 'unknown' || typeof status === 'number' || !ours.has(failure.code)
}

/**
 * Tells the log when external systems fail: at once of the first failure of a connection, then once a minute how many there were, of which kinds,
 * and the first and the last of them. That it is over is told once.
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

  /** A request was answered as the system means to answer. */
  answered({ id }: Connection): void {
    // Mostly nothing fails.
    if (this.#failing.size === 0) return
    const standing = this.#failing.get(id)
    if (!standing) return
    standing.answered = true
    if (standing.cancel === null && standing.count === 0) this.#recovered(standing)
  }

  /** Tells what was not told yet; nothing more is told by itself. */
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

  /** Writes a line, and looks again when the next may be written. */
  #tell(standing: Failing, now: Millis): void {
    void this.#write(standing, now)
    standing.told = now
    standing.cancel = this.#clock.after(period, () => this.#look(standing))
  }

  #look(standing: Failing): void {
    standing.cancel = null
    if (standing.count > 0) this.#tell(standing, this.#clock.now())
    else if (standing.answered) this.#recovered(standing)
    // Nobody has called since: whether it is over the next call tells.
  }

  #recovered(standing: Failing): void {
    this.#failing.delete(standing.connection.id)
    const { connection, since, total } = standing
    const seconds = Math.round((standing.lastAt - since) / 1_000)
    void this.#named(connection).then((named) => this.#logger.info({ ...named, failures: total, seconds }, 'the external system answers again'))
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
    this.#logger.warn({ ...(await this.#named(connection)), ...counts, first, ...(failures > 1 && { last }) }, 'calls to an external system fail')
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

/** Control characters in an answer must not make lines of their own. */
function cut(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return line.length > longestExample ? `${line.slice(0, longestExample)}…` : line
}
