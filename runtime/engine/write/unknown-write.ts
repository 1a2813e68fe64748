import type { WriteTries } from '../../domain/index.ts'
import type { CallFailure } from '../../plugin/index.ts'
import { failed } from '../failure/failed.ts'
import type { WriteContext } from '../run/contexts.ts'

/** A write in doubt: it was sent, and its outcome is unknown. */
export interface UnknownWrite {
  readonly tries: WriteTries
  /** The last try that may have happened. */
  readonly last: WriteTries['last']
  readonly failure: CallFailure
  /**
   * Whether an earlier execution sent it. If that process is only stalled, it can still send the write until
   * `sendBy`.
   */
  readonly earlier: boolean
}

/**
 * Returns the write if it is in doubt, else null.
 * @param place where the journal records it: the step's address, or that of one request of its handler
 * @param own failure of the last try that this execution has sent. Null: it has sent none
 */
export function unknownWriteAt({ writes, replay }: WriteContext, place: string, own: CallFailure | null): UnknownWrite | null {
  const tries = writes.at(place)
  const last = tries?.open.at(-1)
  return tries && last ? { tries, last, failure: own ?? recordedCause(replay, place) ?? processDied, earlier: own === null } : null
}

/** Returns why a write is in doubt, if the run slept before its next try. */
function recordedCause(replay: WriteContext['replay'], place: string): CallFailure | null {
  const doubt = replay.retry(place)?.doubt
  return doubt ? { ...doubt, remedy: null, retryAfter: null } : null
}

/** Why a write that an earlier execution sent is in doubt. */
const processDied: CallFailure = {
  ...failed('write_in_doubt', 'The process that sent it died before it had the answer.', null),
  retryAfter: null,
}
