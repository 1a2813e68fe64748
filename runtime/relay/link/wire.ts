import type { WebSocket } from 'ws'
import { type Frame, largestFrame, readFrame, writeData, writeFrame } from './frames.ts'
import { mostFramesUnsent, mostFramesWaiting, mostUnsent, mostWaiting, smallPiece } from './limits.ts'

/** Who uses a wire. */
export interface WireUser {
  frame(frame: Frame): void
  /** The wire is no longer full. */
  room(): void
  /** The WebSocket was closed. */
  closed(): void
}

/** How much memory is kept to be used again: twice what may wait. */
const mostSpare = Math.floor((2 * mostWaiting) / largestFrame)

/** Holds back what is written to a connection, so that several messages leave together. */
export interface Corkable {
  cork(): void
  uncork(): void
}

/** Returns what a WebSocket writes to that is being opened. Call it before the WebSocket is open, and the function that it returns afterwards. */
export function connectionOf(socket: WebSocket): () => Corkable {
  let connection: Corkable = { cork() {}, uncork() {} }
  socket.once('upgrade', (response) => {
    connection = response.socket
  })
  return () => connection
}

/** The frames of a WebSocket that has been signed in over. A peer that sends anything else is cut off. */
export class Wire {
  readonly #socket: WebSocket
  readonly #connection: Corkable
  #user: WireUser | null = null
  /** What came before there was a user: the first frame may be right behind the sign-in. */
  #early: Frame[] = []
  /** Memory of large data frames that have left. Using it again makes no garbage. */
  readonly #spare: Buffer[] = []
  #closed = false
  #wasFull = false
  /** Frames that wait for the network. */
  #unsent = 0

  /**
   * Begin at once when the sign-in is over: the first frame may be right behind it.
   * @param connection what the WebSocket writes to
   */
  constructor(socket: WebSocket, connection: Corkable) {
    this.#socket = socket
    this.#connection = connection
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
    return this.#unsent >= mostFramesWaiting || this.#socket.bufferedAmount >= mostWaiting
  }

  /** Sends a frame. Its bytes are copied. */
  send(frame: Frame): void {
    if (this.#closed) return
    this.#unsent += 1
    if (frame.type === 'data' && frame.bytes.length > smallPiece) this.#sendLarge(frame)
    else this.#socket.send(writeFrame(frame), this.#sent)
    if (this.#unsent >= mostFramesUnsent || this.#socket.bufferedAmount >= mostUnsent) this.cut()
    else if (this.full) this.#wasFull = true
  }

  /** Sends what `act` sends in as few packets as possible. */
  together(act: () => void): void {
    this.#connection.cork()
    try {
      act()
    } finally {
      this.#connection.uncork()
    }
  }

  /** Closes the WebSocket when everything is sent. */
  close(): void {
    this.#socket.close(1000)
  }

  /** Ends it at once. A peer that is gone does not answer a closing handshake. */
  cut(): void {
    this.#socket.terminate()
  }

  #sendLarge(frame: Extract<Frame, { type: 'data' }>): void {
    const memory = this.#spare.pop() ?? Buffer.allocUnsafeSlow(largestFrame)
    this.#socket.send(writeData(frame, memory), () => {
      if (this.#spare.length < mostSpare) this.#spare.push(memory)
      this.#sent()
    })
  }

  readonly #sent = (): void => {
    this.#unsent -= 1
    if (!this.#wasFull || this.full) return
    this.#wasFull = false
    this.#user?.room()
  }
}
