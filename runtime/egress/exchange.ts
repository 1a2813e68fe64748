import type { Dispatcher } from 'undici'
import type { Clock, Millis } from '../domain/index.ts'
import { messageOf } from '../errors/index.ts'
import { causeOf } from './causes.ts'
import { AddressRefused } from './connector.ts'
import { Pieces } from './pieces.ts'
import type { OutboundRequest, OutboundResult } from './types.ts'

type Failure = Exclude<OutboundResult, { effect: 'done' }>

/** `stale`: it did not leave while its pause check was still fresh. */
export type Exchanged = OutboundResult | 'stale'

/**
 * One request and its answer, watched so closely that afterwards it is known whether anything of it can have arrived:
 * the dispatcher calls `onRequestStart` right before the first byte is written, and not at all when no connection was made.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: OutboundRequest
  readonly #clock: Clock
  /** Until when it may leave without another pause check. */
  readonly #freshUntil: Millis
  readonly #settle: (result: Exchanged) => void
  readonly #body: Pieces
  #controller: Dispatcher.DispatchController | null = null
  #status = 0
  #headers: Record<string, string> = {}
  #size = 0
  #over = false

  constructor(request: OutboundRequest, clock: Clock, freshUntil: Millis, settle: (result: Exchanged) => void) {
    this.#request = request
    this.#body = new Pieces(request.maxAnswer)
    this.#clock = clock
    this.#freshUntil = freshUntil
    this.#settle = settle
  }

  /** Gives the call up; what was not sent yet will not be sent. */
  stop(code: Failure['code'], message: string): void {
    this.#fail({ effect: this.#controller ? 'unknown' : 'not_sent', code, message })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const { sendBy } = this.#request
    if (this.#over) return controller.abort(new Error('given up before it was sent'))
    if (sendBy !== null && this.#clock.now() > sendBy) {
      this.#fail({ effect: 'not_sent', code: 'send_too_late', message: 'The time until which the write might be sent has passed.' })
      return controller.abort(new Error('too late'))
    }
    const { leaveBy = null } = this.#request
    if (leaveBy !== null && this.#clock.now() > leaveBy) {
      this.#over = true
      this.#settle({ effect: 'not_sent', code: 'rate_limited', turnPassed: true, message: 'Its turn had passed when it had a connection.' })
      throw new Error('to take another turn')
    }
    if (this.#clock.now() > this.#freshUntil) {
      this.#over = true
      this.#settle('stale')
      // Thrown and not aborted: the dispatcher drops the request, and keeps the connection for when it comes again.
      throw new Error('to be checked again')
    }
    this.#controller = controller
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Record<string, string | string[] | undefined>): void {
    this.#status = status
    this.#headers = headersOf(headers)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size > this.#request.maxAnswer) return this.stop('answer_too_large', `The answer is larger than ${this.#request.maxAnswer} bytes.`)
    this.#body.add(chunk)
  }

  onResponseEnd(): void {
    if (this.#over) return
    this.#over = true
    this.#settle({ effect: 'done', answer: { status: this.#status, headers: this.#headers, body: this.#body.joined() } })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (error instanceof AddressRefused) return this.#fail({ effect: 'refused', code: 'egress_refused', message: error.message })
    this.stop('network', describe(error))
  }

  #fail(failure: Failure): void {
    if (this.#over) return
    this.#over = true
    this.#settle(failure)
    this.#controller?.abort(new Error(failure.message))
  }
}

/** Names in lower case; several values joined. */
export function headersOf(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const given = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]))
}

/** The system's code says more than its message: ENOTFOUND, ECONNREFUSED, DEPTH_ZERO_SELF_SIGNED_CERT. */
export function describe(error: Error): string {
  const code = (error as { code?: unknown }).code
  if (typeof code !== 'string') return messageOf(error)
  const cause = causeOf(code)
  return `${cause === null ? '' : `${cause}: `}${messageOf(error) || 'failed'} (${code})`
}
