import { hash } from 'node:crypto'
import { type Company, companies, type RunId } from '../../domain/index.ts'
import type { Share } from '../admission.ts'
import type { Job } from '../port.ts'

/**
 * Returns 64 bits of SHA-256, in hexadecimal. Two texts with the same hash would share a queue. That would
 * only be a little less fair.
 */
const short = (text: string): string => hash('sha256', text, 'hex').slice(0, 16)

/**
 * Returns the name of the queue for a job's organization, type and company. It has hashes, because BullMQ
 * allows no `:` in a name and a type may be long.
 */
export function queueName({ organization, type, company }: Pick<Job, 'organization' | 'type' | 'company'>): string {
  return `investigate-${shareOf({ organization, type }).lane}${company ? `-${company}` : ''}`
}

/** Returns under which names a job has its slots: hashes, as in the name of its queue. */
export function shareOf({ organization, type }: Pick<Job, 'organization' | 'type'>): Share {
  return shareOfHashes(short(type), short(organization))
}

function shareOfHashes(type: string, owner: string): Share {
  return { owner, lane: `${type}-${owner}` }
}

/** Returns the share and the company from the name of a queue. */
export function partsOf(queue: string): { readonly share: Share; readonly company: Company } {
  const [, type = '', owner = queue, last] = queue.split('-')
  return { share: shareOfHashes(type, owner), company: companies.find((company) => company === last) ?? 'any' }
}

/** Returns a run's id in a form that BullMQ accepts (no `:`). Two runs never have the same. */
export function jobId(run: RunId): string {
  return encodeURIComponent(run)
}

/** The names of one installation. Each Redis key and channel begins with the prefix. */
export interface RedisNames {
  readonly prefix: string
  /**
   * The sorted set of queues that have had jobs. The score is the time of the last job, in milliseconds since
   * the epoch.
   */
  readonly registry: string
  /** The channel on which enqueuers name the queues that have new jobs. */
  readonly wakes: string
  /** The list through which Redis passes jobs to processes that wait for one. It is empty between two commands. */
  readonly direct: string
  /** Returns the name of the list that ends the wait of one connection. @param connection the id that Redis gave it */
  endOfWait(connection: number): string
  /** The names of the connections in CLIENT LIST. */
  readonly connection: string
  readonly subscription: string
  readonly waiting: string
}

export function redisNames(prefix: string): RedisNames {
  return {
    prefix,
    registry: `${prefix}:queues`,
    wakes: `${prefix}:wakes`,
    direct: `${prefix}:direct`,
    endOfWait: (connection) => `${prefix}:direct:end:${connection}`,
    connection: `${prefix}-queue`,
    subscription: `${prefix}-wakes`,
    waiting: `${prefix}-direct`,
  }
}
