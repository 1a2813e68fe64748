import type { DecisionId, Json, Millis, WriteTries } from '../../domain/index.ts'
import type { Skill } from '../../plugin/index.ts'
import { parseDuration } from '../../yaml/index.ts'
import type { PreparedCall } from '../call/prepared-call.ts'
import { retryRule } from '../call/retry-rule.ts'
import { hasWaited } from '../call/retry-wait.ts'
import { actionOf, decisionId, requestDecision } from '../decisions/request-decision.ts'
import { checkAlive } from '../failure/check-alive.ts'
import { failed } from '../failure/failed.ts'
import type { StepOutcome } from '../journal/step-outcome.ts'
import type { WriteContext } from '../run/contexts.ts'
import { waitUntil } from '../run/wait-until.ts'
import { probe } from './probe.ts'
import type { UnknownWrite } from './unknown-write.ts'
import { logFailedProbe, logUnknownWrite } from './unknown-write-log.ts'

/** After `sendBy` nothing of the call can leave any more; this much later it has arrived or is lost. */
export const arrivalMargin: Millis = 5_000

/** How a doubt was settled. */
export type Resolution =
  /** The write is sent again, and must have left by then: repeating it is safe, a probe found that it had not happened, or a person says so. */
  | { readonly kind: 'repeat'; readonly because: 'safe' | 'absent' | 'told'; readonly by: Millis }
  /** What became of the whole step is known. */
  | { readonly kind: 'settled'; readonly outcome: StepOutcome }
  /** A person said that it happened, and what was answered, if that is known. */
  | { readonly kind: 'happened'; readonly output: Json }

/**
 * Settles a doubt as the skill allows: repeat where repeating is safe, ask the target where there is a probe, and otherwise put it before
 * a person.
 * @param mayRepeat whether the step has tries left
 * @throws Sleeping until a person has answered
 */
export async function resolveUnknownWrite(
  execution: WriteContext,
  prepared: PreparedCall,
  doubt: UnknownWrite,
  mayRepeat: boolean,
): Promise<Resolution> {
  // What an earlier life has put before a person is for that person to settle.
  if (execution.waits.asked(decisionOf(execution, doubt))) return askPerson(execution, prepared, doubt, null)
  // If the run slept in between, an earlier life has already told it.
  if (!execution.replay.retry(doubt.tries.address)?.doubt) logUnknownWrite(execution, prepared, doubt)
  if (doubt.earlier) await waitUntilItCannotLeave(execution, prepared, doubt)
  const { document } = prepared.skill
  const { idempotent } = document
  const by = latestResend(document, doubt.tries)
  const delay = hasWaited(execution, doubt.tries.address) ? 0 : retryRule(prepared).delay
  const inTime = (): boolean => mayRepeat && execution.clock.now() + delay <= by
  if (idempotent && idempotent.by !== 'none' && inTime()) return { kind: 'repeat', because: 'safe', by }
  /** What people are told besides. */
  let also: string | null = null
  if (document.verify) {
    if (!doubt.earlier) await waitForCallToEnd(execution, doubt)
    const found = await probe(execution, prepared)
    const probed = { kind: 'probed', address: doubt.tries.address, try: doubt.last.try, at: execution.clock.now() } as const
    if (found.kind === 'happened') {
      execution.journal.ride({ ...probed, happened: true })
      return { kind: 'settled', outcome: { ok: true, output: found.output, at: execution.clock.now(), changed: 'perhaps' } }
    }
    // Later on, what is not there any more may have been there, and somebody has undone it: that says nothing, and is not recorded.
    if (found.kind === 'absent' && inTime()) {
      execution.journal.ride({ ...probed, happened: false })
      return { kind: 'repeat', because: 'absent', by }
    }
    if (found.kind === 'absent') also = `${document.verify.skill} does not find it, but it is too late to send it again by itself`
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
 * Until when a write may be sent again. A system that knows a key again forgets it so long after its first use, whatever became of that; of a
 * state it counts when it may have been set first.
 */
function latestResend({ idempotent }: Skill['document'], { left, open }: WriteTries): Millis {
  if (idempotent?.repeat_within === undefined) return Number.POSITIVE_INFINITY
  const [first] = idempotent.by === 'key' ? left : open
  return (first?.at ?? 0) + parseDuration(idempotent.repeat_within)
}

function decisionOf(execution: WriteContext, { tries, last }: UnknownWrite): DecisionId {
  return decisionId(execution, tries.address, last.try)
}

/** Waits until the write has arrived: an answer that it has not happened could be wrong a moment later while it is still on its way. */
async function waitForArrival({ clock, signal }: WriteContext, { last: { sendBy } }: UnknownWrite): Promise<void> {
  const left = Math.min(sendBy + arrivalMargin - clock.now(), arrivalMargin)
  if (left > 0) await clock.sleep(left, signal)
}

/** A system may be long in carrying out what has arrived: it is asked when the time that the call was given is over. */
async function waitForCallToEnd({ clock, signal }: WriteContext, { last: { at, sendBy } }: UnknownWrite): Promise<void> {
  // The clock may have been set back since.
  const left = Math.min(sendBy + arrivalMargin - clock.now(), sendBy + arrivalMargin - at)
  if (left > 0) await clock.sleep(left, signal)
}

/**
 * What is repeated, probed or answered while a process that merely stood still can still send the first one, happens twice.
 * @throws Sleeping until then
 */
async function waitUntilItCannotLeave(execution: WriteContext, prepared: PreparedCall, { last: { at, sendBy } }: UnknownWrite): Promise<void> {
  const until = sendBy + arrivalMargin
  const longest = until - at
  // The clock that wrote it was ahead of ours: the call lasts no longer than it was given, by whatever clock.
  if (until - execution.clock.now() > longest) await execution.clock.sleep(longest, execution.signal)
  else await waitUntil(execution, prepared.address, { until, binding: true })
}

/** Characters of a question, and of why the outcome is not known: what a probe could not tell must have room beside it. */
const [longestTitle, longestCause] = [900, 300]

/** @param also what a probe could not tell; null: nothing, or it stands in the question that an earlier life has asked */
async function askPerson(execution: WriteContext, prepared: PreparedCall, doubt: UnknownWrite, also: string | null): Promise<Resolution> {
  const { address, skill, target } = prepared
  const what = `${prepared.step.integration}.${skill.id}${target === null ? '' : ` on ${shownTarget(target)}`}`
  const cause = `${doubt.failure.code}: ${doubt.failure.message}`
  const why = cause.length > longestCause ? `${cause.slice(0, longestCause)}…` : cause
  const title = `Did ${what} happen? (${why}${also === null ? '' : `; ${also}`})`
  const question = { kind: 'in_doubt', title: title.slice(0, longestTitle), actions: [actionOf(prepared)] } as const
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

/** What a person knows of an answer, as far as the skill's schema has room for it. */
export function outputFromAnswer(skill: Skill, said: Json): Json {
  try {
    const output = skill.exactOutput(said ?? {})
    return skill.checkOutput(output).length === 0 ? output : {}
  } catch {
    return {}
  }
}

/** Characters of a target in a sentence: a bulk has hundreds of them, and the case has them all. */
const longestTarget = 200

/** A target as a sentence can have it. */
export function shownTarget(target: string): string {
  return target.length > longestTarget ? `${target.slice(0, longestTarget)}… (${target.length - longestTarget} characters more)` : target
}
