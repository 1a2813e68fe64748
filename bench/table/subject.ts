import type { Load } from '../load.ts'

/** What the table measures: Tocsin in one process or two, or a floor. */
export interface Subject {
  readonly load: Load
  /** The processes whose processor time and memory are measured. The servers are not among them. */
  readonly processes: readonly number[]
  stop(): Promise<void>
}

/** The system that runs call. */
export interface SystemAddress {
  readonly url: string
  /** The file of its certificate authority. */
  readonly ca: string
}

/** What a subject is built from. */
export interface Ground {
  readonly system: SystemAddress
  /** For the data of this subject alone. */
  readonly folder: string
}

/** What the system expects in the header of each call. */
export const systemToken = 'bench'
/** Connections of the load generator. */
export const connections = 64

/**
 * Returns the MongoDB URL of the environment with a database of this name, and the Redis URL.
 * @throws if they are not set
 */
export function servicesWith(database: string): { readonly mongodb: string; readonly redis: string } {
  const { MONGODB_URL: mongodb, REDIS_URL: redis } = process.env
  if (!mongodb || !redis) throw new Error('MONGODB_URL and REDIS_URL are not set. Start a MongoDB replica set and Redis, and set both.')
  const url = new URL(mongodb)
  url.pathname = `/${database}`
  return { mongodb: url.href, redis }
}
