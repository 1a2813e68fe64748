import type { WriteTries } from '../../domain/index.ts'
import type { CallFailure } from '../../plugin/index.ts'
import { failed } from '../failure/failed.ts'
import type { WriteContext } from '../run/contexts.ts'

/** A write that was sent and whose outcome is unknown. */
export interface UnknownWrite {
  readonly tries: WriteTries
  /** The last try that may have happened. */
  readonly last: WriteTries['last']
  readonly failure: CallFailure
  /** Whether an earlier life of the run sent it, which may only stand still: then it can leave until `sendBy`. */
  readonly earlier: boolean
}

/**
 * Whether a write is in doubt.
 * @param place where the journal has it: the step's address, or that of one request of its handler
 * @param own what became of the last try that this life has sent; null: it has sent none
 */
export function unknownWriteAt({ writes, replay }: WriteContext, place: string, own: CallFailure | null): UnknownWrite | null {
  const tries = writes.at(place)
  const last = tries?.open.at(-1)
  return tries && last ? { tries, last, failure: own ?? recordedCause(replay, place) ?? processDied, earlier: own === null } : null
}

/** Why a write is in doubt, if the run slept before its next try. */
function recordedCause(replay: WriteContext['replay'], place: string): CallFailure | null {
  const doubt = replay.retry(place)?.doubt
  return doubt ? { ...doubt, remedy: null, retryAfter: null } : null
}

/** Why a write is in doubt that an earlier life of the run sent. */
const processDied: CallFailure = {
  ...failed('write_in_doubt', 'The process that sent it died before it had the answer.', null),
  retryAfter: null,
}
