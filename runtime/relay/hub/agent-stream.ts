import { Duplex } from 'node:stream'
import type { Clock, Millis } from '../../domain/index.ts'
import { type Channel, largestPiece, Pieces } from '../link/index.ts'

/**
 * How long the bytes of a write may be under way after the last sign of this process, if its own limit is later. A while after a tunnel was lost, people are asked whether a write
 * happened, and answer by what they see: `arrivalMargin` of the engine, 5 seconds. An agent that slept must not pass the write on after that.
 */
const longestWay: Millis = 4_000
/** How often the limit of a write is moved while it is under way. A system may take longer than `longestWay` to read a large one. */
const extension: Millis = 1_000

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

/** A stream that an agent has connected. */
export interface Connected {
  readonly channel: Channel
  /** The agent's clock when it answered. The answer took some time, so what follows from it is early rather than late. */
  readonly agentClock: Millis
}

/**
 * A TCP connection of an agent, as the runtime uses it. What is written carries until when the agent may pass it on, in the time of
 * the agent's clock.
 */
export class AgentStream extends Duplex {
  readonly #channel: Channel
  readonly #clock: Pick<Clock, 'now' | 'every'>
  readonly #traffic: Traffic
  /** The agent's clock minus a clock of this process that nobody sets. */
  readonly #ahead: Millis
  #until: Millis | null = null
  /** Ends the extensions of a write. */
  #settle = (): void => {}
  /** Bytes of the stream's own buffer that nobody has asked for yet. */
  #unread = 0
  /** What came meanwhile. */
  readonly #waiting = new Pieces()
  /** Whether no more will come. */
  #cameAll = false
  #written: (() => void) | null = null
  #leaving = false

  constructor({ channel, agentClock }: Connected, clock: Pick<Clock, 'now' | 'every'>, traffic: Traffic) {
    // One piece fills its buffer. The others wait where small ones are joined.
    super({ readableHighWaterMark: 1, writableHighWaterMark: 4 * largestPiece })
    this.#channel = channel
    this.#clock = clock
    this.#traffic = traffic
    this.#ahead = agentClock - performance.now()
    // It may be cut before its user listens, which must not end the process.
    this.on('error', () => {})
    channel.use({
      data: (bytes) => this.#came(bytes),
      end: () => this.#ended(),
      room: () => this.#wrote(),
      leaving: () => {
        this.#leaving = true
        this.emit('leaving')
      },
      spare: () => void this.emit('spare'),
      cut: () => void this.destroy(new StreamCut('the remote agent cut the connection')),
    })
  }

  get leaving(): boolean {
    return this.#leaving
  }

  /** From now on, the agent passes on nothing of what is written after this time. Null: no such limit. */
  limit(until: Millis | null): void {
    this.#until = until
    this.#settle()
    this.#settle = until === null ? () => {} : this.#clock.every(extension, () => this.#extend(until))
  }

  override _read(): void {
    const bytes = this.#unread
    this.#unread = 0
    if (bytes > 0) this.#channel.read(bytes)
    this.#pushWaiting()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const until = this.#until === null ? null : this.#limitOf(this.#until)
    this.#traffic.sent += chunk.length
    this.#written = done
    this.#channel.expect()
    if (this.#channel.send(chunk, until)) this.#wrote()
  }

  override _final(done: () => void): void {
    this.#channel.end()
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#settle()
    this.#waiting.clear()
    this.#channel.reset()
    done(error)
  }

  /** Returns until when the agent may pass on what is sent now, in the time of its clock. */
  #limitOf(until: Millis): Millis {
    return performance.now() + this.#ahead + Math.min(until - this.#clock.now(), longestWay)
  }

  /** Nothing is extended beyond the write's own limit. */
  #extend(until: Millis): void {
    if (this.#clock.now() < until) this.#channel.extend(this.#limitOf(until))
    else this.#settle()
  }

  #came(bytes: Buffer): void {
    this.#traffic.received += bytes.length
    this.#waiting.add(bytes, null)
    this.#pushWaiting()
  }

  #ended(): void {
    this.#cameAll = true
    this.#pushWaiting()
  }

  #pushWaiting(): void {
    while (this.#unread === 0) {
      const next = this.#waiting.take()
      if (!next) break
      // The reader may destroy the stream during the call, or ask for more.
      if (this.push(next.bytes)) this.#channel.read(next.bytes.length)
      else this.#unread += next.bytes.length
    }
    if (this.#cameAll && this.#waiting.empty && !this.destroyed) this.push(null)
  }

  #wrote(): void {
    const done = this.#written
    this.#written = null
    done?.()
  }
}
