import type { WebSocket } from 'ws'
import { type Frame, writeFrame } from './frames.ts'

/** The way out for the frames of a wire. */
export interface Exit {
  /** How many bytes have not left yet. */
  readonly waiting: number
  /** How many writes have not left yet. Each costs memory of its own, however small it is. */
  readonly writes: number
  /** Sends a frame. Its bytes are copied. */
  put(frame: Frame): void
  /** Sends what `act` sends in as few packets as possible. */
  together(act: () => void): void
  /** Has everything leave that was put. */
  flush(): void
}

/** Holds back what is written to a connection, so that several messages leave together. */
export interface Corkable {
  cork(): void
  uncork(): void
}

/** The way through the WebSocket library. */
export class LibraryExit implements Exit {
  readonly #socket: WebSocket
  readonly #connection: Corkable
  readonly #sent: () => void
  #writes = 0

  /** @param sent called whenever something has left */
  constructor(socket: WebSocket, connection: Corkable, sent: () => void) {
    this.#socket = socket
    this.#connection = connection
    this.#sent = () => {
      this.#writes -= 1
      sent()
    }
  }

  get writes(): number {
    return this.#writes
  }

  get waiting(): number {
    return this.#socket.bufferedAmount
  }

  put(frame: Frame): void {
    this.#writes += 1
    this.#socket.send(writeFrame(frame), this.#sent)
  }

  together(act: () => void): void {
    this.#connection.cork()
    try {
      act()
    } finally {
      this.#connection.uncork()
    }
  }

  flush(): void {}
}
