import type { Socket } from 'node:net'
import type { Millis } from '../../domain/index.ts'
import { Pieces } from '../link/index.ts'

/** What a delivery tells. */
export interface DeliveryEvents {
  /** So many bytes were passed on. */
  readonly passed: (bytes: number) => void
  /** Some bytes came too late to be passed on. Nothing more is. */
  readonly late: () => void
}

/**
 * Passes on bytes to an external system, each before its limit. It gives the system's buffer one piece after the other, and looks at
 * the clock right before: what waits here while the machine sleeps does not leave afterwards.
 */
export class Delivery {
  readonly #socket: Socket
  readonly #uptime: () => Millis
  readonly #events: DeliveryEvents
  readonly #waiting = new Pieces()
  #writing = false
  #ending = false

  /** @param uptime the agent's clock. It must go on while the machine sleeps */
  constructor(socket: Socket, uptime: () => Millis, events: DeliveryEvents) {
    this.#socket = socket
    this.#uptime = uptime
    this.#events = events
  }

  pass(bytes: Buffer, until: Millis | null): void {
    this.#waiting.add(bytes, until)
    if (!this.#writing) this.#next()
  }

  /** Lets what waits and has a limit be passed on until this time, if that is later. What comes afterwards is another write, or has its own limit. */
  extend(until: Millis): void {
    this.#waiting.extend(until)
  }

  /** Ends the connection when everything was passed on. */
  end(): void {
    this.#ending = true
    if (!this.#writing) this.#next()
  }

  #next(): void {
    const next = this.#waiting.take()
    if (!next) {
      if (this.#ending) this.#socket.end()
      return
    }
    const { bytes, until } = next
    // A limit that is no number is over, too.
    if (until !== null && !(this.#uptime() <= until)) {
      this.#waiting.clear()
      return this.#events.late()
    }
    this.#write(bytes)
  }

  #write(bytes: Buffer): void {
    this.#writing = true
    this.#socket.write(bytes, (error) => {
      this.#writing = false
      // A socket that failed says so itself.
      if (error) return
      this.#events.passed(bytes.length)
      this.#next()
    })
  }
}
