import type { Effect, Millis, RecordedWrite, WriteTries } from '../domain/index.ts'
import type { CallFailure } from '../plugin/index.ts'
import type { Write } from './paused.ts'
import type { Walk } from './walk.ts'

export type Intent = WriteTries['last']

/** A try of a write that is about to be sent. */
interface Try extends Pick<Write, 'place' | 'connection'> {
  /** Of what is sent. */
  readonly digest: string
  readonly timeout: Millis
  /** When it must have left at the latest, because it repeats another; null: nothing says so. */
  readonly by: Millis | null
  /** What the step sends, where its log does not have it yet. */
  readonly write: RecordedWrite | null
}

/** Journals the next try of a write: when this resolves it is durable, and may leave. @throws Superseded, or the store's error */
export async function beginTry({ journal, writes, clock }: Walk, { place, connection, digest, timeout, by, write }: Try): Promise<Intent> {
  const at = clock.now()
  const { id, revision } = connection
  const number = (writes.at(place)?.last.try ?? 0) + 1
  const sendBy = Math.min(at + timeout, by ?? Number.POSITIVE_INFINITY)
  const intent = { kind: 'intent', address: place, try: number, digest, connection: id, revision, sendBy, at, ...(write && { write }) } as const
  await journal.append(intent)
  return intent
}

/**
 * Journals that a try has changed nothing. Returns whether the write is in doubt all the same: a try before it may have happened, of which this one
 * says nothing.
 * @throws Superseded, or the store's error
 */
export async function noteTried(
  { journal, writes, clock }: Walk,
  { address, try: number }: Intent,
  effect: Effect,
  { code }: CallFailure,
): Promise<boolean> {
  const inDoubt = writes.at(address)?.open.some((intent) => intent.try !== number) ?? false
  const tried = { kind: 'tried', address, try: number, effect, code, at: clock.now() } as const
  // What people are asked is named by the try that is in doubt: a later life must find the same one.
  if (inDoubt) await journal.append(tried)
  else journal.ride(tried)
  return inDoubt
}

/** So often a life sends a write anew that came too late to leave: whatever keeps it has not passed then. */
const mostAnew = 3

/**
 * Whether a write is to be sent anew, because the time until which it might leave had passed: the clock jumped, or the process stood still.
 * Nothing left, so that is safe, and it is none of the step's tries.
 * @param late how often that was so in this life
 * @throws Superseded, or the store's error
 */
export async function sentAnew({ journal, clock }: Walk, { address, try: number }: Intent, { code }: CallFailure, late: number): Promise<boolean> {
  if (code !== 'send_too_late' || late >= mostAnew) return false
  await journal.append({ kind: 'tried', address, try: number, effect: 'not_sent', code, turnedAway: true, at: clock.now() })
  return true
}
