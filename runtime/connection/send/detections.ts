import { boundedCache } from '../../caches/index.ts'
import type { Clock, Connection, Millis } from '../../domain/index.ts'
import { isTocsinError } from '../../errors/index.ts'
import { type Detection, detectedIn, detectionRequest, type Plugin, type SendResult, type SkillRequest } from '../../plugin/index.ts'
import type { NotSent } from '../tokens/index.ts'
import { awaitUntil } from './await-until.ts'
import type { Deadline } from './deadline.ts'

const maxKept = 10_000

type Found = { readonly ok: true; readonly value: string } | { readonly ok: false; readonly failure: NotSent }
export type DetectedValues =
  | { readonly ok: true; readonly values: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly failure: NotSent }

interface Kept {
  readonly found: Promise<Found>
  /** Infinite while the question is being asked. */
  until: Millis
}

/**
 * Values that were detected at external systems (the manifest's `detect`), by revision of the
 * connection. All callers in this process share them.
 */
export class Detections {
  readonly #clock: Clock
  readonly #kept = boundedCache<string, Kept>(maxKept)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Returns the values that the base path of a request needs.
   * @param ask sends a question, with a time-out of its own, because other callers may wait for the
   * same answer
   * @param deadline the deadline of the request that needs the values
   */
  async of(
    plugin: Plugin,
    connection: Connection,
    request: SkillRequest,
    ask: (question: SkillRequest) => Promise<SendResult>,
    deadline: Deadline,
  ): Promise<DetectedValues> {
    const { detect } = plugin.manifest
    const values: Record<string, string> = {}
    if (detect.length === 0 || request.base === 'none') return { ok: true, values }
    const began = this.#clock.now()
    for (const detection of detect) {
      const pinned = detection.pinned === null ? undefined : connection.fields[detection.pinned]
      if (pinned !== undefined && pinned !== '') {
        values[detection.name] = String(pinned)
        continue
      }
      const left = { ...deadline, timeout: Math.max(deadline.timeout - (this.#clock.now() - began), 0) }
      const found = await awaitUntil(this.#find(plugin, connection, detection, ask), this.#clock, left)
      if (found === null) return { ok: false, failure: late(detection) }
      if (!found.ok) return found
      values[detection.name] = found.value
    }
    return { ok: true, values }
  }

  #find(
    plugin: Plugin,
    { id, revision, fields }: Connection,
    detection: Detection,
    ask: (question: SkillRequest) => Promise<SendResult>,
  ): Promise<Found> {
    const key = `${id} ${revision} ${plugin.digest} ${detection.name}`
    const standing = this.#kept.get(key)
    if (standing && standing.until > this.#clock.now()) return standing.found
    const found = question(plugin, fields, detection, ask)
    const kept: Kept = { found, until: Number.POSITIVE_INFINITY }
    const forget = (): void => {
      if (this.#kept.peek(key) === kept) this.#kept.delete(key)
    }
    this.#kept.set(key, kept)
    found.then(({ ok }) => {
      if (ok) kept.until = this.#clock.now() + detection.keep
      else forget()
    }, forget)
    return found
  }
}

async function question(
  plugin: Plugin,
  fields: Connection['fields'],
  detection: Detection,
  ask: (question: SkillRequest) => Promise<SendResult>,
): Promise<Found> {
  const because = (failure: NotSent): Found => ({
    ok: false,
    failure: { ...failure, effect: 'not_sent', message: `The ${detection.name} of the external system could not be detected: ${failure.message}` },
  })
  try {
    const result = await ask(detectionRequest(detection, fields))
    if (result.effect !== 'done') return because(result)
    const found = detectedIn(plugin, detection, result.answer)
    if (found.ok) return found
    const { retryAfter, ...failure } = found.failure
    return because({ effect: 'not_sent', ...failure, ...(retryAfter !== null && { retryAfter }) })
  } catch (error) {
    if (isTocsinError(error)) return because({ effect: 'not_sent', code: error.code, message: error.message })
    throw error
  }
}

function late({ name }: Detection): NotSent {
  return { effect: 'not_sent', code: 'call_timeout', message: `The ${name} of the external system could not be detected in time.` }
}
