import type { Clock, Millis } from '../../domain/index.ts'
import { Channel, type ChannelTunnel } from './channel.ts'
import type { Frame } from './frames.ts'
import { Heartbeat } from './heartbeat.ts'
import { answerWindow, requestWindow } from './limits.ts'
import { Growth, Window } from './window.ts'
import type { Wire, WireUser } from './wire.ts'

/** The tunnel ended, or the other end gave the stream up, before it answered. Nothing was connected, so another tunnel may be asked. */
export class TunnelLost extends Error {
  override readonly name: string = 'TunnelLost'
}

/** The other end became silent before it answered. It may hang, and it may answer again. */
export class TunnelSilent extends TunnelLost {
  override readonly name = 'TunnelSilent'
}

/** What the other end says about a stream that this end wants to open. */
export interface Answer {
  readonly opened: boolean
  /** JSON. */
  readonly text: string
}

/** A stream that the other end wants to open. Exactly one of the two methods is called. */
export interface Request {
  /** JSON. */
  readonly text: string
  readonly channel: Channel
  accept(text: string): void
  refuse(text: string): void
}

/** A stream that this end wants to open. */
interface Asked {
  readonly answer: PromiseWithResolvers<Answer>
  readonly evenSilent: boolean
}

/** One end opens streams, the other accepts them. */
export type Side =
  | {
      readonly opens: true
      /** Whether the other end may say that a stream should end. Other processes do. Agents do not. */
      readonly advised?: boolean
    }
  | {
      readonly opens: false
      /** The most streams at once. */
      readonly most: number
      readonly asked: (request: Request) => void
      /** What a stream beyond these gets. JSON. */
      readonly tooMany: string
      /** By how much the windows of this tunnel and others may grow together. Absent: this tunnel has its own. */
      readonly growth?: Growth
    }

/** How many streams that waited for the wire go on in one turn of the event loop. */
const wokenAtOnce = 4

/** One end of a tunnel: its streams take turns on one wire. */
export class Tunnel implements ChannelTunnel, WireUser {
  /** Resolves when it has ended. */
  readonly gone: Promise<void>
  /** Resolves when the other end accepts no more streams. */
  readonly left: Promise<void>
  readonly #wire: Wire
  readonly #side: Side
  readonly #heartbeat: Heartbeat
  readonly #growth: Growth
  readonly #channels = new Map<number, Channel>()
  /** Streams that this end wants to open, and that have no answer yet. */
  readonly #asked = new Map<number, Asked>()
  /** Streams that the other end wants to open, and that have no answer yet. */
  readonly #unanswered = new Set<number>()
  /** Channels that have something to send, and wait for the wire. The first is the next. */
  readonly #turns = new Set<Channel>()
  readonly #gone = Promise.withResolvers<void>()
  readonly #left = Promise.withResolvers<void>()
  #lastStream = 0
  #draining = false
  #ended = false

  constructor(wire: Wire, side: Side, clock: Pick<Clock, 'after' | 'every'>) {
    this.#wire = wire
    this.#side = side
    this.gone = this.#gone.promise
    this.left = this.#left.promise
    this.#growth = side.opens ? new Growth(answerWindow.growth) : (side.growth ?? new Growth(requestWindow.growth))
    this.#heartbeat = new Heartbeat(clock, {
      ask: () => wire.send({ type: 'ping' }),
      silent: () => this.#becameSilent(),
      lost: () => this.cut(),
    })
    wire.use(this)
  }

  /** Whether it takes no more streams. */
  get draining(): boolean {
    return this.#draining
  }

  get streams(): number {
    return this.#channels.size
  }

  /** Whether the other end has sent nothing for a while, although this end waits for it. */
  get silent(): boolean {
    return this.#heartbeat.silent
  }

  /** Somebody waits for the other end from now on. */
  expect(): void {
    if (!this.#ended) this.#heartbeat.check()
  }

  /** Null: not measured yet. */
  get roundTrip(): Millis | null {
    return this.#heartbeat.roundTrip
  }

  /**
   * Asks the other end to open a stream. The answer rejects with TunnelLost if there is none.
   * @param text JSON
   * @param evenSilent whether to go on waiting if the other end becomes silent. Otherwise, the answer rejects with TunnelSilent
   * @throws TunnelLost
   */
  open(text: string, { evenSilent }: { readonly evenSilent: boolean }): { readonly channel: Channel; readonly answer: Promise<Answer> } {
    if (this.#draining || this.#ended) throw new TunnelLost()
    this.#lastStream += 1
    const channel = this.#channel(this.#lastStream)
    const answer = Promise.withResolvers<Answer>()
    this.#asked.set(channel.id, { answer, evenSilent })
    this.send({ type: 'open', stream: channel.id, text })
    this.expect()
    return { channel, answer: answer.promise }
  }

  /** Tells the other end that this one accepts and opens no more streams. Ends the tunnel when the open ones have ended. */
  leave(): void {
    if (this.#draining) return
    this.send({ type: 'leave' })
    this.#drain()
  }

  /** Ends the tunnel and all of its streams at once. */
  cut(): void {
    this.#wire.cut()
    this.closed()
  }

  send(frame: Frame): void {
    this.#wire.send(frame)
  }

  get full(): boolean {
    return this.#wire.full
  }

  turn(channel: Channel): void {
    if (this.full) this.#turns.add(channel)
    else this.#wire.together(() => channel.flush())
  }

  over(channel: Channel): void {
    this.#channels.delete(channel.id)
    this.#turns.delete(channel)
    this.#unanswered.delete(channel.id)
    this.#asked.get(channel.id)?.answer.reject(new TunnelLost())
    this.#asked.delete(channel.id)
    this.#endIfIdle()
  }

  room(): void {
    this.#wire.together(() => {
      let woken = 0
      for (const channel of this.#turns) {
        if (this.full) return
        this.#turns.delete(channel)
        channel.flush()
        woken += 1
        // If all of them read at once, most would have to keep what they have read.
        if (woken === wokenAtOnce) return void setImmediate(this.#wakeMore)
      }
    })
  }

  closed(): void {
    if (this.#ended) return
    this.#ended = true
    this.#draining = true
    this.#heartbeat.stop()
    for (const channel of [...this.#channels.values()]) channel.cut()
    this.#gone.resolve()
  }

  readonly #wakeMore = (): void => {
    if (!this.#ended) this.room()
  }

  frame(frame: Frame): void {
    if (this.#ended) return
    this.#heartbeat.heard()
    // Whatever is wrong, the tunnel ends. The agent opens another one.
    if (!this.#take(frame)) this.cut()
  }

  /** Returns false if the other end may not send this. */
  #take(frame: Frame): boolean {
    switch (frame.type) {
      case 'ping':
        this.#heartbeat.counted()
        this.send({ type: 'pong' })
        return true
      case 'pong':
        this.#heartbeat.answered()
        return true
      case 'leave':
        this.#heartbeat.counted()
        this.#left.resolve()
        this.#drain()
        return true
      case 'open':
        return this.#opens(frame.stream, frame.text)
      case 'opened':
      case 'refused':
        return this.#answered(frame.stream, { opened: frame.type === 'opened', text: frame.text })
      case 'leaving':
      case 'spare':
        return this.#side.opens && this.#side.advised === true && this.#passOn(frame)
      default:
        return this.#passOn(frame)
    }
  }

  #passOn(frame: Extract<Frame, { stream: number }>): boolean {
    const channel = this.#channels.get(frame.stream)
    // What was under way while the stream ended here. A stream that never was is an error.
    if (!channel) return frame.stream >= 1 && frame.stream <= this.#lastStream
    // Before the answer, the end that opens may only give up.
    const early = this.#asked.has(frame.stream) || this.#unanswered.has(frame.stream)
    return early && frame.type !== 'reset' ? false : channel.take(frame)
  }

  #opens(id: number, text: string): boolean {
    if (this.#side.opens || id !== this.#lastStream + 1) return false
    this.#lastStream = id
    if (this.#draining) this.send({ type: 'reset', stream: id })
    else if (this.#channels.size >= this.#side.most) this.send({ type: 'refused', stream: id, text: this.#side.tooMany })
    else this.#ask(this.#channel(id), text, this.#side.asked)
    return true
  }

  #ask(channel: Channel, text: string, asked: (request: Request) => void): void {
    this.#unanswered.add(channel.id)
    asked({
      text,
      channel,
      accept: (answer) => {
        if (this.#unanswered.delete(channel.id)) this.send({ type: 'opened', stream: channel.id, text: answer })
      },
      refuse: (answer) => {
        if (!this.#unanswered.delete(channel.id)) return
        this.send({ type: 'refused', stream: channel.id, text: answer })
        channel.cut()
      },
    })
  }

  #answered(id: number, answer: Answer): boolean {
    const asked = this.#asked.get(id)
    // This end may have given the stream up meanwhile.
    if (!asked) return !this.#channels.has(id) && this.#side.opens && id >= 1 && id <= this.#lastStream
    this.#asked.delete(id)
    asked.answer.resolve(answer)
    if (!answer.opened) this.#channels.get(id)?.cut()
    return true
  }

  #channel(id: number): Channel {
    const [receive, send] = this.#side.opens ? [answerWindow, requestWindow] : [requestWindow, answerWindow]
    const channel: Channel = new Channel(id, this, new Window(receive, this.#growth, () => channel.spare()), send.first)
    this.#channels.set(id, channel)
    return channel
  }

  #drain(): void {
    if (this.#draining) return
    this.#draining = true
    this.#askToLeave()
    this.#endIfIdle()
  }

  #becameSilent(): void {
    for (const { answer, evenSilent } of this.#asked.values()) if (!evenSilent) answer.reject(new TunnelSilent())
    this.#askToLeave()
  }

  /** Has those that nobody needs end. */
  #askToLeave(): void {
    for (const channel of [...this.#channels.values()]) channel.leave()
  }

  #endIfIdle(): void {
    if (this.#draining && !this.#ended && this.#channels.size === 0) this.#wire.close()
  }
}
