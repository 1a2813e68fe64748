import type { Clock, Millis } from '../../domain/index.ts'
import { beat, mostControlFrames, patience } from './limits.ts'

interface HeartbeatEvents {
  /** Sends the question. */
  readonly ask: () => void
  /** Called when the peer becomes silent. It may answer again. */
  readonly silent: () => void
  /** Called once, when nothing at all has come from the peer for a whole beat, or too many frames in one. */
  readonly lost: () => void
}

/** Whether the peer answers while somebody waits for it. */
interface Check {
  heard: boolean
  /** Whether somebody has begun to wait since the check began. */
  again: boolean
  readonly cancel: () => void
}

/**
 * Asks the peer again and again whether it is there. This also keeps proxies from closing an idle tunnel. Ends the tunnel of a peer that
 * sends too many `ping` and `leave` frames: they cost more to read than to send.
 */
export class Heartbeat {
  /** The last round trip. Null: none yet. */
  roundTrip: Millis | null = null
  readonly stop: () => void
  readonly #clock: Pick<Clock, 'after' | 'every'>
  readonly #events: HeartbeatEvents
  #askedAt = 0
  #heard = true
  /** Whether a question has no answer yet. */
  #asking = false
  #silent = false
  #check: Check | null = null
  #controlFrames = 0

  constructor(clock: Pick<Clock, 'after' | 'every'>, events: HeartbeatEvents) {
    this.#clock = clock
    this.#events = events
    const stop = clock.every(beat, () => (this.#heard ? this.#beat() : this.#end()))
    this.stop = () => {
      stop()
      this.#check?.cancel()
      this.#check = null
    }
    this.#beat()
  }

  /** Whether nothing at all has come from the peer since it was checked, for `patience` and longer. */
  get silent(): boolean {
    return this.#silent
  }

  /** Anything has come. On a slow way, an answer may wait behind data for longer than a beat. */
  heard(): void {
    this.#heard = true
    this.#silent = false
    if (this.#check) this.#check.heard = true
  }

  /** The answer to the last question has come. */
  answered(): void {
    this.#asking = false
    this.roundTrip = performance.now() - this.#askedAt
  }

  /**
   * Looks whether the peer answers. Call it whenever something is sent that somebody waits for. Asks once in `patience` at most, however often
   * it is called, because the peer counts the questions.
   */
  check(): void {
    if (this.#check) {
      this.#check.again = true
      return
    }
    if (!this.#asking) this.#question()
    // A process that was busy for a while runs its timers before it reads what has come meanwhile.
    const cancel = this.#clock.after(patience, () => void setImmediate(() => this.#checked()))
    this.#check = { heard: false, again: false, cancel }
  }

  /** A `ping` or `leave` frame has come. */
  counted(): void {
    this.#controlFrames += 1
    if (this.#controlFrames === mostControlFrames) this.#end()
  }

  #checked(): void {
    const check = this.#check
    // It was stopped meanwhile.
    if (!check) return
    this.#check = null
    if (!check.heard && !this.#silent) {
      this.#silent = true
      this.#events.silent()
    }
    if (check.again) this.check()
  }

  #question(): void {
    this.#asking = true
    this.#askedAt = performance.now()
    this.#events.ask()
  }

  #end(): void {
    this.stop()
    this.#events.lost()
  }

  #beat(): void {
    this.#heard = false
    this.#controlFrames = 0
    this.#question()
  }
}
