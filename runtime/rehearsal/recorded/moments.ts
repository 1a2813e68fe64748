import type { Decision, JournalRecord, Millis } from '../../domain/index.ts'
import { overMark, untilMark } from '../../engine/index.ts'
import type { RecordedDecision, RecordedMoment, Recording } from './document.ts'

/** A record of a journal, and when it was written. */
export interface Moment extends RecordedMoment {
  readonly record: JournalRecord
}

/** Returns the address of a step, from that of something that it decided. */
function stepBefore(address: string): string {
  return address.slice(0, address.lastIndexOf('#'))
}

/** @param began when the run began */
export function momentsOf(records: readonly JournalRecord[], began: Millis): readonly Moment[] {
  let at = began
  const until = new Map<string, number>()
  return records.map((record, order) => {
    if ('at' in record) at = Math.max(at, record.at)
    if (record.kind === 'decided' && record.address.endsWith(untilMark)) until.set(stepBefore(record.address), Number(record.value))
    // A wait is not over before its time.
    if (record.kind === 'decided' && record.address.endsWith(overMark)) at = Math.max(at, until.get(stepBefore(record.address)) ?? at)
    return { record, at, order }
  })
}

/** Returns when the run waited for people, or was held by a pause. */
export function uncountedIn(moments: readonly Moment[]): Recording['uncounted'] {
  const last = moments.at(-1)?.at ?? 0
  const held = moments.flatMap(({ record, at }) =>
    record.kind === 'claimed' && record.heldSince !== undefined ? [{ from: record.heldSince, to: at }] : [],
  )
  const asked = new Map<string, { readonly from: Millis; readonly to: Millis }>()
  for (const { record, at } of moments) {
    // People may have been asked long before that was recorded, if a process died between the two.
    if (record.kind === 'asked' && !asked.has(record.decision)) asked.set(record.decision, { from: record.at, to: last })
    const span = record.kind === 'heard' ? asked.get(record.decision) : undefined
    if (record.kind === 'heard' && span?.to === last) asked.set(record.decision, { ...span, to: at })
  }
  return [...held, ...asked.values()]
}

/** Returns when the waits of the run were over. */
export function waitsIn(moments: readonly Moment[]): Recording['waits'] {
  return moments.flatMap(({ record, at, order }) =>
    record.kind === 'decided' && record.address.endsWith(overMark) ? [{ step: stepBefore(record.address), at, order }] : [],
  )
}

/** Returns the decisions of a run, with when it asked and when it went on. */
export function decisionViews(decisions: readonly Decision[], moments: readonly Moment[]): readonly RecordedDecision[] {
  const found = new Map<string, RecordedMoment>()
  for (const { record, at, order } of moments) {
    if (record.kind !== 'asked' && record.kind !== 'heard') continue
    // The run did not go on with it.
    if (record.kind === 'heard' && record.dropped) continue
    const key = `${record.kind} ${record.decision}`
    if (!found.has(key)) found.set(key, { at, order })
  }
  return decisions.map(({ id, step, kind, state, askedAt, closedAt, answers }) => ({
    step,
    kind,
    state,
    asked_at: askedAt,
    closed_at: closedAt,
    asked: found.get(`asked ${id}`) ?? null,
    heard: found.get(`heard ${id}`) ?? null,
    answers: answers.map(({ verdict, by, reason, output }) => ({ verdict, by, reason, output })),
  }))
}
