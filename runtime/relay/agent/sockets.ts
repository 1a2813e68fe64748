import type { Socket } from 'node:net'

/**
 * Counts the sockets of an agent. A stream that the runtime gives up is over at once, but its socket takes a moment to close, and keeps its memory
 * until then.
 */
export class Sockets {
  readonly #most: number
  #open = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Whether there are as many as there may be. */
  get full(): boolean {
    return this.#open >= this.#most
  }

  /** Counts a socket until it is closed. */
  add(socket: Socket): void {
    this.#open += 1
    socket.once('close', () => {
      this.#open -= 1
    })
  }
}
