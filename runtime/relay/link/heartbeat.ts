import type { Clock, Millis } from '../../domain/index.ts'
import { beat, mostControlFrames } from './limits.ts'

/**
 * Asks the peer again and again whether it is there. This also keeps proxies from closing an idle tunnel. Ends the tunnel of a peer that
 * sends frames which carry nothing at a rate that no honest peer needs: they cost more to read than to send.
 */
export class Heartbeat {
  /** The last round trip. Null: none yet. */
  roundTrip: Millis | null = null
  readonly stop: () => void
  readonly #ask: () => void
  readonly #lost: () => void
  #askedAt = 0
  #heard = true
  #controlFrames = 0

  /**
   * @param ask sends the question
   * @param lost called once, when nothing at all has come from the peer for a whole beat, or too many frames in one
   */
  constructor(clock: Pick<Clock, 'every'>, ask: () => void, lost: () => void) {
    this.#ask = ask
    this.#lost = lost
    this.stop = clock.every(beat, () => (this.#heard ? this.#beat() : this.#end()))
    this.#beat()
  }

  /** Anything has come. On a slow way, an answer may wait behind data for longer than a beat. */
  heard(): void {
    this.#heard = true
  }

  /** The answer to the last question has come. */
  answered(): void {
    this.roundTrip = performance.now() - this.#askedAt
  }

  /** A frame that carries nothing has come. */
  counted(): void {
    this.#controlFrames += 1
    if (this.#controlFrames === mostControlFrames) this.#end()
  }

  #end(): void {
    this.stop()
    this.#lost()
  }

  #beat(): void {
    this.#heard = false
    this.#controlFrames = 0
    this.#askedAt = performance.now()
    this.#ask()
  }
}
