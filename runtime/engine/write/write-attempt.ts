import type { Effect, Millis, RecordedWrite, Unchanged, WriteTries } from '../../domain/index.ts'
import type { CallFailure } from '../../plugin/index.ts'
import type { WriteContext } from '../run/contexts.ts'
import type { WriteToSend } from './pause-check.ts'

export type Intent = WriteTries['last']

/** A try of a write that is about to be sent. */
interface WriteAttempt extends Pick<WriteToSend, 'place' | 'connection'> {
  /** Digest of what is sent. */
  readonly digest: string
  readonly timeout: Millis
  /** Latest time to leave, for a try that repeats another. Null: no such limit. */
  readonly by: Millis | null
  /** What the step sends. Null: the journal already has it. */
  readonly write: RecordedWrite | null
}

/**
 * Records the intent of the next try. When this resolves, the record is durable and the write may be sent.
 * @throws Superseded, or the store's error
 */
export async function beginAttempt(
  { journal, writes, clock }: WriteContext,
  { place, connection, digest, timeout, by, write }: WriteAttempt,
): Promise<Intent> {
  const at = clock.now()
  const { id, revision } = connection
  const number = (writes.at(place)?.last.try ?? 0) + 1
  const sendBy = Math.min(at + timeout, by ?? Number.POSITIVE_INFINITY)
  const intent = { kind: 'intent', address: place, try: number, digest, connection: id, revision, sendBy, at, ...(write && { write }) } as const
  await journal.append(intent)
  return intent
}

/**
 * Records that a try has changed nothing.
 * @returns whether the write is still in doubt, because an earlier try may have happened
 * @throws Superseded, or the store's error
 */
export async function recordUnchanged(
  { journal, writes, clock }: WriteContext,
  { address, try: number }: Intent,
  effect: Effect,
  { code }: CallFailure,
): Promise<boolean> {
  const inDoubt = writes.at(address)?.open.some((intent) => intent.try !== number) ?? false
  const tried = { kind: 'tried', address, try: number, effect, code, at: clock.now() } as const
  // A decision's id contains the number of the try that is in doubt. A later execution must compute the same
  // id, so this record must be durable now.
  if (inDoubt) await journal.append(tried)
  else journal.defer(tried)
  return inDoubt
}

/**
 * How often one execution of a run sends a write again that was too late to leave. If it is still too late
 * after that, the cause will not go away soon.
 */
const mostLateResends = 3

/**
 * Returns whether a write must be sent again because its `sendBy` had passed: the clock jumped, or the
 * process stalled. Nothing was sent, so this is safe, and it does not count as a try of the step.
 * @param late how often this has happened in this execution
 * @throws Superseded, or the store's error
 */
export async function mayResendLate(
  { journal, clock }: WriteContext,
  { address, try: number }: Intent,
  { code }: CallFailure,
  late: number,
): Promise<boolean> {
  if (code !== 'send_too_late' || late >= mostLateResends) return false
  await journal.append({ kind: 'tried', address, try: number, effect: 'not_sent', code, turnedAway: true, at: clock.now() })
  return true
}

/**
 * Records that the run was cancelled before a write was sent. Call after the intent is in the journal.
 * @returns whether the run was cancelled. Then the write must not be sent
 */
export function recordIfCancelled({ journal, cancel, clock }: WriteContext, { address, try: number }: Intent): boolean {
  if (!cancel.cancellation) return false
  journal.defer({ kind: 'tried', address, try: number, effect: 'not_sent', code: 'run_cancelled', at: clock.now() })
  return true
}

/**
 * Corrects what an answer says about the change. If this is not the first try, an earlier one may have made the
 * change.
 */
export function changeAfterRetries(changed: Unchanged | undefined, tries: number): { readonly changed?: Unchanged } {
  if (changed === undefined) return {}
  return { changed: tries > 1 ? 'perhaps' : changed }
}
