import { type ClientHttp2Session, type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2'
import type { Duplex } from 'node:stream'
import type { Clock, Millis } from '../../domain/index.ts'
import { RouteFailed } from '../../egress/index.ts'
import { beginClientSession, Heartbeat, mostStreams } from '../link/index.ts'
import { AgentStream, type Traffic } from './agent-stream.ts'
import type { AgentStatus, Identity } from './identity.ts'

/** How long the agent may take to connect. It gives up by itself a little earlier, and says why. */
const openTime: Millis = 12_000

export interface Arrival {
  readonly agent: Identity
  readonly version: string
  readonly address: string
}

/** The tunnel ended before the agent could answer. Another agent of the name may be asked: nothing was connected. */
export class TunnelLost extends Error {
  override readonly name = 'TunnelLost'
}

/** One agent that is connected to this process. */
export class OnlineAgent {
  readonly arrival: Arrival
  /** Resolves when its tunnel has ended. */
  readonly gone: Promise<void>
  readonly #session: ClientHttp2Session
  readonly #socket: Duplex
  readonly #clock: Clock
  readonly #since: Millis
  readonly #heartbeat: Heartbeat
  readonly #traffic: Traffic = { sent: 0, received: 0 }
  #streams = 0
  #opened = 0
  #draining = false
  #lastError: AgentStatus['lastError'] = null

  constructor(socket: Duplex, arrival: Arrival, clock: Clock) {
    this.arrival = arrival
    this.#clock = clock
    this.#since = clock.now()
    this.#session = beginClientSession(socket)
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

  get draining(): boolean {
    return this.#draining
  }

  get streams(): number {
    return this.#streams
  }

  status(): AgentStatus {
    const { version, address } = this.arrival
    return {
      version,
      since: this.#since,
      address,
      draining: this.#draining,
      streams: this.#streams,
      opened: this.#opened,
      ...this.#traffic,
      roundTrip: this.#heartbeat.roundTrip,
      lastError: this.#lastError,
    }
  }

  /** Opens a TCP connection at the agent. @throws RouteFailed, TunnelLost */
  async open(host: string, port: number): Promise<AgentStream> {
    if (this.#draining) throw new TunnelLost()
    if (this.#streams >= mostStreams)
      throw new RouteFailed('agent_busy', `The remote agent ${this.arrival.agent.name} carries ${mostStreams} connections, the most that it may.`)
    const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
    const stream = this.#session.request({ ':method': 'CONNECT', ':authority': authority }, { endStream: false })
    this.#streams += 1
    this.#opened += 1
    stream.once('close', () => {
      this.#streams -= 1
    })
    try {
      const answer = await this.#answerTo(stream)
      return this.#join(stream, answer, authority)
    } catch (error) {
      stream.on('error', () => {})
      stream.close(constants.NGHTTP2_CANCEL)
      if (error instanceof RouteFailed) this.#lastError = { at: this.#clock.now(), message: error.message }
      throw error
    }
  }

  /** Asks the agent to connect elsewhere. Streams that are open go on. */
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

  #answerTo(stream: ClientHttp2Stream): Promise<IncomingHttpHeaders> {
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.after(openTime, () =>
        reject(new RouteFailed('network', 'The remote agent did not answer in time (ETIMEDOUT)', 'ETIMEDOUT')),
      )
      stream.once('response', resolve)
      stream.once('error', () => reject(new TunnelLost()))
      stream.once('close', () => {
        cancel()
        reject(new TunnelLost())
      })
    })
  }

  #join(stream: ClientHttp2Stream, answer: IncomingHttpHeaders, authority: string): AgentStream {
    const { name } = this.arrival.agent
    if (Number(answer[':status']) === 200) {
      const clock = Number(answer['tocsin-clock'])
      if (!Number.isFinite(clock)) throw new RouteFailed('network', `The remote agent ${name} does not speak this protocol.`)
      return new AgentStream(stream, clock, this.#clock, this.#traffic)
    }
    const code = String(answer['tocsin-error'] ?? 'failed')
      .replace(/[^\w]/g, '')
      .slice(0, 64)
    if (code === 'not_allowed') throw new RouteFailed('agent_refused', `The allow-list of the remote agent ${name} does not have ${authority}.`)
    throw new RouteFailed('network', `The remote agent ${name} could not connect to ${authority} (${code})`, code)
  }
}
