import { hash } from 'node:crypto'
import { type Company, companies, type RunId } from '../../domain/index.ts'
import type { Job } from '../port.ts'

/**
 * 64 bits of SHA-256, hexadecimal. Two texts with the same hash would share a queue: a little less fair, and
 * nothing worse.
 */
const short = (text: string): string => hash('sha256', text, 'hex').slice(0, 16)

/** The queue of a job's (organization, type), and of its company. Hashed, because BullMQ allows no `:` in a name and a type may be long. */
export function queueName({ organization, type, company }: Pick<Job, 'organization' | 'type' | 'company'>): string {
  return `investigate-${short(type)}-${ownerOf(organization)}${company ? `-${company}` : ''}`
}

/** The form of an organization in the names of queues. */
export const ownerOf: (organization: Job['organization']) => string = short

/** Whose jobs a queue holds, and which other runs may run beside them. */
export function partsOf(queue: string): { readonly owner: string; readonly company: Company } {
  const [, , owner = queue, last] = queue.split('-')
  return { owner, company: companies.find((company) => company === last) ?? 'any' }
}

/** A run's id as BullMQ accepts it (no `:`); no two runs have the same. */
export function jobId(run: RunId): string {
  return encodeURIComponent(run)
}

/** Every Redis key and channel of one installation begins with its prefix. */
export interface RedisNames {
  readonly prefix: string
  /** Sorted set: the queues that have had jobs, by the time of their last one. */
  readonly registry: string
  /** Channel on which enqueuers name the queues that have new jobs. */
  readonly wakes: string
  /** What Redis calls our connections in CLIENT LIST. */
  readonly connection: string
  readonly subscription: string
}

export function redisNames(prefix: string): RedisNames {
  return { prefix, registry: `${prefix}:queues`, wakes: `${prefix}:wakes`, connection: `${prefix}-queue`, subscription: `${prefix}-wakes` }
}
