import type { Clock, Effect, Json, Millis, Unchanged } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { SkillAnswer } from '../answer/skill-answer.ts'
import type { CallFailure } from '../call/call-result.ts'

/**
 * The outcome of one request of a handler, judged by the manifest. Plain JSON, so that it can be
 * journaled.
 */
export type ActResult =
  /** `changed`: set for a write that may not have changed anything. */
  | { readonly ok: true; readonly answer: SkillAnswer; readonly changed?: Unchanged }
  | { readonly ok: false; readonly effect: Exclude<Effect, 'done'>; readonly failure: CallFailure; readonly body: Json }

/** One recorded act of a handler. */
export interface Act {
  /** The act's number in the call, from 1, in the order of the handler. */
  readonly number: number
  /**
   * A digest of what is to be done. Another digest at the same number means that the handler took
   * another path.
   */
  readonly digest: string
  /** Set if the act changes the outside world. */
  readonly writes: boolean
  /** The act in words, such as `POST /things`. */
  readonly title: string
}

/**
 * Records what a handler's call does, so that a call that starts again gets the recorded results
 * instead of acting twice. Each request of a handler that is not a read has a record of its own.
 * Errors thrown by these methods end the call; the handler does not see them.
 */
export interface Acts {
  /** Starts the call. Returns when it first started, also if it starts again. */
  begin(): Millis
  /** @param send sends the request. A write must not leave after `sendBy` */
  request(act: Act, send: (sendBy: Millis | null) => Promise<ActResult>): Promise<ActResult>
  /**
   * @param signal ends the wait when the call ends
   * @param most the rest of the call's time
   * @returns false if the wait would be longer than `most`. It then does not begin
   */
  sleep(act: Act, delay: Millis, signal: AbortSignal, most: Millis): Promise<boolean>
}

/**
 * Records the acts of calls outside any run. The record lasts from one start of a call to the next,
 * so nothing is done twice if its isolate dies.
 */
export function passingActs(clock: Clock, timeout: Millis): Acts {
  const done = new Map<number, { readonly digest: string; readonly result: ActResult }>()
  const slept = new Set<number>()
  return {
    begin() {
      done.clear()
      slept.clear()
      return clock.now()
    },
    async request({ number, digest, writes, title }, send) {
      const standing = done.get(number)
      if (standing?.digest === digest) return standing.result
      if (standing && writes) throw new TocsinError('handler_failed', `When the handler started again, it asked for another ${title} than before.`)
      const result = await send(writes ? clock.now() + timeout : null)
      if (result.ok) done.set(number, { digest, result })
      return result
    },
    async sleep({ number }, delay, signal, most) {
      if (slept.has(number)) return true
      if (delay > most) return false
      await clock.sleep(delay, signal)
      slept.add(number)
      return true
    },
  }
}
