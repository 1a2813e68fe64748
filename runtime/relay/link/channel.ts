import type { Millis } from '../../domain/index.ts'
import type { Frame } from './frames.ts'
import { largestPiece, largestTurn } from './limits.ts'
import { type Piece, Pieces } from './pieces.ts'
import type { Window } from './window.ts'

/** Who uses a channel. */
export interface ChannelUser {
  /** Bytes came. Call `read` when they are used. @param until when an agent must not pass them on any more. Null: no such limit */
  data(bytes: Buffer, until: Millis | null): void
  /** What came with a limit, and was not passed on yet, may be passed on until this time, if that is later. */
  extend?(until: Millis): void
  /** No more bytes will come: the other end has sent all. */
  end(): void
  /** Everything that `send` got is on its way, and it may get more. */
  room(): void
  /** The tunnel will end when its streams have ended, or the other end has become silent. So streams that nobody needs should end. */
  leaving?(): void
  /** Another stream needs memory that this one has, so it should end if nobody uses it at the moment. */
  spare?(): void
  /** The stream is over before its end. */
  cut(): void
}

/** The part of a tunnel that its channels use. */
export interface ChannelTunnel {
  /** Whether so much waits for the network that channels must wait too. */
  readonly full: boolean
  send(frame: Frame): void
  /** Has the channel send what waits, as soon as it is its turn. */
  turn(channel: Channel): void
  /** Somebody waits for the other end from now on. */
  expect(): void
  /** The channel is over. */
  over(channel: Channel): void
}

const nothing = Buffer.alloc(0)

type Event = (user: ChannelUser) => void

/** One stream of a tunnel. Both directions end separately; a cut ends both. */
export class Channel {
  readonly id: number
  readonly #tunnel: ChannelTunnel
  readonly #window: Window
  readonly #waiting = new Pieces()
  #user: ChannelUser | null = null
  /** What happened before there was a user. */
  #early: Event[] = []
  /** What the other end may still be sent. */
  #credit: number
  /** Whether the user waits for `room`. */
  #owesRoom = false
  #ending = false
  #sentEnd = false
  #gotEnd = false
  #over = false

  /** @param credit what the other end accepts at first */
  constructor(id: number, tunnel: ChannelTunnel, window: Window, credit: number) {
    this.id = id
    this.#tunnel = tunnel
    this.#window = window
    this.#credit = credit
  }

  /** Whether nothing goes through it any more. */
  get over(): boolean {
    return this.#over
  }

  /** How many bytes the other end accepts at the moment. */
  get accepted(): number {
    return this.#credit
  }

  /** Hands everything to a user from now on, and what came already. */
  use(user: ChannelUser): void {
    this.#user = user
    const early = this.#early
    this.#early = []
    for (const event of early) event(user)
  }

  /**
   * Sends bytes. Returns false if the caller should wait until `room`. What cannot leave at once is copied, so the caller may use the memory
   * again.
   */
  send(bytes: Buffer, until: Millis | null = null): boolean {
    if (this.#over || bytes.length === 0) return true
    const first = this.#waiting.empty
    this.#waiting.add(bytes, until)
    if (first) this.#tunnel.turn(this)
    const left = this.#waiting.empty
    if (left && this.#credit > 0 && !this.#tunnel.full) return true
    this.#owesRoom = true
    if (!left) this.#waiting.keep()
    else if (this.#credit > 0) this.#tunnel.turn(this)
    return false
  }

  /** Moves the limit of what `send` got and may still wait, here or at the other end, if this is later. Another end that does not know this ignores it. */
  extend(until: Millis): void {
    this.#waiting.extend(until)
    if (!this.#over && !this.#sentEnd) this.#tunnel.send({ type: 'data', stream: this.id, until, bytes: nothing })
  }

  /** Says that an answer to what was sent is expected. If the other end becomes silent, other tunnels come first. */
  expect(): void {
    if (!this.#over) this.#tunnel.expect()
  }

  /** Tells another process that the stream should end: see the frames. Only if that process knows them. */
  advise(type: 'leaving' | 'spare'): void {
    if (!this.#over) this.#tunnel.send({ type, stream: this.id })
  }

  /** Sends no more. */
  end(): void {
    if (this.#over || this.#ending) return
    this.#ending = true
    this.#finish()
  }

  /** Says that bytes which came are used, so as many more may come. */
  read(bytes: number): void {
    if (this.#over) return
    const credit = this.#window.wereRead(bytes)
    if (credit > 0 && !this.#gotEnd) this.#tunnel.send({ type: 'credit', stream: this.id, bytes: credit })
  }

  /** Cuts the stream, and tells the other end. */
  reset(): void {
    if (this.#over) return
    this.#tunnel.send({ type: 'reset', stream: this.id })
    this.#close()
  }

  /** Sends what waits, as far as the other end accepts it and the network keeps up. Only for the tunnel. */
  flush(): void {
    if (this.#over) return
    for (let sent = 0; this.#credit > 0; ) {
      if (sent >= largestTurn && this.#tunnel.full) return this.#tunnel.turn(this)
      const next = this.#waiting.take(Math.min(this.#credit, largestPiece))
      if (!next) break
      sent += next.bytes.length
      this.#sendPiece(next)
    }
    if (!this.#waiting.empty) return
    this.#finish()
    if (!this.#owesRoom || this.#credit === 0) return
    if (this.#tunnel.full) return this.#tunnel.turn(this)
    this.#owesRoom = false
    this.#tell((user) => user.room())
  }

  /** Takes a frame of the other end. Returns false if it may not send it. Only for the tunnel. */
  take(frame: Extract<Frame, { stream: number }>): boolean {
    switch (frame.type) {
      case 'data': {
        const { bytes, until } = frame
        if (this.#gotEnd || !this.#window.came(bytes.length)) return false
        if (bytes.length > 0) this.#tell((user) => user.data(bytes, until))
        else if (until !== null) this.#user?.extend?.(until)
        return true
      }
      case 'credit':
        this.#credit += frame.bytes
        if (this.#credit > 2 ** 32) return false
        if (!this.#waiting.empty || this.#owesRoom) this.#tunnel.turn(this)
        return true
      case 'end':
        if (this.#gotEnd) return false
        this.#gotEnd = true
        this.#tell((user) => user.end())
        this.#closeIfDone()
        return true
      case 'reset':
        this.cut()
        return true
      case 'leaving':
        this.leave()
        return true
      case 'spare':
        this.spare()
        return true
      default:
        return false
    }
  }

  /** Streams that nobody needs should end. Only for the tunnel. */
  leave(): void {
    if (!this.#over) this.#tell((user) => user.leaving?.())
  }

  /** Another stream needs memory that this one has. Only for the tunnel. */
  spare(): void {
    if (!this.#over) this.#user?.spare?.()
  }

  /** The stream is over before its end: the other end has cut it, or the tunnel is gone. Only for the tunnel. */
  cut(): void {
    if (this.#over) return
    this.#close()
    this.#tell((user) => user.cut())
  }

  #sendPiece({ bytes, until }: Piece): void {
    this.#credit -= bytes.length
    this.#tunnel.send({ type: 'data', stream: this.id, until, bytes })
  }

  #tell(event: Event): void {
    if (this.#user) event(this.#user)
    else this.#early.push(event)
  }

  #finish(): void {
    if (!this.#ending || this.#sentEnd || !this.#waiting.empty) return
    this.#sentEnd = true
    this.#tunnel.send({ type: 'end', stream: this.id })
    this.#closeIfDone()
  }

  #closeIfDone(): void {
    if (this.#sentEnd && this.#gotEnd) this.#close()
  }

  #close(): void {
    if (this.#over) return
    this.#over = true
    this.#waiting.clear()
    this.#window.close()
    this.#tunnel.over(this)
  }
}
