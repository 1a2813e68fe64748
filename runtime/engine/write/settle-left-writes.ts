import {
  beginningOf,
  cutText,
  type DecisionAction,
  type JournalRecord,
  type Json,
  type Millis,
  type RecordedWrite,
  stepOf,
  systemScope,
  type WriteTries,
} from '../../domain/index.ts'
import { decisionId, hasAsked, requestDecision, shownInput } from '../decisions/request-decision.ts'
import { mostUrgentError, Sleeping } from '../failure/signals.ts'
import { inlineLimit } from '../journal/step-outcome.ts'
import type { DecisionContext, WriteContext } from '../run/contexts.ts'
import type { Probed } from './probe.ts'
import { arrivalMargin, longestCause, longestTitle, shownTarget } from './resolve-unknown-write.ts'

/** What settling the left writes of a run needs. */
export type LeftRun = DecisionContext & Pick<WriteContext, 'writes'>

/** A left write: it is in doubt, and its run ends before it comes to it again. */
export interface LeftWrite {
  readonly tries: WriteTries
  /** What its step sends. */
  readonly sent: RecordedWrite
}

/** How such writes are settled. */
export interface LeftSettling {
  /** Why the run does not come to them, in a sentence for people. */
  readonly why: string
  /** Asks the external system whether one happened; null: it has no probe. Absent: nothing may be asked. */
  readonly probe?: (write: LeftWrite) => Promise<Probed | null>
}

/**
 * Settles the writes in doubt that a run has not come to, although it ends: processes kept dying in it, its playbook is
 * gone, or it failed before. It repeats none, because only the run can do that. It probes if it may, or asks people.
 * @param records all records of its journal
 * @returns the records of what is now known; they go with the next append
 * @throws Sleeping while a write may still leave, or people have not answered
 */
export async function settleLeftWrites(left: LeftRun, records: readonly JournalRecord[], how: LeftSettling): Promise<readonly JournalRecord[]> {
  const thrown: unknown[] = []
  const known: JournalRecord[] = []
  for (const tries of left.writes.unsettled) {
    await settleOne(left, tries, sentBy(records, tries), how).then(
      (found) => void known.push(...found),
      (error: unknown) => void thrown.push(error),
    )
  }
  for (const record of known) left.journal.defer(record)
  if (thrown.length > 0) throw mostUrgentError(thrown)
  return known
}

/** Returns what the step of a write sends, from the journal. Null: the journal does not have it. */
function sentBy(records: readonly JournalRecord[], { address }: WriteTries): RecordedWrite | null {
  for (const record of records) if (record.kind === 'intent' && record.write && stepOf(record.address) === stepOf(address)) return record.write
  return null
}

/** Returns the records that settle the write. None: people answered, but nobody knows whether it happened. */
async function settleOne(left: LeftRun, tries: WriteTries, sent: RecordedWrite | null, { why, probe }: LeftSettling): Promise<JournalRecord[]> {
  const { address } = tries
  const last = tries.open.at(-1) ?? tries.last
  const id = decisionId(left, address, last.try)
  // People have already answered that they do not know.
  if (left.waits.asked(id) && !left.waits.open.includes(id)) return []
  const asked = await hasAsked(left, id, true)
  if (!asked) checkItCannotLeave(left, last)
  const found = asked || sent === null ? null : ((await probe?.({ tries, sent })) ?? null)
  const probed = { kind: 'probed', address, try: last.try, at: left.clock.now() } as const
  if (sent && found?.kind === 'happened') return [{ ...probed, happened: true }, foundRecord(tries, sent, found.output, probed.at)]
  if (found?.kind === 'absent') return [{ ...probed, happened: false }]
  const because = `${cutText(why, longestCause)}${found && 'why' in found ? ` ${found.why}.` : ''} The run ends when you answer, and does not send the write again.`
  const { answers } = await requestDecision(left, address, id, {
    kind: 'in_doubt',
    title: beginningOf(`Did ${shownWrite(address, sent)} happen? (${because})`, longestTitle),
    actions: sent ? [await actionOf(left, tries, sent)] : [],
    by: [],
    approvers: 1,
    expires: null,
    final: true,
  })
  const answer = answers.at(-1)
  const at = left.clock.now()
  if (answer?.verdict === 'happened') return [told(tries, sent, answer.output, at)]
  // An earlier execution asked this, when the run could still repeat the write. The person who answered
  // `repeat` knew that it had not happened.
  return answer?.verdict === 'repeat' ? [{ ...probed, happened: false, at }] : []
}

/** @throws Sleeping while a stalled process may still send the write */
function checkItCannotLeave({ clock }: LeftRun, { at, sendBy }: WriteTries['last']): void {
  const now = clock.now()
  // If the clock that wrote the record was ahead of ours, wait no longer than the write's timeout.
  const until: Millis = Math.min(sendBy + arrivalMargin, now + (sendBy + arrivalMargin - at))
  if (sendBy + arrivalMargin > now) throw new Sleeping(until, true)
}

function shownWrite(address: string, sent: RecordedWrite | null): string {
  if (sent === null) return `the write of the step ${stepOf(address)}`
  return sent.target === null ? sent.skill : `${sent.skill} on ${shownTarget(sent.target)}`
}

/** Returns the outcome of a step whose write a probe found. */
function foundRecord({ address, last: { digest } }: WriteTries, sent: RecordedWrite, output: Json, at: Millis): JournalRecord {
  // A probe may find a lot. The run ends, so none of its steps needs that.
  const value = JSON.stringify(output).length > inlineLimit ? {} : output
  return { kind: 'done', address: stepOf(address), digest, output: { value }, write: { ...sent, changed: 'perhaps' }, at }
}

/** Returns the record of a write that happened, as a person says. */
function told({ address, last }: WriteTries, sent: RecordedWrite | null, said: Json, at: Millis): JournalRecord {
  const { digest } = last
  if (address === stepOf(address)) return { kind: 'done', address, digest, output: { value: said ?? {} }, ...(sent && { write: sent }), at }
  return { kind: 'answered', address, try: last.try, digest, answer: { value: { status: 200, headers: {}, body: said ?? {} } }, at }
}

async function actionOf(
  { store, run }: LeftRun,
  { address, last }: WriteTries,
  { skill, connection, target, input }: RecordedWrite,
): Promise<DecisionAction> {
  const { id, revision, instance } = connection
  const json = 'value' in input ? JSON.stringify(input.value) : ((await store.journal.getOutput(systemScope, run.id, input.stored)) ?? 'null')
  const step = stepOf(address).split('/').at(-1) ?? address
  return { step, skill, connection: { id, revision, instance }, target, input: shownInput(json), digest: last.digest }
}
