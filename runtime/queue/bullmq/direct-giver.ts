import type { Clock, Millis } from '../../domain/index.ts'
import type { Connection } from '../../redis/index.ts'
import type { Job, Sealed } from '../port.ts'
import type { Bull } from './bull.ts'
import { queueName, type RedisNames } from './names.ts'

/** The most jobs in one gift. More of them are shared better by all processes that work. */
const mostJobs = 4
/** For how long nothing is given after nobody waited for it. */
const restFor: Millis = 100
/** After this time, what a lost connection has left in the list is gone. The sweeper looks later than that. */
const leftFor: Millis = 2_000

/**
 * KEYS: the list, then the waiting jobs of each queue. ARGV: the gift, how long it may stay. Puts the gift into the
 * list, unless earlier jobs wait. Returns whether it did. Redis then passes it to the client that has waited longest.
 */
const giveScript = `
for index = 2, #KEYS do
  if redis.call('EXISTS', KEYS[index]) == 1 then return 0 end
end
redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`

/** Gives jobs to a process that waits for some. They never are in a queue. */
export class DirectGiver {
  readonly #connection: Connection
  readonly #bull: Bull
  readonly #names: RedisNames
  readonly #clock: Clock
  #restsSince: Millis | null = null

  constructor(connection: Connection, bull: Bull, names: RedisNames, clock: Clock) {
    this.#connection = connection
    this.#bull = bull
    this.#names = names
    this.#clock = clock
  }

  /**
   * Gives jobs to one process that waits, in one round trip. Two commands: the second takes back what nobody took.
   * @param sealed what to give with each job
   * @returns whether a process has them. If not, nobody has
   * @throws TocsinError `queue_unavailable`; then a process may have them
   */
  async give(jobs: readonly Job[], sealed: Sealed = () => undefined): Promise<boolean> {
    if (jobs.length > mostJobs || this.#rests() || jobs.some(({ company }) => company)) return false
    const { direct } = this.#names
    // What is undefined is left out.
    const gift = JSON.stringify(jobs.map((job) => ({ ...job, sealed: sealed(job) })))
    const [given, left] = await this.#connection.use(async (client) => {
      await this.#bull.ready()
      const lanes = [...new Set(jobs.map(queueName))].map((name) => this.#bull.queue(name).toKey('wait'))
      // Redis serves those who wait after the first command and before the second.
      return Promise.all([client.eval(giveScript, 1 + lanes.length, direct, ...lanes, gift, leftFor), client.lrem(direct, 1, gift)])
    })
    const taken = given === 1 && left === 0
    if (!taken) this.#restsSince = this.#clock.now()
    return taken
  }

  #rests(): boolean {
    if (this.#restsSince === null) return false
    const rested = this.#clock.now() - this.#restsSince
    if (rested < 0 || rested >= restFor) this.#restsSince = null
    return this.#restsSince !== null
  }
}
