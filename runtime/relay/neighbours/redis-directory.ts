import type { Ids, Millis } from '../../domain/index.ts'
import { Connection } from '../../redis/index.ts'
import type { Directory, Notice } from './directory.ts'

/** What a process tells is forgotten after this time, unless it tells it again. So a process that died is forgotten. */
const life: Millis = 15_000

export interface RedisDirectoryOptions {
  /** `redis://` or `rediss://`, with user and password if Redis needs them. */
  readonly url: string
  /** The prefix of the keys. Each installation that shares a Redis needs its own. */
  readonly prefix: string
  readonly ids: Ids
}

/** `<prefix>:relay` is a set of processes. `<prefix>:relay:<process>` is what each tells. */
class RedisDirectory implements Directory {
  readonly #redis: Connection
  readonly #all: string
  readonly #self: string

  constructor({ url, prefix, ids }: RedisDirectoryOptions) {
    this.#all = `${prefix}:relay`
    this.#self = ids.secret(9)
    // The queue reports a lost Redis.
    this.#redis = new Connection(url, `${prefix}-relay`, () => {})
    this.#redis.client.connect().catch(() => {})
  }

  publish(notice: Notice): void {
    const text = JSON.stringify(notice)
    this.#redis
      .use((client) => client.multi().set(this.#keyOf(this.#self), text, 'PX', life).sadd(this.#all, this.#self).exec())
      // It is told again in a few seconds.
      .catch(() => {})
  }

  async others(): Promise<readonly Notice[]> {
    try {
      return await this.#redis.use(async (client) => {
        const names = (await client.smembers(this.#all)).filter((name) => name !== this.#self)
        if (names.length === 0) return []
        const told = await client.mget(names.map((name) => this.#keyOf(name)))
        const gone = names.filter((_, at) => told[at] === null)
        if (gone.length > 0) await client.srem(this.#all, gone)
        return told.flatMap((text) => (text === null || text === undefined ? [] : [JSON.parse(text) as Notice]))
      })
    } catch {
      return []
    }
  }

  async close(): Promise<void> {
    await this.#redis.use((client) => client.multi().del(this.#keyOf(this.#self)).srem(this.#all, this.#self).exec()).catch(() => {})
    this.#redis.close()
  }

  #keyOf(name: string): string {
    return `${this.#all}:${name}`
  }
}

/** Opens the directory. It connects by itself, and again after each loss. Without Redis, each process knows only its own agents. */
export function openRedisDirectory(options: RedisDirectoryOptions): Directory {
  return new RedisDirectory(options)
}
