import type { Dispatcher } from 'undici'
import type { Clock } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import { durationText } from '../../formats/index.ts'
import { AddressRefused } from '../address-refused.ts'
import { describe, headersOf } from '../exchange.ts'
import { RouteFailed } from '../route.ts'
import type { OutboundRequest, OutboundStream } from '../types.ts'
import { YoungGarbage } from './young-garbage.ts'

type Failure = Exclude<OutboundStream, { effect: 'done' }>

/** How many unread bytes may wait in memory. Beyond that the sender is paused. */
const highWater = 256 * 1024

const garbage = new YoungGarbage()

/**
 * One request whose answer is read as it arrives, no faster than it is used, so a large answer
 * needs little memory. The time-out applies to each wait for the system: for the beginning of the
 * answer, and for each next part.
 */
export class StreamExchange implements Dispatcher.DispatchHandler {
  readonly #request: OutboundRequest
  readonly #clock: Clock
  readonly #settle: (result: OutboundStream) => void
  readonly #over: () => void
  readonly #chunks: Buffer[] = []
  #controller: Dispatcher.DispatchController | null = null
  #waiting = 0
  #size = 0
  #begun = false
  #ended = false
  #failure: Failure | null = null
  #wake: () => void = () => {}
  #cancel: () => void

  /** @param over called once, when nothing more will come */
  constructor(request: OutboundRequest, clock: Clock, settle: (result: OutboundStream) => void, over: () => void) {
    this.#request = request
    this.#clock = clock
    this.#settle = settle
    this.#over = over
    this.#cancel = this.#patience()
  }

  /** Abandons the answer. */
  stop(code: Failure['code'], message: string): void {
    this.#fail({ effect: this.#controller ? 'unknown' : 'not_sent', code, message })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#failure) return controller.abort(new Error('abandoned before it was sent'))
    this.#controller = controller
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (this.#failure) return
    this.#progress()
    // An answer such as 103 (Early Hints) only announces the one that follows.
    if (status < 200) return
    this.#begun = true
    const cancel = (): void => this.stop('network', 'The answer was not read to its end.')
    this.#settle({ effect: 'done', answer: { status, headers: headersOf(headers), body: this.#body(), cancel } })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#failure) return
    this.#size += chunk.length
    garbage.came(chunk.length)
    if (this.#size > this.#request.maxAnswer) return this.stop('answer_too_large', `The answer is larger than ${this.#request.maxAnswer} bytes.`)
    this.#chunks.push(chunk)
    this.#waiting += chunk.length
    if (this.#waiting > highWater) {
      controller.pause()
      // A paused sender is not late.
      this.#cancel()
    } else this.#progress()
    this.#wake()
  }

  onResponseEnd(): void {
    this.#cancel()
    this.#ended = true
    this.#over()
    this.#wake()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (error instanceof AddressRefused) return this.#fail({ effect: 'refused', code: 'egress_refused', message: error.message })
    if (error instanceof RouteFailed) return this.#fail({ effect: 'not_sent', code: error.code, message: describe(error) })
    this.stop('network', describe(error))
  }

  async *#body(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        if (this.#chunks.length > 0) {
          // A system may send single bytes, so everything that waits is passed on together.
          const [first] = this.#chunks
          const chunk = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks)
          this.#chunks.length = 0
          const held = this.#waiting > highWater
          this.#waiting -= chunk.length
          yield chunk
          if (held && this.#waiting <= highWater && !this.#ended) {
            this.#progress()
            this.#controller?.resume()
          }
          continue
        }
        if (this.#failure) throw new TocsinError(this.#failure.code, this.#failure.message)
        if (this.#ended) return
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
    } finally {
      if (!this.#ended) this.stop('network', 'The answer was not read to its end.')
    }
  }

  #patience(): () => void {
    const { timeout } = this.#request
    return this.#clock.after(timeout, () => this.stop('call_timeout', `Nothing arrived for ${durationText(timeout)}.`))
  }

  #progress(): void {
    this.#cancel()
    this.#cancel = this.#patience()
  }

  #fail(failure: Failure): void {
    if (this.#failure || this.#ended) return
    this.#cancel()
    this.#failure = failure
    this.#over()
    if (!this.#begun) this.#settle(failure)
    this.#wake()
    this.#controller?.abort(new Error(failure.message))
  }
}
