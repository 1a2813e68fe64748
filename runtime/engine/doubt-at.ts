import type { WriteTries } from '../domain/index.ts'
import type { CallFailure } from '../plugin/index.ts'
import { failed } from './failed.ts'
import type { Walk } from './walk.ts'

/** A write that was sent and whose outcome is unknown. */
export interface Doubt {
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
export function doubtAt({ writes, recorded }: Walk, place: string, own: CallFailure | null): Doubt | null {
  const tries = writes.at(place)
  const last = tries?.open.at(-1)
  return tries && last ? { tries, last, failure: own ?? asleep(recorded, place) ?? lostLife, earlier: own === null } : null
}

/** Why a write is in doubt, if the run slept before its next try. */
function asleep(recorded: Walk['recorded'], place: string): CallFailure | null {
  const doubt = recorded.retry(place)?.doubt
  return doubt ? { ...doubt, remedy: null, retryAfter: null } : null
}

/** Why a write is in doubt that an earlier life of the run sent. */
const lostLife: CallFailure = {
  ...failed('write_in_doubt', 'The process that sent it died before it had the answer.', null),
  retryAfter: null,
}
