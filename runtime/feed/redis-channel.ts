import type { Ids } from '../domain/index.ts'
import { Connection } from '../redis/index.ts'
import type { Change } from './change.ts'
import type { ChannelListener, FeedChannel } from './channel.ts'
import { readMessage, writeMessage } from './message.ts'

export interface RedisFeedOptions {
  /** `redis://` or `rediss://`, with user and password if Redis needs them. */
  readonly url: string
  /** The prefix of the channels. Each installation that shares a Redis needs its own. */
  readonly prefix: string
  readonly ids: Ids
}

/**
 * A channel over the publish and subscribe of Redis. A process with readers subscribes to `<prefix>:feed` for as long as it has some. So Redis
 * knows whether anybody listens, and no other process publishes if nobody does. A process that begins to listen says so on
 * `<prefix>:feed-wanted`, to which every process is subscribed. A process that begins to publish then says that it missed earlier changes.
 */
class RedisFeedChannel implements FeedChannel {
  readonly #hints: string
  readonly #wishes: string
  /** Names this process: it hears its own messages too. */
  readonly #self: string
  readonly #subscriptions: Connection
  readonly #commands: Connection
  #listener: ChannelListener | null = null
  #joined = false
  wanted = false

  constructor({ url, prefix, ids }: RedisFeedOptions) {
    this.#hints = `${prefix}:feed`
    this.#wishes = `${prefix}:feed-wanted`
    this.#self = ids.secret(9)
    // The queue reports a lost Redis.
    this.#subscriptions = new Connection(url, `${prefix}-feed`, () => {})
    this.#commands = new Connection(url, `${prefix}-feed-send`, () => {})
    this.#subscriptions.client.on('message', (channel, text) => this.#heard(channel, text))
    this.#subscriptions.client.on('ready', () => void this.#subscribe())
    this.#commands.client.on('ready', () => void this.#ask())
  }

  /** Begins to connect, and does not wait for it. */
  listen(listener: ChannelListener): void {
    this.#listener = listener
    for (const { client } of [this.#subscriptions, this.#commands]) client.connect().catch(() => {})
  }

  async join(): Promise<void> {
    this.#joined = true
    await this.#subscribeToHints().catch(() => {})
  }

  leave(): void {
    this.#joined = false
    this.#subscriptions.use((client) => client.unsubscribe(this.#hints)).catch(() => {})
  }

  send(changes: readonly Change[], missed: boolean): void {
    void this.#publish(this.#hints, writeMessage({ from: this.#self, changes, missed })).then((listening) => {
      if (listening === null) this.wanted = false
      else this.wanted = this.#others(listening)
    })
  }

  close(): void {
    this.#subscriptions.close()
    this.#commands.close()
  }

  /** Subscribes anew, after each loss of the connection. */
  async #subscribe(): Promise<void> {
    try {
      await this.#subscriptions.client.subscribe(this.#wishes)
      if (this.#joined) {
        await this.#subscribeToHints()
        this.#listener?.missed()
      }
      await this.#ask()
    } catch {
      // The connection was lost again, or its state is unknown. A new one subscribes again.
      this.#subscriptions.client.disconnect(true)
    }
  }

  async #subscribeToHints(): Promise<void> {
    await this.#subscriptions.use((client) => client.subscribe(this.#hints))
    await this.#publish(this.#wishes, this.#self)
  }

  /** Asks Redis whether another process listens. */
  async #ask(): Promise<void> {
    const counted = await this.#commands.use((client) => client.pubsub('NUMSUB', this.#hints)).catch(() => null)
    if (counted !== null && this.#others(Number(counted[1]))) this.#begin()
  }

  #others(listening: number): boolean {
    return listening > (this.#joined ? 1 : 0)
  }

  /** Begins to publish. What changed here before was not published. */
  #begin(): void {
    if (this.wanted) return
    this.wanted = true
    this.send([], true)
  }

  #heard(channel: string, text: string): void {
    if (channel === this.#wishes) {
      if (text !== this.#self) this.#begin()
      return
    }
    const message = readMessage(text)
    if (message?.from === this.#self || !this.#joined) return
    if (message === null || message.missed) this.#listener?.missed()
    else this.#listener?.received(message.changes)
  }

  /** Returns how many processes have got the message. Null: Redis does not answer. */
  #publish(channel: string, text: string): Promise<number | null> {
    return this.#commands.use((client) => client.publish(channel, text)).catch(() => null)
  }
}

/** Opens the channel. It connects by itself, and again after each loss. Without Redis, each process tells only of its own changes. */
export function openRedisFeedChannel(options: RedisFeedOptions): FeedChannel {
  return new RedisFeedChannel(options)
}
