import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { type Frame, readFrame } from './frames.ts'
import { mostUnsent, mostUnsentWrites, mostWaiting, mostWaitingWrites } from './limits.ts'
import { Outbox } from './outbox.ts'
import { readInTurns } from './reading-turns.ts'

/** Who uses a wire. */
export interface WireUser {
  frame(frame: Frame): void
  /** The wire is no longer full. */
  room(): void
  /** The WebSocket was closed. */
  closed(): void
}

/** Returns what a WebSocket writes to that is being opened. Call it before the WebSocket is open, and the function that it returns afterwards. */
export function connectionOf(socket: WebSocket): () => Duplex {
  readInTurns(socket)
  let connection: Duplex | null = null
  socket.once('upgrade', (response) => {
    connection = response.socket
  })
  return () => {
    if (connection === null) throw new Error('the WebSocket is not open yet')
    return connection
  }
}

/** The frames of a WebSocket that has been signed in over. A peer that sends anything else is cut off. */
export class Wire {
  readonly #socket: WebSocket
  readonly #outbox: Outbox
  #user: WireUser | null = null
  /** What came before there was a user: the first frame may be right behind the sign-in. */
  #early: Frame[] = []
  #closed = false
  #wasFull = false

  /**
   * Begin at once when the sign-in is over: the first frame may be right behind it.
   * @param connection what the WebSocket writes to
   */
  constructor(socket: WebSocket, connection: Duplex) {
    this.#socket = socket
    // Only the end that dialed has an address, and has to mask what it sends.
    this.#outbox = new Outbox(connection, Boolean(socket.url), this.#sent)
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      const frame = isBinary ? readFrame(data) : null
      if (frame === null) this.cut()
      else if (this.#user) this.#user.frame(frame)
      else this.#early.push(frame)
    })
    socket.on('error', () => this.cut())
    socket.on('close', () => {
      if (this.#closed) return
      this.#closed = true
      this.#user?.closed()
    })
  }

  /** Hands frames to a user from now on. */
  use(user: WireUser): void {
    this.#user = user
    const early = this.#early
    this.#early = []
    for (const frame of early) user.frame(frame)
    if (this.#closed) user.closed()
  }

  /** Whether so much waits for the network that streams must wait too. */
  get full(): boolean {
    return this.#outbox.writes >= mostWaitingWrites || this.#outbox.waiting >= mostWaiting
  }

  /** Sends a frame. Its bytes are copied. */
  send(frame: Frame): void {
    if (this.#closed || this.#socket.readyState !== this.#socket.OPEN) return
    this.#outbox.put(frame)
    if (this.#outbox.writes >= mostUnsentWrites || this.#outbox.waiting >= mostUnsent) this.cut()
    else if (this.full) this.#wasFull = true
  }

  /** Sends what `act` sends in as few packets as possible. */
  together(act: () => void): void {
    this.#outbox.together(act)
  }

  /** Closes the WebSocket when everything is sent. */
  close(): void {
    this.#outbox.flush()
    this.#socket.close(1000)
  }

  /** Ends it at once. A peer that is gone does not answer a closing handshake. */
  cut(): void {
    this.#socket.terminate()
  }

  readonly #sent = (): void => {
    if (!this.#wasFull || this.#closed || this.full) return
    this.#wasFull = false
    this.#user?.room()
  }
}
