import { beginningOf, clockSkew, cutText, type DecisionId, type Json, type Millis, type WriteTries } from '../../domain/index.ts'
import { parseDuration } from '../../formats/index.ts'
import type { Skill } from '../../plugin/index.ts'
import type { PreparedCall } from '../call/prepared-call.ts'
import { retryRule } from '../call/retry-rule.ts'
import { hasWaited } from '../call/retry-wait.ts'
import { actionOf, decisionId, hasAsked, requestDecision } from '../decisions/request-decision.ts'
import { checkAlive } from '../failure/check-alive.ts'
import { failed } from '../failure/failed.ts'
import type { StepOutcome } from '../journal/step-outcome.ts'
import type { WriteContext } from '../run/contexts.ts'
import { waitUntil } from '../run/wait-until.ts'
import { probe } from './probe.ts'
import type { UnknownWrite } from './unknown-write.ts'
import { logFailedProbe, logUnknownWrite } from './unknown-write-log.ts'

/** This long after `sendBy`, a request has either arrived or is lost. */
export const arrivalMargin: Millis = 5_000

/** How a write in doubt was resolved. */
export type Resolution =
  /**
   * Send the write again, to leave by that time: because repeating it is safe, because a probe found that it
   * had not happened, or because a person says so.
   */
  | { readonly kind: 'repeat'; readonly because: 'safe' | 'absent' | 'told'; readonly by: Millis }
  /** The outcome of the whole step is known. */
  | { readonly kind: 'settled'; readonly outcome: StepOutcome }
  /** A person said that it happened, and what was answered, if known. */
  | { readonly kind: 'happened'; readonly output: Json }

/**
 * Resolves a write in doubt as its skill allows: sends it again if that is safe, probes if there is a probe,
 * and otherwise asks people.
 * @param options `mayRepeat`: whether the step has tries left; `told`: whether this execution has logged the doubt already
 * @throws Sleeping until a person has answered
 */
export async function resolveUnknownWrite(
  execution: WriteContext,
  prepared: PreparedCall,
  doubt: UnknownWrite,
  { mayRepeat, told }: { readonly mayRepeat: boolean; readonly told: boolean },
): Promise<Resolution> {
  // An earlier execution has asked people, so a person decides.
  if (await hasAsked(execution, decisionOf(execution, doubt), doubt.earlier)) return askPerson(execution, prepared, doubt, null)
  if (doubt.earlier) await waitUntilItCannotLeave(execution, prepared, doubt)
  // Not before that wait, after which it is executed again. If the run slept before a retry, an earlier execution has logged it already.
  if (!told && !execution.replay.retry(doubt.tries.address)?.doubt) logUnknownWrite(execution, prepared, doubt)
  const { document } = prepared.skill
  const { idempotent } = document
  const by = latestResend(document, doubt.tries, execution.clock.now())
  const delay = hasWaited(execution, doubt.tries.address) ? 0 : retryRule(prepared).delay
  const inTime = (): boolean => mayRepeat && execution.clock.now() + delay <= by
  if (idempotent && idempotent.by !== 'none' && inTime()) return { kind: 'repeat', because: 'safe', by }
  /** What else to tell people. */
  let also: string | null = null
  if (document.verify) {
    if (!doubt.earlier) await waitForCallToEnd(execution, doubt)
    const found = await probe(execution, prepared)
    const probed = { kind: 'probed', address: doubt.tries.address, try: doubt.last.try, at: execution.clock.now() } as const
    if (found.kind === 'happened') {
      execution.journal.defer({ ...probed, happened: true })
      return { kind: 'settled', outcome: { ok: true, output: found.output, at: execution.clock.now(), changed: 'perhaps' } }
    }
    // If it is too late to send again, a probe that does not find the write proves nothing: it may have
    // happened, and somebody may have undone it. So that result is not recorded.
    if (found.kind === 'absent' && inTime()) {
      execution.journal.defer({ ...probed, happened: false })
      return { kind: 'repeat', because: 'absent', by }
    }
    if (found.kind === 'absent') also = `${document.verify.skill} does not find it, but it is too late to send it again automatically`
    else {
      also = found.why
      logFailedProbe(execution, prepared, doubt, found.why)
    }
  }
  checkAlive(execution.signal)
  if (!doubt.earlier) await waitForArrival(execution, doubt)
  return askPerson(execution, prepared, doubt, also)
}

/**
 * Returns the latest time at which a write may be sent again. A system that recognises a key forgets it some
 * time after its first use, whatever the outcome. For a write that sets a state, the time counts from the
 * first try that may have happened. If the clock was set back since, nobody knows how long ago that was.
 */
export function latestResend({ idempotent }: Skill['document'], { left, open, setBack }: WriteTries, now: Millis): Millis {
  if (idempotent?.repeat_within === undefined) return Number.POSITIVE_INFINITY
  const [first] = idempotent.by === 'key' ? left : open
  if (setBack || (first && first.at > now + clockSkew)) return Number.NEGATIVE_INFINITY
  return (first?.at ?? 0) + parseDuration(idempotent.repeat_within)
}

function decisionOf(execution: WriteContext, { tries, last }: UnknownWrite): DecisionId {
  return decisionId(execution, tries.address, last.try)
}

/**
 * Waits until the write has arrived. While it is on its way, "it has not happened" could be wrong a moment
 * later.
 */
async function waitForArrival({ clock, signal }: WriteContext, { last: { sendBy } }: UnknownWrite): Promise<void> {
  const left = Math.min(sendBy + arrivalMargin - clock.now(), arrivalMargin)
  if (left > 0) await clock.sleep(left, signal)
}

/** Waits until the call's time is over. A system may take long to carry out what has arrived. */
async function waitForCallToEnd({ clock, signal }: WriteContext, { last: { at, sendBy } }: UnknownWrite): Promise<void> {
  // The clock may have been set back since.
  const left = Math.min(sendBy + arrivalMargin - clock.now(), sendBy + arrivalMargin - at)
  if (left > 0) await clock.sleep(left, signal)
}

/**
 * Waits until the first try can no longer leave. Its process may only be stalled. If that process sent the
 * write after this execution repeats it, probes or asks, the write could happen twice.
 * @throws Sleeping until then
 */
async function waitUntilItCannotLeave(execution: WriteContext, prepared: PreparedCall, { last: { at, sendBy } }: UnknownWrite): Promise<void> {
  const until = sendBy + arrivalMargin
  const longest = until - at
  // The clock that wrote the record may have been ahead of ours. By any clock, the call lasts no longer than its timeout.
  if (until - execution.clock.now() > longest) await execution.clock.sleep(longest, execution.signal)
  else await waitUntil(execution, prepared.address, { until, binding: true })
}

/** The most characters of a question, and of the cause in it. The probe's reason must fit beside the cause. */
export const [longestTitle, longestCause] = [900, 300]

/**
 * @param also why a probe could not tell. Null: there is nothing, or the question of an earlier execution says
 * it
 */
async function askPerson(execution: WriteContext, prepared: PreparedCall, doubt: UnknownWrite, also: string | null): Promise<Resolution> {
  const { address, skill, target } = prepared
  const what = `${prepared.step.integration}.${skill.id}${target === null ? '' : ` on ${shownTarget(target)}`}`
  const cause = `${doubt.failure.code}: ${doubt.failure.message}`
  const why = cutText(cause, longestCause)
  const title = `Did ${what} happen? (${why}${also === null ? '' : `; ${also}`})`
  const question = { kind: 'in_doubt', title: beginningOf(title, longestTitle), actions: [actionOf(prepared)] } as const
  const { answers } = await requestDecision(execution, doubt.tries.address, decisionOf(execution, doubt), {
    ...question,
    by: [],
    approvers: 1,
    expires: null,
  })
  const answer = answers.at(-1)
  if (answer?.verdict === 'repeat') return { kind: 'repeat', because: 'told', by: Number.POSITIVE_INFINITY }
  if (answer?.verdict === 'happened') return { kind: 'happened', output: answer.output }
  const because = answer?.reason ? `; ${answer.by}: ${answer.reason}` : ''
  const message = `Whether ${what} happened is not known (${why}${because})`
  return {
    kind: 'settled',
    outcome: { ok: false, effect: 'unknown', failure: failed('write_in_doubt', message, address), at: execution.clock.now() },
  }
}

/** Returns the output that a person gave, if it matches the skill's schema. Otherwise an empty one. */
export function outputFromAnswer(skill: Skill, said: Json): Json {
  try {
    const output = skill.exactOutput(said ?? {})
    return skill.checkOutput(output).length === 0 ? output : {}
  } catch {
    return {}
  }
}

/** The most characters of a target in a sentence. A bulk call has hundreds of targets, and the case lists them all. */
const longestTarget = 200

/** Shortens a target for a sentence. */
export function shownTarget(target: string): string {
  return target.length > longestTarget ? `${cutText(target, longestTarget)} (${target.length - longestTarget} characters more)` : target
}
