import { type ClientHttp2Session, type ClientHttp2Stream, constants, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2'
import type { Duplex } from 'node:stream'
import type { Clock, Millis } from '../../domain/index.ts'
import { RouteFailed } from '../../egress/index.ts'
import { beginClientSession, Heartbeat, mostStreams } from '../link/index.ts'

/** How long the other end may take to connect. An agent gives up by itself a little earlier, and says why. */
const openTime: Millis = 12_000

/** The tunnel ended before the other end could answer. Another one may be asked: nothing was connected. */
export class TunnelLost extends Error {
  override readonly name = 'TunnelLost'
}

/** A stream that the other end has answered. */
export interface Answered {
  readonly stream: ClientHttp2Stream
  readonly headers: IncomingHttpHeaders
}

/** The end of a tunnel that opens its streams. */
export class TunnelClient {
  /** Resolves when the tunnel has ended. */
  readonly gone: Promise<void>
  readonly #session: ClientHttp2Session
  readonly #socket: Duplex
  readonly #clock: Clock
  readonly #heartbeat: Heartbeat
  #streams = 0
  #draining = false

  /** @param streams the most that are open at once */
  constructor(socket: Duplex, clock: Clock, streams = mostStreams) {
    this.#clock = clock
    this.#session = beginClientSession(socket, streams)
    this.#socket = socket
    this.#session.on('error', () => this.cut())
    this.#session.on('close', () => this.cut())
    socket.on('error', () => this.cut())
    this.#session.on('goaway', () => {
      this.#draining = true
    })
    this.gone = new Promise((resolve) => {
      socket.once('close', () => {
        this.cut()
        resolve()
      })
    })
    this.#heartbeat = new Heartbeat(this.#session, clock, () => this.cut())
  }

  /** Whether it takes no more streams. */
  get draining(): boolean {
    return this.#draining
  }

  get streams(): number {
    return this.#streams
  }

  /** Null: not measured yet. */
  get roundTrip(): Millis | null {
    return this.#heartbeat.roundTrip
  }

  /** Has the other end connect to a host. @throws RouteFailed, TunnelLost */
  async connect(host: string, port: number, more: OutgoingHttpHeaders = {}): Promise<Answered> {
    if (this.#draining) throw new TunnelLost()
    const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
    const stream = this.#request({ ':method': 'CONNECT', ':authority': authority, ...more })
    this.#streams += 1
    stream.once('close', () => {
      this.#streams -= 1
    })
    try {
      return { stream, headers: await this.#answerTo(stream) }
    } catch (error) {
      stream.on('error', () => {})
      stream.close(constants.NGHTTP2_CANCEL)
      throw error
    }
  }

  /** Asks the other end to connect elsewhere. Streams that are open go on. */
  leave(): void {
    if (this.#draining) return
    this.#draining = true
    this.#session.goaway()
  }

  /** Ends the tunnel and all of its streams at once. */
  cut(): void {
    this.#draining = true
    // With a code, the streams end as cut and not as finished.
    this.#session.destroy(undefined, constants.NGHTTP2_CANCEL)
    this.#socket.destroy()
  }

  /** @throws TunnelLost */
  #request(headers: OutgoingHttpHeaders): ClientHttp2Stream {
    try {
      return this.#session.request(headers, { endStream: false })
    } catch {
      // The other end has just said goodbye.
      throw new TunnelLost()
    }
  }

  #answerTo(stream: ClientHttp2Stream): Promise<IncomingHttpHeaders> {
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.after(openTime, () =>
        reject(new RouteFailed('network', 'The remote agent did not answer in time (ETIMEDOUT)', 'ETIMEDOUT')),
      )
      stream.once('response', (headers) => {
        cancel()
        resolve(headers)
      })
      // Informational answers are no part of the protocol.
      stream.once('headers', () => reject(new RouteFailed('network', 'The remote agent does not speak this protocol.')))
      stream.once('error', () => reject(new TunnelLost()))
      stream.once('close', () => {
        cancel()
        reject(new TunnelLost())
      })
    })
  }
}
