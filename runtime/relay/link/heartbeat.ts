import type { Http2Session } from 'node:http2'
import type { Clock, Millis } from '../../domain/index.ts'
import { beat } from './limits.ts'

/** Asks the peer again and again whether it is there. This also keeps proxies from closing an idle tunnel. */
export class Heartbeat {
  /** The last round trip. Null: none yet. */
  roundTrip: Millis | null = null
  readonly #session: Http2Session
  readonly #lost: () => void
  readonly #stop: () => void
  #waiting = false

  /** @param lost called once, when the peer has not answered for a whole beat */
  constructor(session: Http2Session, clock: Pick<Clock, 'every'>, lost: () => void) {
    this.#session = session
    this.#lost = lost
    this.#stop = clock.every(beat, () => this.#beat())
    session.once('close', this.#stop)
    this.#ask()
  }

  #beat(): void {
    if (!this.#waiting) return this.#ask()
    this.#stop()
    this.#lost()
  }

  #ask(): void {
    if (this.#session.destroyed) return
    this.#waiting = true
    this.#session.ping((error, duration) => {
      if (error) return
      this.#waiting = false
      this.roundTrip = duration
    })
  }
}
