import type { Ids } from '../domain/index.ts'
import { Connection } from '../redis/index.ts'
import { RedisTopic } from './redis-topic.ts'
import type { Hints, Topic } from './topic.ts'

export interface RedisHintsOptions {
  /** `redis://` or `rediss://`, with user and password if Redis needs them. */
  readonly url: string
  /** The prefix of the channels. Each installation that shares a Redis needs its own. */
  readonly prefix: string
  readonly ids: Ids
}

/**
 * Topics over the publish and subscribe of Redis. A process subscribes to `<prefix>:<topic>` for as long as it listens. So Redis knows whether
 * anybody listens, and no other process publishes if nobody does. A process that begins to listen says so on `<prefix>:wanted`, to which every
 * process is subscribed. A process that begins to publish then says that earlier messages were missed.
 */
class RedisHints implements Hints {
  readonly #prefix: string
  readonly #wishes: string
  /** Names this process: it hears its own messages too. */
  readonly #self: string
  readonly #subscriptions: Connection
  readonly #commands: Connection
  readonly #topics = new Map<string, RedisTopic>()

  constructor({ url, prefix, ids }: RedisHintsOptions) {
    this.#prefix = prefix
    this.#wishes = `${prefix}:wanted`
    this.#self = ids.secret(9)
    // The queue reports a lost Redis.
    this.#subscriptions = new Connection(url, `${prefix}-hints`, () => {})
    this.#commands = new Connection(url, `${prefix}-hints-send`, () => {})
    this.#subscriptions.client.on('message', (channel, text) => this.#heard(channel, text))
    this.#subscriptions.client.on('ready', () => void this.#subscribe())
    this.#subscriptions.client.on('close', () => {
      for (const topic of this.#topics.values()) topic.lost()
    })
    this.#commands.client.on('ready', () => {
      for (const topic of this.#topics.values()) void topic.introduce()
    })
    for (const { client } of [this.#subscriptions, this.#commands]) client.connect().catch(() => {})
  }

  topic(name: string): Topic {
    const standing = this.#topics.get(name)
    if (standing) return standing
    const topic = new RedisTopic(`${this.#prefix}:${name}`, {
      self: this.#self,
      subscribe: (channel) => this.#subscriptions.use((client) => subscribe(client, channel)),
      announce: (channel) => this.#publish(this.#wishes, `${this.#self} ${channel}`),
      unsubscribe: (channel) => void this.#subscriptions.use((client) => client.unsubscribe(channel)).catch(() => {}),
      publish: (channel, text) => this.#publish(channel, text),
      listening: async (channel) => {
        const counted = await this.#commands.use((client) => client.pubsub('NUMSUB', channel)).catch(() => null)
        return counted === null ? null : Number(counted[1])
      },
    })
    this.#topics.set(name, topic)
    void topic.ask()
    return topic
  }

  close(): void {
    this.#subscriptions.close()
    this.#commands.close()
  }

  /** Subscribes anew, after each loss of the connection. */
  async #subscribe(): Promise<void> {
    try {
      await this.#subscriptions.client.subscribe(this.#wishes)
      for (const topic of this.#topics.values()) await topic.resume()
    } catch {
      // The connection was lost again, or its state is unknown. A new one subscribes again.
      this.#subscriptions.client.disconnect(true)
    }
  }

  #heard(channel: string, text: string): void {
    const end = text.indexOf(' ')
    const [from, rest] = [text.slice(0, end), text.slice(end + 1)]
    if (from === this.#self) return
    const name = (channel === this.#wishes ? rest : channel).slice(this.#prefix.length + 1)
    const topic = this.#topics.get(name)
    if (channel === this.#wishes) topic?.begin()
    else topic?.heard(rest)
  }

  /** Returns how many processes have got the message. Null: Redis does not answer. */
  #publish(channel: string, text: string): Promise<number | null> {
    return this.#commands.use((client) => client.publish(channel, text)).catch(() => null)
  }
}

/**
 * Subscribes if the connection is ready. While it is being made, its client still asks Redis something that is not allowed once it is subscribed,
 * and gives the connection up. Once it is ready, `resume` subscribes.
 */
async function subscribe(client: Connection['client'], channel: string): Promise<unknown> {
  if (client.status !== 'ready') throw new Error('the connection is not ready')
  return client.subscribe(channel)
}

/** Opens the hints. They connect by themselves, and again after each loss. Without Redis, nothing is heard of other processes. */
export function openRedisHints(options: RedisHintsOptions): Hints {
  return new RedisHints(options)
}
