import { type Clock, type Connection, type ConnectionId, cutText, type Effect, type OrganizationId } from '../../domain/index.ts'
import type { CallFailure } from '../../plugin/index.ts'
import { Failing, type FailureCounts, type FailureTotal, type Logger } from '../../telemetry/index.ts'

/** A request of a skill that failed. */
export interface FailedRequest {
  /** `<integration>.<skill>` */
  readonly skill: string
  readonly effect: Effect
  readonly failure: Pick<CallFailure, 'code' | 'message' | 'vendor'>
}

/** Finds the code of an organization, for people to read. Null if it is unknown. */
export type CodeOf = (organization: OrganizationId) => Promise<string | null>

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

/** A connection whose system fails, and what the next line about it says. */
interface Standing {
  readonly connection: Connection
  readonly failing: Failing
  codes: Map<string, number>
  skills: Map<string, number>
  first: Example | null
  last: Example | null
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
  readonly #failing = new Map<ConnectionId, Standing>()

  constructor(logger: Logger, clock: Clock, codeOf: CodeOf) {
    this.#logger = logger
    this.#clock = clock
    this.#codeOf = codeOf
  }

  failed(connection: Connection, request: FailedRequest): void {
    if (!isFault(request)) return this.answered(connection)
    const standing = this.#failing.get(connection.id) ?? this.#begin(connection)
    note(standing, request, new Date(this.#clock.now()))
    standing.failing.failed()
  }

  /** Call this when a request was answered normally. */
  answered({ id }: Connection): void {
    // Fast path: usually nothing fails.
    if (this.#failing.size === 0) return
    this.#failing.get(id)?.failing.answered()
  }

  /** Logs what was counted but not logged yet. After this, no timer logs anything. */
  async close(): Promise<void> {
    const all = [...this.#failing.values()]
    this.#failing.clear()
    await Promise.all(all.map(({ failing }) => failing.close()))
  }

  #begin(connection: Connection): Standing {
    const oldest = this.#failing.keys().next().value
    if (this.#failing.size >= mostConnections && oldest !== undefined) this.#forget(oldest)
    const failing = new Failing(
      this.#clock,
      (counts) => this.#write(begun, counts),
      (total) => this.#recovered(connection, total),
    )
    const begun: Standing = { connection, failing, codes: new Map(), skills: new Map(), first: null, last: null }
    this.#failing.set(connection.id, begun)
    return begun
  }

  #forget(id: ConnectionId): void {
    void this.#failing.get(id)?.failing.close()
    this.#failing.delete(id)
  }

  #recovered(connection: Connection, total: FailureTotal): void {
    this.#failing.delete(connection.id)
    void this.#named(connection).then((named) => this.#logger.info({ ...named, ...total }, 'the external system has recovered'))
  }

  async #write(standing: Standing, counts: FailureCounts): Promise<void> {
    const { connection, codes, skills, first, last } = standing
    Object.assign(standing, { codes: new Map(), skills: new Map(), first: null, last: null })
    const kinds = { codes: Object.fromEntries(codes), skills: Object.fromEntries(skills) }
    this.#logger.warn(
      { ...(await this.#named(connection)), ...counts, ...kinds, first, ...(counts.failures > 1 && { last }) },
      'calls to an external system are failing',
    )
  }

  async #named({ organization, integration, instance }: Connection): Promise<object> {
    const code = organization === null ? null : await this.#codeOf(organization).catch(() => null)
    return { organization: code ?? organization, integration, connection: instance }
  }
}

function note(standing: Standing, { skill, failure: { code, message } }: FailedRequest, now: Date): void {
  const example: Example = { at: now.toISOString(), skill, code, error: cut(message) }
  standing.first ??= example
  standing.last = example
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
