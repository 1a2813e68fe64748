import { type ClientHttp2Stream, constants } from 'node:http2'
import { Duplex } from 'node:stream'
import type { Clock, Millis } from '../../domain/index.ts'
import { chunkHeader, requestWindow } from '../link/index.ts'

/**
 * How long the bytes of a write may be under way, if its own limit is later. A while after a tunnel was lost, people are asked whether a write
 * happened, and answer by what they see: `arrivalMargin` of the engine, 5 seconds. An agent that slept must not pass the write on after that.
 */
const longestWay: Millis = 4_000

/** Counts the bytes of a tunnel's streams. */
export interface Traffic {
  sent: number
  received: number
}

/** The stream was cut before its end: the agent, the tunnel or the external system has gone. */
class StreamCut extends Error {
  override readonly name = 'StreamCut'
  readonly code = 'ECONNRESET'
}

/**
 * A TCP connection of an agent, as the runtime uses it. Each chunk carries until when the agent may pass it on, in the time of
 * the agent's clock.
 */
export class AgentStream extends Duplex {
  readonly #stream: ClientHttp2Stream
  readonly #clock: Pick<Clock, 'now'>
  readonly #traffic: Traffic
  /** The agent's clock minus a clock of this process that nobody sets. */
  readonly #ahead: Millis
  #until: Millis | null = null

  /** @param agentClock the agent's clock when it answered. The answer took some time, so what follows from it is early rather than late */
  constructor(stream: ClientHttp2Stream, agentClock: Millis, clock: Pick<Clock, 'now'>, traffic: Traffic) {
    super({ readableHighWaterMark: requestWindow, writableHighWaterMark: requestWindow })
    this.#stream = stream
    this.#clock = clock
    this.#traffic = traffic
    this.#ahead = agentClock - performance.now()
    // It may be cut before its user listens, which must not end the process.
    this.on('error', () => {})
    stream.on('data', (chunk: Buffer) => {
      traffic.received += chunk.length
      if (!this.push(chunk)) stream.pause()
    })
    // Only a stream that the external system has ended has trailers. One that was cut seems to end too.
    let whole = false
    stream.on('trailers', () => {
      whole = true
    })
    stream.on('end', () => (whole ? this.push(null) : this.#cut()))
    stream.on('error', () => this.#cut())
    stream.on('close', () => {
      if (stream.rstCode !== 0 || !whole) this.#cut()
    })
  }

  /** From now on, the agent passes on nothing of what is written after this time. Null: no such limit. */
  limit(until: Millis | null): void {
    this.#until = until
  }

  override _read(): void {
    this.#stream.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const until = this.#until === null ? null : performance.now() + this.#ahead + Math.min(this.#until - this.#clock.now(), longestWay)
    this.#traffic.sent += chunk.length
    this.#stream.cork()
    this.#stream.write(chunkHeader(chunk.length, until))
    this.#stream.write(chunk, done)
    this.#stream.uncork()
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#stream.end(chunkHeader(0, null), done)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#stream.close(constants.NGHTTP2_CANCEL)
    done(error)
  }

  #cut(): void {
    if (!this.destroyed && !(this.readableEnded && this.writableFinished)) this.destroy(new StreamCut('the remote agent cut the connection'))
  }
}
