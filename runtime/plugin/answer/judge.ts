import type { Effect } from '../../domain/index.ts'
import type { CallFailure, CallResult } from '../call/call-result.ts'
import type { Plugin, Skill } from '../types.ts'
import { type Asked, bodyDecides, CallFailed, defaultMeaning, failureFromCode, failureOf, matchRow, notJson } from './failures.ts'
import type { SkillAnswer } from './skill-answer.ts'

/** Makes a failed call. The effect of a read is never unknown. */
export function failed(skill: Skill, effect: Effect, failure: CallFailure): Extract<CallResult, { ok: false }> {
  return { ok: false, effect: skill.impact === 'read' && effect === 'unknown' ? 'refused' : effect, failure }
}

/** Which answers count as a success. */
export interface Expectation {
  readonly asked: Asked
  /** The statuses that mean success. Null: any 2xx. */
  readonly expected: readonly number[] | null
  /** Set if the output uses the answer's body. */
  readonly readsBody: boolean
  /** Codes of error rows that mean that the write had already been done. */
  readonly alreadyDone: readonly string[]
  /** Set if the request may change something. */
  readonly changes: boolean
  /** A sentence about what the skill needs, for an answer that refuses the credentials. Null if unknown. */
  readonly needs: string | null
}

/** Returns the warning about a write that counts as done by its status alone, because its body cannot be read. Null if none. */
export function unreadBody({ fault }: SkillAnswer, changes: boolean): string | null {
  return changes && fault !== undefined ? `only the status of the answer was read: ${fault}` : null
}

/**
 * Throws unless an answer is a success. A status that the skill names is a success. Error rows may
 * still find an error in a 2xx answer, because some systems answer 200 and report the failure in
 * the body.
 * @returns true if the answer says that the write had already been done
 * @throws CallFailed
 */
export function judge(plugin: Plugin, expectation: Expectation, answer: SkillAnswer): boolean {
  const already = judged(plugin, expectation, answer)
  const doubt = answer.unvouched && doubtOf(answer.unvouched, answer.status, expectation.changes)
  if (doubt) throw new CallFailed('unknown', { ...doubt, vendor: { status: answer.status } })
  return already
}

/** Returns why a success without a valid signature is not trusted, or null if it may be passed on anyway. */
function doubtOf(unvouched: NonNullable<SkillAnswer['unvouched']>, status: number, changes: boolean): CallFailure | null {
  if (unvouched === 'for_another')
    return failureFromCode('answer_signature_invalid', `The answer (${status}) is signed for a client other than the connection's.`)
  return changes ? failureFromCode('answer_not_signed', `The answer (${status}) says that the change was made, but has no signature.`) : null
}

function judged(plugin: Plugin, { asked, expected, readsBody, alreadyDone, changes, needs }: Expectation, answer: SkillAnswer): boolean {
  const { status, fault } = answer
  const fine = status >= 200 && status < 300
  const wanted = expected === null ? fine : expected.includes(status)
  if (fault !== undefined && (wanted || fine)) {
    // A body that nobody can read may say that the write failed.
    const needed = (wanted && !fine && readsBody) || (changes && bodyDecides(plugin.manifest.errors, answer, asked))
    if (needed) throw new CallFailed('unknown', { ...failureFromCode('answer_not_understood', fault), vendor: { status } })
  }
  const row = matchRow(plugin.manifest.errors, answer, asked)
  // Even if the skill accepts the status, an error row may say that the write had already been done.
  if (wanted && !fine) return row !== null && alreadyDone.includes(row.code)
  if (row !== null) {
    if (alreadyDone.includes(row.code)) return true
    throw new CallFailed(row.effect === 'none' ? 'refused' : 'unknown', failureOf(row, answer, needs))
  }
  const text = fine ? notJson(answer, readsBody) : null
  if (text !== null) throw new CallFailed('unknown', { ...failureFromCode('answer_not_understood', text), vendor: { status } })
  if (wanted) return false
  const meaning = defaultMeaning(status)
  throw new CallFailed(meaning.effect === 'none' ? 'refused' : 'unknown', failureOf(meaning, answer, needs))
}
