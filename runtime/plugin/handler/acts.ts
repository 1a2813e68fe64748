import type { Clock, Effect, Json, Millis, Unchanged } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { SkillAnswer } from '../answer/skill-answer.ts'
import type { CallFailure } from '../call/call-result.ts'

/** What became of one request of a handler, as the manifest reads it. Plain JSON, so that it can be journaled. */
export type ActResult =
  /** `changed` of a write: where it is not sure that it changed anything. */
  | { readonly ok: true; readonly answer: SkillAnswer; readonly changed?: Unchanged }
  | { readonly ok: false; readonly effect: Exclude<Effect, 'done'>; readonly failure: CallFailure; readonly body: Json }

/** One act of a handler that is kept: the nth of its call. */
export interface Act {
  /** From 1, in the order of the handler. */
  readonly number: number
  /** Of what is to be done; another one at the same number means that the handler went another way. */
  readonly digest: string
  /** Whether it changes the outside world. */
  readonly writes: boolean
  /** What else the handler would have to be told, in words: `POST /things`. */
  readonly title: string
}

/**
 * Keeps what a handler's call does, so that a call which begins again gets what was done instead of doing it again (design, Writes: every
 * non-read request of a handler is a record of its own). What these methods throw ends the call, and is not for the handler.
 */
export interface Acts {
  /** When the call began; the same whenever it begins again. */
  begin(): Millis
  /** @param send sends it; a write not after `sendBy` */
  request(act: Act, send: (sendBy: Millis | null) => Promise<ActResult>): Promise<ActResult>
  /**
   * @param signal ends the wait when the call does
   * @param most the rest of the call's time
   * @returns false if the wait is longer than `most`. Then it does not begin
   */
  sleep(act: Act, delay: Millis, signal: AbortSignal, most: Millis): Promise<boolean>
}

/** For calls outside any run: kept from one beginning of a call to the next, so that nothing is done twice when its isolate dies. */
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
      if (standing && writes) throw new TocsinError('handler_failed', `The handler asked for another ${title} than before.`)
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
