import type { WindowSizes } from './limits.ts'

/** By how much the windows of a tunnel may still grow, together. */
export class Growth {
  #left: number
  /** Windows that have grown and may be asked to make room. A window that was asked comes back when it is read. The one read longest ago is first. */
  readonly #grown = new Set<Window>()

  constructor(bytes: number) {
    this.#left = bytes
  }

  /** Takes so many bytes for a window. If there are not enough, asks others to make room. Returns whether there are enough now. */
  take(bytes: number, window: Window): boolean {
    for (const other of this.#grown) {
      if (bytes <= this.#left) break
      if (other === window) continue
      this.#grown.delete(other)
      other.makeRoom()
    }
    if (bytes > this.#left) return false
    this.#left -= bytes
    this.#grown.add(window)
    return true
  }

  /** Notes that a window that has grown was read. */
  read(window: Window): void {
    this.#grown.delete(window)
    this.#grown.add(window)
  }

  /** Takes back what a window has grown. */
  giveBack(bytes: number, window: Window): void {
    this.#grown.delete(window)
    this.#left += bytes
  }
}

/**
 * How many bytes of a stream the other end may send before this end has read some. A reader that keeps up gets a larger window, so
 * that a long way does not slow the stream down.
 */
export class Window {
  readonly #sizes: WindowSizes
  readonly #growth: Growth
  /** Asks the user of the stream to end it, if it is idle: another stream needs what this window has grown. */
  readonly makeRoom: () => void
  #size: number
  /** What the other end may still send. */
  #open: number
  /** Read, but not yet told to the other end. */
  #read = 0
  /** Read since the window has its size. */
  #sinceGrown = 0

  constructor(sizes: WindowSizes, growth: Growth, makeRoom: () => void) {
    this.#sizes = sizes
    this.#growth = growth
    this.makeRoom = makeRoom
    this.#size = sizes.first
    this.#open = sizes.first
  }

  /** Counts bytes that came. Returns whether the other end was allowed to send them. */
  came(bytes: number): boolean {
    this.#open -= bytes
    return this.#open >= 0
  }

  /** Counts bytes that were read. Returns how many more the other end may send now. Often none: small credits would cost more than they bring. */
  wereRead(bytes: number): number {
    this.#read += bytes
    this.#sinceGrown += bytes
    if (this.#size > this.#sizes.first) this.#growth.read(this)
    if (this.#read < this.#size / 2) return 0
    let credit = this.#read
    this.#read = 0
    if (this.#sinceGrown >= this.#size && 2 * this.#size <= this.#sizes.most && this.#growth.take(this.#size, this)) {
      credit += this.#size
      this.#size *= 2
      this.#sinceGrown = 0
    }
    this.#open += credit
    return credit
  }

  /** Gives back what it has grown. The stream is over. */
  close(): void {
    this.#growth.giveBack(this.#size - this.#sizes.first, this)
    this.#size = this.#sizes.first
  }
}
