import type { Dispatcher } from 'undici'
import type { Clock, Millis } from '../domain/index.ts'
import { messageOf } from '../errors/index.ts'
import { AddressRefused } from './address-refused.ts'
import { causeOf } from './causes.ts'
import { Pieces } from './pieces.ts'
import { RouteFailed } from './route.ts'
import type { OutboundRequest, OutboundResult } from './types.ts'

type Failure = Exclude<OutboundResult, { effect: 'done' }>

/** `stale`: the request did not leave before its pause check became too old. */
export type Exchanged = OutboundResult | 'stale'

/**
 * One request and its answer. Tracks whether anything may have reached the system: the dispatcher
 * calls `onRequestStart` right before it writes the first byte, and never if there was no
 * connection.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: OutboundRequest
  readonly #clock: Clock
  /** After this time the request needs another pause check before it leaves. */
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

  /** Abandons the call. If the request has not been sent, it never will be. */
  stop(code: Failure['code'], message: string): void {
    this.#fail({ effect: this.#controller ? 'unknown' : 'not_sent', code, message })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const { sendBy } = this.#request
    if (this.#over) return controller.abort(new Error('abandoned before it was sent'))
    if (sendBy !== null && this.#clock.now() > sendBy) {
      this.#fail({ effect: 'not_sent', code: 'send_too_late', message: 'The write was not sent in time.' })
      return controller.abort(new Error('too late'))
    }
    const { leaveBy = null } = this.#request
    if (leaveBy !== null && this.#clock.now() > leaveBy) {
      this.#over = true
      this.#settle({
        effect: 'not_sent',
        code: 'rate_limited',
        turnPassed: true,
        message: 'The permit had ended before the request had a connection.',
      })
      throw new Error('wait for another permit')
    }
    if (this.#clock.now() > this.#freshUntil) {
      this.#over = true
      this.#settle('stale')
      // Throws instead of aborting: the dispatcher then drops the request but keeps the connection for
      // its next try.
      throw new Error('check for pauses again')
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
    if (error instanceof RouteFailed) return this.#fail({ effect: 'not_sent', code: error.code, message: describe(error) })
    this.stop('network', describe(error))
  }

  #fail(failure: Failure): void {
    if (this.#over) return
    this.#over = true
    this.#settle(failure)
    this.#controller?.abort(new Error(failure.message))
  }
}

/** Makes names lower case and joins several values of one name. */
export function headersOf(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const given = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]))
}

/** The advice that Node adds to some TLS failures. It does not help here. The cause before the message says what does. */
const adviceOfNode = /; if the root CA is installed locally.*$/s

/**
 * Describes an error with the system's code, because ENOTFOUND, ECONNREFUSED or
 * DEPTH_ZERO_SELF_SIGNED_CERT says more than the message.
 */
export function describe(error: Error): string {
  if (error instanceof RouteFailed) {
    const cause = error.systemCode === null ? null : causeOf(error.systemCode)
    return cause === null ? error.message : `${cause}: ${error.message}`
  }
  const code = (error as { code?: unknown }).code
  if (typeof code !== 'string') return messageOf(error)
  const cause = causeOf(code)
  return `${cause === null ? '' : `${cause}: `}${messageOf(error).replace(adviceOfNode, '') || 'failed'} (${code})`
}
