import type { Clock, Ids, Millis } from '../domain/index.ts'
import type { Store } from '../storage/index.ts'
import type { Change } from './change.ts'
import type { FeedChannel } from './channel.ts'
import { summarised, Touched } from './collect.ts'
import { FeedLog, type Since } from './log.ts'
import { Resolver } from './resolve.ts'
import type { Touch } from './touch.ts'
import type { WriteListener } from './watch-store.ts'

/** The shortest time between two batches. Changes of the same object in between become one. */
const between: Millis = 200
/** How long the first change waits for others: a write is often followed by another one of the same object. */
const first: Millis = 20
/** How long changes are remembered after the last reader has closed. A reader that opens again by then misses nothing. */
const linger: Millis = 60_000

/** The changes that a reader has not seen yet. `gap`: some are missing, so the reader must read everything again. */
export interface FeedPart extends Since {
  /** The id of the position after this part. A later reader can begin there. */
  readonly id: string
}

export interface FeedReader {
  /** Returns the changes since the last call. Null if there are none. */
  take(): FeedPart | null
  close(): void
}

interface OpenReader {
  readonly wake: () => void
}

interface Parts {
  /** The feed looks up objects here. Must not be the watched store. */
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  /** Null if there are no other processes. */
  readonly channel: FeedChannel | null
}

/** Collects changes, and gives them to the readers of this process and, over the channel, of other processes. */
export class Feed implements WriteListener {
  readonly #clock: Clock
  readonly #channel: FeedChannel | null
  readonly #resolver: Resolver
  readonly #log: FeedLog
  readonly #readers = new Set<OpenReader>()
  readonly #touched = new Touched()
  /** Whether this process has readers, or had some a moment ago. */
  #open = false
  /** Whether the other processes send their changes. Readers get nothing before that. */
  #joined = false
  #forget: () => void = () => {}
  #last: Millis = 0
  /** Whether changes of other processes may have been lost. */
  #missed = false
  #flushing = false
  #closed = false

  constructor({ store, clock, ids, channel }: Parts) {
    this.#clock = clock
    this.#channel = channel
    this.#resolver = new Resolver(store)
    this.#log = new FeedLog(ids)
    channel?.listen({
      // The sender has collected these already.
      received: (changes) => this.#append(changes, false),
      missed: () => {
        this.#missed = true
        this.#flushSoon()
      },
    })
  }

  get watched(): boolean {
    return this.#open || this.#channel?.wanted === true
  }

  note(touches: readonly Touch[]): void {
    if (touches.length === 0) return
    this.#touched.add(touches)
    this.#flushSoon()
  }

  look(touch: Touch): Promise<Change | null> {
    return this.#resolver.changes([touch]).then(
      ([change]) => change ?? null,
      () => null,
    )
  }

  /**
   * Opens a reader.
   * @param after the id of the last part that an earlier reader took; null if there was none. If it is unknown, the first part is a gap
   * @param wake called when there may be something to take
   */
  open(after: string | null, wake: () => void): FeedReader {
    this.#forget()
    if (!this.#open) this.#begin()
    const known = after === null ? null : this.#log.positionOf(after)
    // Position -1 is before everything that is remembered.
    let position = known ?? -1
    const reader = { wake }
    this.#readers.add(reader)
    return {
      take: () => {
        if (!this.#joined || position === this.#log.end) return null
        const since = this.#log.since(position)
        position = this.#log.end
        return { ...since, id: this.#log.idOf(position) }
      },
      close: () => {
        if (this.#readers.delete(reader) && this.#readers.size === 0) this.#forget = this.#clock.after(linger, () => this.#end())
      },
    }
  }

  close(): void {
    this.#closed = true
    this.#forget()
  }

  #begin(): void {
    this.#open = true
    const ready = (): void => {
      this.#joined = true
      this.#wakeAll()
    }
    if (this.#channel) void this.#channel.join().then(ready)
    else ready()
  }

  #end(): void {
    this.#open = false
    this.#joined = false
    this.#log.clear()
    this.#channel?.leave()
  }

  #flushSoon(): void {
    if (this.#flushing || this.#closed) return
    this.#flushing = true
    const delay = Math.max(first, this.#last + between - this.#clock.now())
    this.#clock.after(Math.min(delay, between), () => void this.#flush())
  }

  async #flush(): Promise<void> {
    const { touches, more } = this.#touched.take()
    const missed = this.#missed
    this.#missed = false
    const { changes, gap } = await this.#resolved(touches, more)
    this.#last = this.#clock.now()
    this.#flushing = false
    if (this.#closed) return
    this.#append(changes, gap || missed)
    if (this.#channel?.wanted && (gap || changes.length > 0)) this.#channel.send(changes, gap)
    if (this.#touched.some || this.#missed) this.#flushSoon()
  }

  async #resolved(touches: readonly Touch[], gap: boolean): Promise<Since> {
    try {
      return { changes: summarised(await this.#resolver.changes(touches)), gap }
    } catch {
      // The store does not answer, so it is unknown whom the objects belong to.
      return { changes: [], gap: true }
    }
  }

  #append(changes: readonly Change[], gap: boolean): void {
    if (!this.#open || (!gap && changes.length === 0)) return
    this.#log.add(changes, gap)
    this.#wakeAll()
  }

  #wakeAll(): void {
    for (const { wake } of [...this.#readers]) wake()
  }
}
