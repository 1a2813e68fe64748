import type { Clock, Millis } from '../../domain/index.ts'
import type { Connection } from '../../redis/index.ts'
import type { RedisNames } from './names.ts'

/** An empty queue that has had no new job for this long is forgotten. */
export const idleAfter: Millis = 10 * 60_000

/** KEYS: registry. ARGV: prefix. Returns the queues that have waiting jobs. */
const nonEmptyScript = `
local found = {}
for _, name in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  if redis.call('EXISTS', ARGV[1] .. ':' .. name .. ':wait') == 1 then found[#found + 1] = name end
end
return found`

/**
 * KEYS: registry. ARGV: prefix, a time. Forgets empty queues whose last job came before that time. Returns
 * how many. Jobs that were taken before that time and not completed belong to a dead process, so they are
 * deleted, too, in every queue.
 */
const pruneScript = `
local forgotten = 0
local before = tonumber(ARGV[2])
local names = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
for index = 1, #names, 2 do
  local name = names[index]
  local base = ARGV[1] .. ':' .. name .. ':'
  local idle = tonumber(names[index + 1]) < before and redis.call('EXISTS', base .. 'wait') == 0
  for _, id in ipairs(redis.call('LRANGE', base .. 'active', 0, -1)) do
    if idle or tonumber(redis.call('HGET', base .. id, 'processedOn') or 0) < before then
      redis.call('LREM', base .. 'active', 0, id)
      redis.call('DEL', base .. id)
    end
  end
  if idle then
    redis.call('ZREM', KEYS[1], name)
    forgotten = forgotten + 1
  end
end
return forgotten`

/** The queues that have had jobs. For consumers that missed a wake. */
export class Registry {
  readonly #connection: Connection
  readonly #names: RedisNames
  readonly #clock: Clock

  constructor(connection: Connection, names: RedisNames, clock: Clock) {
    this.#connection = connection
    this.#names = names
    this.#clock = clock
  }

  /**
   * Returns the queues that have waiting jobs, in one round trip.
   * @throws TocsinError `queue_unavailable`
   */
  async nonEmpty(): Promise<readonly string[]> {
    const { registry, prefix } = this.#names
    const found = await this.#connection.use((client) => client.eval(nonEmptyScript, 1, registry, prefix))
    return Array.isArray(found) ? found.map(String) : []
  }

  /**
   * Forgets empty queues without recent jobs, and what dead processes left. Returns how many queues.
   * @throws TocsinError `queue_unavailable`
   */
  async prune(): Promise<number> {
    const { registry, prefix } = this.#names
    const before = this.#clock.now() - idleAfter
    return Number(await this.#connection.use((client) => client.eval(pruneScript, 1, registry, prefix, before)))
  }
}
