import type { Logger } from 'pino'
import type { ReadCalls } from '../connection/index.ts'
import type { AlertFetch, Clock, FetchAttempt, FetchFailure, FetchState, Millis } from '../domain/index.ts'
import { isTocsinError, registry } from '../errors/index.ts'
import { durationText } from '../formats/index.ts'
import { compileInput, type FetchInput } from './input.ts'
import { itemsIn } from './items.ts'
import type { Submitted, Submitter } from './submit.ts'
import { nextWindow, type Window } from './window.ts'

export interface AttemptDeps {
  readonly calls: ReadCalls
  readonly submitter: Submitter
  readonly clock: Clock
  readonly logger: Pick<Logger, 'error'>
}

/** An attempt that has ended: how far the fetch has come, and when it is due again. */
export interface Attempted {
  readonly attempt: FetchAttempt
  readonly next: FetchState
  readonly delay: Millis
}

interface Gathered extends Submitted {
  readonly found: number
  /** How long the system asked to wait. */
  readonly retryAfter: Millis | null
  /** When the system gave its first answer, by its own clock. Null: it did not say. */
  readonly answeredAt: Millis | null
  /** Set if asking for less may cure the failure. Then nothing is gained by waiting. */
  readonly tooMuch: boolean
}

const nothing: Omit<Gathered, 'failure'> = {
  found: 0,
  fresh: 0,
  repeated: 0,
  changed: 0,
  newest: null,
  retryAfter: null,
  answeredAt: null,
  tooMuch: false,
}
const tooLarge: ReadonlySet<string> = new Set(['output_too_large', 'answer_too_large'])
/** The longest time of one call. A system whose pages come slowly could keep an attempt for hours, and nobody would see that. */
const longestCall: Millis = 15 * 60_000
/** The longest time between two attempts after failures, unless the fetch itself waits longer. */
const longestDelay: Millis = 10 * 60_000

/**
 * Calls the skill once, and makes alerts of the items. An item that was fetched before makes no second alert, so a part of the time may be
 * fetched again at will.
 * @param signal aborts the call, because the process stops
 */
export async function attemptOf(
  deps: AttemptDeps,
  fetch: AlertFetch,
  state: FetchState,
  organizationCode: string,
  signal: AbortSignal,
): Promise<Attempted> {
  const now = deps.clock.now()
  const input = inputOf(fetch)
  const window = nextWindow(fetch, state, now, 'render' in input && input.bounded)
  const gathered = 'render' in input ? await gather(deps, fetch, organizationCode, input, window, signal) : { ...nothing, failure: input }
  const endedAt = deps.clock.now()
  const { found, fresh, repeated, changed, failure } = gathered
  const attempt: FetchAttempt = { endedAt, since: window.since, until: window.until, found, fresh, repeated, changed, failure }
  if (failure === null) {
    const next = { since: reached(fetch, state, window, gathered), failures: 0, halvings: 0, last: attempt, fetchedAt: endedAt }
    return { attempt, next, delay: isCurrent(window, gathered) ? fetch.every : 0 }
  }
  const { tooMuch } = gathered
  const next = { ...state, failures: state.failures + 1, halvings: state.halvings + (tooMuch ? 1 : 0), last: attempt }
  // The system is well, and returns new alerts each time, if not all of them. So they do not wait longer than usual.
  const delay = !tooMuch ? delayAfter(fetch, next, gathered) : window.divisible ? 0 : fetch.every
  return { attempt, next, delay }
}

/** An input that cannot be compiled fails each attempt, because somebody must change it. */
function inputOf({ input }: AlertFetch): FetchInput | FetchFailure {
  try {
    return compileInput(input)
  } catch (error) {
    return failureOf(error)
  }
}

async function gather(
  { calls, submitter, clock, logger }: AttemptDeps,
  fetch: AlertFetch,
  organizationCode: string,
  input: FetchInput,
  window: Window,
  signal: AbortSignal,
): Promise<Gathered> {
  const { organization, connection, skill } = fetch
  const late = new AbortController()
  const cancel = clock.after(longestCall, () => late.abort(new Error('the call took too long')))
  try {
    const given = input.render(window)
    const result = await calls.call({ organization, connection, skill, input: given, signal: AbortSignal.any([signal, late.signal]) })
    if (!result.ok && late.signal.aborted) return { ...nothing, failure: tookTooLong, tooMuch: true }
    if (!result.ok) {
      const { code, message, remedy, retryAfter } = result.failure
      const asked = retryAfter === null ? null : retryAfter * 1_000
      return { ...nothing, retryAfter: asked, failure: { code, message, remedy }, tooMuch: tooLarge.has(code) }
    }
    const found = itemsIn(result.output, fetch.reading.items)
    if (!found.ok) return { ...nothing, failure: found.failure, tooMuch: tooLarge.has(found.failure.code) }
    const submitted = await submitter.submit(fetch, organizationCode, found.items)
    const missing = result.incomplete === undefined ? null : shortOf(result.incomplete)
    const failure = submitted.failure ?? (found.cut ? incomplete(window) : missing)
    const tooMuch = submitted.failure === null && found.cut
    return { ...submitted, failure, found: found.items.length, retryAfter: null, answeredAt: plausible(result.answeredAt, clock.now()), tooMuch }
  } catch (error) {
    // Whatever it is, people must see that the fetch does not work.
    if (!isTocsinError(error)) logger.error({ err: error, fetch: fetch.id }, 'a defect in a fetch')
    return { ...nothing, failure: failureOf(error) }
  } finally {
    cancel()
  }
}

const tookTooLong: FetchFailure = {
  code: 'call_timeout',
  message: `The skill did not end within ${durationText(longestCall)}.`,
  remedy: 'Ask for less: lower the limit of the skill in the input, or read `until` in the input.',
}

/** If the difference is larger, the `Date` header does not show a clock, and is ignored. */
const mostWrong: Millis = 24 * 3_600_000

function plausible(answeredAt: Millis | undefined, now: Millis): Millis | null {
  return answeredAt !== undefined && Math.abs(answeredAt - now) <= mostWrong ? answeredAt : null
}

/** Items that the system counts and does not show would be lost without a word. */
function shortOf(incomplete: string): FetchFailure {
  return {
    code: 'fetch_incomplete',
    message: `Items are missing: ${incomplete}. Those that it returned are stored.`,
    remedy: 'If it stays like this, `total` in the `paginate` of the skill counts something else: correct it.',
  }
}

function incomplete({ divisible }: Window): FetchFailure {
  const { cause, remedy } = registry.fetch_incomplete
  return { code: 'fetch_incomplete', message: divisible ? `${cause} The next attempt asks for a shorter time.` : cause, remedy }
}

function failureOf(error: unknown): FetchFailure {
  if (isTocsinError(error)) return { code: error.code, message: error.message, remedy: error.remedy }
  return { code: 'internal', message: registry.internal.cause, remedy: registry.internal.remedy }
}

/**
 * Returns until when everything is fetched. Times are those of the system's clock, which may differ from ours by hours. So the newest item
 * counts if items say when they were made, unless it claims to come from the future. Otherwise the time of the answer counts. A fetch that goes
 * through a long time in parts counts by parts.
 */
function reached({ reading }: AlertFetch, { since }: FetchState, window: Window, gathered: Gathered): Millis {
  const { newest, answeredAt } = gathered
  const now = Math.min(window.until, answeredAt ?? window.until)
  if (!isCurrent(window, gathered) || reading.createdAt === null) return now
  // If our clock is ahead, or was, the system may not have reached `since`. What it makes until then is still to be fetched.
  const from = Math.min(since, now)
  return newest === null ? from : Math.max(from, Math.min(newest, window.until))
}

/** Returns whether an attempt asked for everything until now, by our clock or by that of the system. */
function isCurrent({ current, until }: Window, { answeredAt }: Gathered): boolean {
  return current || (answeredAt !== null && answeredAt < until)
}

function delayAfter({ every }: AlertFetch, { failures }: FetchState, { retryAfter }: Pick<Gathered, 'retryAfter'>): Millis {
  const longer = Math.min(every * 2 ** Math.min(failures - 1, 30), Math.max(every, longestDelay))
  return Math.max(longer, Math.min(retryAfter ?? 0, 24 * 3_600_000))
}
