import type { Ids, Millis } from '../../domain/index.ts'
import { Connection } from '../../redis/index.ts'
import type { Directory, Notice } from './directory.ts'
import { readNotice } from './notice.ts'

/** What a process tells is forgotten after this time, unless it tells it again. So a process that died is forgotten. */
const life: Millis = 15_000
/** The most processes that are asked about, and the most characters of what one tells: some 10,000 agents. */
const mostProcesses = 200
const longestNotice = 8 * 1024 * 1024

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
        const members = await client.srandmember(this.#all, mostProcesses)
        const names = members.filter((name) => name !== this.#self)
        if (names.length === 0) return []
        const asked = client.pipeline()
        for (const name of names) asked.getrange(this.#keyOf(name), 0, longestNotice)
        const told = (await asked.exec()) ?? []
        // An answer is empty if there is no such key, and an error if it is of another type.
        const texts = told.map(([error, text]) => (error === null && typeof text === 'string' ? text : ''))
        const gone = names.filter((_, at) => texts[at] === '')
        if (gone.length > 0) await client.srem(this.#all, gone)
        return texts.flatMap((text) => readNotice(text) ?? [])
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
