import type { ServerResponse } from 'node:http'
import type { Clock, Millis } from '../../../domain/index.ts'
import { type Feed, type FeedPart, type FeedReader, isSeenBy } from '../../../feed/index.ts'
import type { Caller } from '../../auth/index.ts'

/** How often a stream sends a sign of life. A page that hears none for 12 seconds no longer says that it is live. */
const aliveEvery: Millis = 5_000
/** How often a stream checks its key. */
const checkEvery: Millis = 15_000
/** A client that reads nothing for this long is disconnected. */
const patience: Millis = 30_000
/** How long a client should wait before it connects again. */
const reconnectAfter: Millis = 2_000

interface Parts {
  readonly feed: Feed
  readonly clock: Clock
  readonly caller: Caller
  /** Returns the caller as it is now. Null: the key no longer works. */
  readonly verify: () => Caller | null | Promise<Caller | null>
  /** Aborts when the server closes. */
  readonly closing: AbortSignal
}

/**
 * One stream of server-sent events. It buffers nothing for a slow client: it takes from the feed only after the earlier bytes have left. If the
 * feed has forgotten changes by then, the client gets one `refresh`.
 */
export class FeedStream {
  readonly #raw: ServerResponse
  readonly #verify: Parts['verify']
  readonly #clock: Clock
  readonly #reader: FeedReader
  #caller: Caller
  /** A position that the client has not been sent yet. */
  #unsaid: string | null = null
  /** Set while the client reads nothing. It cancels the timer that disconnects the client. */
  #blocked: (() => void) | null = null
  #ended = false
  readonly #stop: (() => void)[] = []

  /** @param after the id of the last event that the client has got */
  constructor(raw: ServerResponse, after: string | null, { feed, clock, caller, verify, closing }: Parts) {
    this.#raw = raw
    this.#clock = clock
    this.#caller = caller
    this.#verify = verify
    this.#reader = feed.open(after, () => this.#pump())
    const end = (): void => this.#end()
    closing.addEventListener('abort', end)
    raw.once('close', end)
    raw.on('error', end)
    this.#stop.push(
      clock.every(checkEvery, () => void this.#check()),
      clock.every(aliveEvery, () => this.#stayAlive()),
      () => closing.removeEventListener('abort', end),
    )
    if (closing.aborted || raw.destroyed) end()
    else {
      this.#write(`retry: ${reconnectAfter}\n\n`)
      this.#pump()
    }
  }

  #pump(): void {
    while (!this.#ended && this.#blocked === null) {
      const part = this.#reader.take()
      if (part === null) return
      const { key, principal } = this.#caller
      // A revoked key gets nothing more, not even what happened before.
      if (part.changes.some(({ object, id, change }) => object === 'key' && change === 'removed' && id === key)) return this.#end()
      if (part.gap || part.changes.some(({ object, id }) => object === 'key' && id === null)) void this.#check()
      this.#say(part, principal)
    }
  }

  #say({ id, gap, changes }: FeedPart, principal: Caller['principal']): void {
    const seen = changes.filter((change) => isSeenBy(change, principal)).map(({ object, id, change }) => ({ object, id, change }))
    if (!gap && seen.length === 0) {
      this.#unsaid = id
      return
    }
    this.#unsaid = null
    const event = gap ? `event: refresh\ndata: {}` : `event: change\ndata: ${JSON.stringify({ changes: seen })}`
    this.#write(`id: ${id}\n${event}\n\n`)
  }

  #stayAlive(): void {
    if (this.#ended || this.#blocked) return
    // This is an event and not a comment, because scripts in browsers do not see comments. A client must notice when the stream falls silent.
    this.#write(`${this.#unsaid === null ? '' : `id: ${this.#unsaid}\n`}event: alive\ndata: {}\n\n`)
    this.#unsaid = null
  }

  async #check(): Promise<void> {
    try {
      const caller = await this.#verify()
      if (caller === null) this.#end()
      else this.#caller = caller
    } catch {
      // The store does not answer. The next check asks again.
    }
  }

  #write(text: string): void {
    if (this.#raw.write(text) || this.#ended) return
    const cancel = this.#clock.after(patience, () => this.#raw.destroy())
    this.#blocked = cancel
    this.#raw.once('drain', () => {
      cancel()
      this.#blocked = null
      this.#pump()
    })
  }

  #end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#blocked?.()
    for (const stop of this.#stop) stop()
    this.#reader.close()
    this.#raw.end()
  }
}
