/**
 * Hints between the processes of an installation, over Redis. They tell another process at once what it would find in the store a little
 * later. The store stays the record: a hint may be lost, and everybody who listens also looks (decision 63).
 */
import type { RedisHintsOptions } from './redis-hints.ts'
import type { Hints } from './topic.ts'

export { NamedHints } from './named-hints.ts'
export { type Hints, noOtherProcesses, type Topic } from './topic.ts'

/** Opens the hints on Redis. Loads Redis only when it is needed. */
export async function openRedisHints(options: RedisHintsOptions): Promise<Hints> {
  const { openRedisHints: open } = await import('./redis-hints.ts')
  return open(options)
}
