import { codingFault } from '../../answer/charset.ts'
import { CallFailed, failureFromCode, failureOfSending, notJson } from '../../answer/failures.ts'
import { judge } from '../../answer/judge.ts'
import type { StreamedAnswer } from '../../answer/send-result.ts'
import type { HandlerHost } from '../../call/call-host.ts'
import type { SkillRequest } from '../../request/skill-request.ts'
import type { Plugin } from '../../types.ts'
import { AskRefused } from '../service/asks.ts'
import type { Refused } from '../service/try-again.ts'
import { batchesOf, type RowsTask } from './rows.ts'

/** How many streams may be open at once. */
const maxStreams = 8

interface Opening {
  readonly maxBytes: number
  /** A sentence about what the skill needs from the credentials, or null if unknown. */
  readonly needs: string | null
}

type Opened = { readonly ok: true; readonly answer: StreamedAnswer }

/**
 * Sends one request and begins to read its answer. An unsuccessful answer, or a web page instead of
 * rows, is a refusal.
 */
export async function openStream(plugin: Plugin, host: HandlerHost, request: SkillRequest, { maxBytes, needs }: Opening): Promise<Opened | Refused> {
  const result = await host.stream(request, maxBytes)
  if (result.effect !== 'done') return { ok: false, effect: result.effect, failure: failureOfSending(result), body: null }
  if (!('refusal' in result)) return notPage(result.answer)
  const { status, body } = result.refusal
  try {
    judge(plugin, { asked: request, expected: null, readsBody: false, alreadyDone: [], changes: false, needs }, result.refusal)
  } catch (error) {
    if (!(error instanceof CallFailed) || error.effect === 'done') throw error
    return { ok: false, effect: error.effect, failure: error.failure, body }
  }
  return { ok: false, effect: 'refused', failure: failureFromCode('answer_not_understood', `The answer ${status} has no rows.`), body }
}

/**
 * Refuses a web page, such as a proxy's or a sign-in page, which would otherwise be read as a
 * strange CSV.
 */
function notPage(answer: StreamedAnswer): Opened | Refused {
  const { status, headers } = answer
  const page = codingFault(headers) ?? notJson({ status, headers, body: ' ' }, false)
  if (page === null) return { ok: true, answer }
  answer.cancel()
  return { ok: false, effect: 'refused', failure: { ...failureFromCode('answer_not_understood', page), vendor: { status } }, body: null }
}

/** The streams that one call of a handler reads. */
export class Streams {
  readonly #open = new Map<number, { readonly batches: AsyncGenerator<string>; readonly answer: StreamedAnswer }>()
  #opening = 0
  #last = 0

  /**
   * @param open returns the answer, or throws
   * @returns the stream's number
   * @throws AskRefused if too many streams are open, and what `open` throws
   */
  async open(format: RowsTask['format'], open: () => Promise<StreamedAnswer>): Promise<number> {
    if (this.#open.size + this.#opening >= maxStreams) throw new AskRefused(`No more than ${maxStreams} streams may be open at once.`)
    this.#opening += 1
    const answer = await open().finally(() => {
      this.#opening -= 1
    })
    this.#last += 1
    this.#open.set(this.#last, { batches: batchesOf(format, answer.body, answer.headers['content-type']), answer })
    return this.#last
  }

  /** Returns the next rows as JSON, or null after the last. @throws AskRefused, and like `batchesOf` */
  async rows(number: number): Promise<string | null> {
    const stream = this.#open.get(number)
    if (!stream) throw new AskRefused('There is no such stream.')
    const { value, done } = await stream.batches.next()
    return done ? null : stream.answer.clean(value)
  }

  close(number: number): void {
    const stream = this.#open.get(number)
    this.#open.delete(number)
    // `return` has no effect on a generator that has not started, so cancel the answer too.
    stream?.answer.cancel()
    void stream?.batches.return(undefined).catch(() => {})
  }

  closeAll(): void {
    for (const number of this.#open.keys()) this.close(number)
  }
}
