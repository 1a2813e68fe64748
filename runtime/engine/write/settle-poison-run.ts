import {
  type DecisionAction,
  type JournalRecord,
  type Json,
  type Millis,
  type RecordedWrite,
  stepOf,
  systemScope,
  type WriteTries,
} from '../../domain/index.ts'
import { decisionId, requestDecision, shownInput } from '../decisions/request-decision.ts'
import { mostUrgentError, Sleeping } from '../failure/signals.ts'
import type { DecisionContext, WriteContext } from '../run/contexts.ts'
import { arrivalMargin, shownTarget } from './resolve-unknown-write.ts'

/** What settling a poison run needs. */
export type PoisonRun = DecisionContext & Pick<WriteContext, 'writes'>

/**
 * Asks people about the writes in doubt of a poison run, which is not replayed. It repeats no write and probes
 * nothing, because anything that the run does might kill the process again.
 * @param records all records of its journal
 * @returns the records of what is now known; they go with the next append
 * @throws Sleeping while a write may still leave, or people have not answered
 */
export async function settlePoisonRun(left: PoisonRun, records: readonly JournalRecord[]): Promise<readonly JournalRecord[]> {
  const thrown: unknown[] = []
  const known: JournalRecord[] = []
  for (const tries of left.writes.all.filter(({ open }) => open.length > 0)) {
    const settled = settleOne(left, tries, sentBy(records, tries))
    await settled.then(
      (record) => record && known.push(record),
      (error: unknown) => thrown.push(error),
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

/** Returns the record that settles the write. Null: people answered, but nobody knows whether it happened. */
async function settleOne(left: PoisonRun, tries: WriteTries, sent: RecordedWrite | null): Promise<JournalRecord | null> {
  const { address } = tries
  const last = tries.open.at(-1) ?? tries.last
  const id = decisionId(left, address, last.try)
  // People have already answered that they do not know.
  if (left.waits.asked(id) && !left.waits.open.includes(id)) return null
  if (!left.waits.asked(id)) checkItCannotLeave(left, last)
  const what = sent ? `${sent.skill}${sent.target === null ? '' : ` on ${shownTarget(sent.target)}`}` : `the write of the step ${stepOf(address)}`
  const { answers } = await requestDecision(left, address, id, {
    kind: 'in_doubt',
    title: `Did ${what} happen? (Processes kept dying in its run. The run ends when you answer, and does not send the write again.)`,
    actions: sent ? [await actionOf(left, tries, sent)] : [],
    by: [],
    approvers: 1,
    expires: null,
    final: true,
  })
  const answer = answers.at(-1)
  const at = left.clock.now()
  if (answer?.verdict === 'happened') return happened(tries, sent, answer.output, at)
  // An earlier execution asked this, when the run could still repeat the write. The person who answered
  // `repeat` knew that it had not happened.
  return answer?.verdict === 'repeat' ? { kind: 'probed', address, try: last.try, happened: false, at } : null
}

/** @throws Sleeping while a stalled process may still send the write */
function checkItCannotLeave({ clock }: PoisonRun, { at, sendBy }: WriteTries['last']): void {
  const now = clock.now()
  // If the clock that wrote the record was ahead of ours, wait no longer than the write's timeout.
  const until: Millis = Math.min(sendBy + arrivalMargin, now + (sendBy + arrivalMargin - at))
  if (sendBy + arrivalMargin > now) throw new Sleeping(until, true)
}

function happened({ address, last }: WriteTries, sent: RecordedWrite | null, said: Json, at: Millis): JournalRecord {
  const { digest } = last
  if (address === stepOf(address)) return { kind: 'done', address, digest, output: { value: said ?? {} }, ...(sent && { write: sent }), at }
  return { kind: 'answered', address, try: last.try, digest, answer: { value: { status: 200, headers: {}, body: said ?? {} } }, at }
}

async function actionOf(
  { store, run }: PoisonRun,
  { address, last }: WriteTries,
  { skill, connection, target, input }: RecordedWrite,
): Promise<DecisionAction> {
  const { id, revision, instance } = connection
  const json = 'value' in input ? JSON.stringify(input.value) : ((await store.journal.getOutput(systemScope, run.id, input.stored)) ?? 'null')
  const step = stepOf(address).split('/').at(-1) ?? address
  return { step, skill, connection: { id, revision, instance }, target, input: shownInput(json), digest: last.digest }
}
