import type { Logger } from 'pino'
import type { ReadCalls } from '../connection/index.ts'
import type { AlertFetch, Clock, FetchAttempt, FetchFailure, FetchState, Millis } from '../domain/index.ts'
import { isTocsinError, registry } from '../errors/index.ts'
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
}

const nothing: Omit<Gathered, 'failure'> = { found: 0, fresh: 0, repeated: 0, changed: 0, newest: null, retryAfter: null }
/** Failures that asking for less may cure. Then nothing is gained by waiting. */
const curedByLess: ReadonlySet<string> = new Set(['fetch_incomplete', 'output_too_large', 'answer_too_large'])
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
    return { attempt, next, delay: window.current ? fetch.every : 0 }
  }
  const tooLarge = curedByLess.has(failure.code)
  const next = { ...state, failures: state.failures + 1, halvings: state.halvings + (tooLarge ? 1 : 0), last: attempt }
  // The system is well, and returns new alerts each time, if not all of them. So they do not wait longer than usual.
  const delay = !tooLarge ? delayAfter(fetch, next, gathered) : window.divisible ? 0 : fetch.every
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
  { calls, submitter, logger }: AttemptDeps,
  fetch: AlertFetch,
  organizationCode: string,
  input: FetchInput,
  window: Window,
  signal: AbortSignal,
): Promise<Gathered> {
  const { organization, connection, skill } = fetch
  try {
    const result = await calls.call({ organization, connection, skill, input: input.render(window), signal })
    if (!result.ok) {
      const { code, message, remedy, retryAfter } = result.failure
      return { ...nothing, retryAfter: retryAfter === null ? null : retryAfter * 1_000, failure: { code, message, remedy } }
    }
    const found = itemsIn(result.output, fetch.reading.items)
    if (!found.ok) return { ...nothing, failure: found.failure }
    const submitted = await submitter.submit(fetch, organizationCode, found.items)
    const failure = submitted.failure ?? (found.cut ? incomplete(window) : null)
    return { ...submitted, failure, found: found.items.length, retryAfter: null }
  } catch (error) {
    // Whatever it is, people must see that the fetch does not work.
    if (!isTocsinError(error)) logger.error({ err: error, fetch: fetch.id }, 'a defect in a fetch')
    return { ...nothing, failure: failureOf(error) }
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
 * Returns until when everything is fetched. An item that says when it was made says it by the clock of its system, which may differ from
 * ours. So the newest one counts, unless it claims to come from the future. A fetch that goes through a long time in parts counts by parts.
 */
function reached({ reading }: AlertFetch, { since }: FetchState, { until, current }: Window, { newest }: Gathered): Millis {
  if (!current || reading.createdAt === null) return until
  return newest === null ? since : Math.max(since, Math.min(newest, until))
}

function delayAfter({ every }: AlertFetch, { failures }: FetchState, { retryAfter }: Pick<Gathered, 'retryAfter'>): Millis {
  const longer = Math.min(every * 2 ** Math.min(failures - 1, 30), Math.max(every, longestDelay))
  return Math.max(longer, Math.min(retryAfter ?? 0, 24 * 3_600_000))
}
