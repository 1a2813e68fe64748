import type { Http2Session } from 'node:http2'
import type { Clock, Millis } from '../../domain/index.ts'
import { beat, mostControlFrames } from './limits.ts'

/**
 * Asks the peer again and again whether it is there. This also keeps proxies from closing an idle tunnel. Ends the tunnel of a peer that
 * sends frames which carry nothing at a rate that no honest peer needs: they cost more to read than to send.
 */
export class Heartbeat {
  /** The last round trip. Null: none yet. */
  roundTrip: Millis | null = null
  readonly #session: Http2Session
  readonly #lost: () => void
  readonly #stop: () => void
  #waiting = false
  #controlFrames = 0

  /** @param lost called once, when the peer has not answered for a whole beat, or has sent too many frames in one */
  constructor(session: Http2Session, clock: Pick<Clock, 'every'>, lost: () => void) {
    this.#session = session
    this.#lost = lost
    this.#stop = clock.every(beat, () => this.#beat())
    session.once('close', this.#stop)
    for (const event of ['ping', 'remoteSettings', 'goaway'] as const) session.on(event, () => this.#count())
    this.#ask()
  }

  #beat(): void {
    this.#controlFrames = 0
    if (!this.#waiting) return this.#ask()
    this.#end()
  }

  #count(): void {
    this.#controlFrames += 1
    if (this.#controlFrames === mostControlFrames) this.#end()
  }

  #end(): void {
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
