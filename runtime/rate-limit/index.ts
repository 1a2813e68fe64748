/**
 * Decides when requests of a connection may leave. Gives permits at the rate of an external system, for one
 * process or shared over Redis.
 */
import type { PermitSource } from './port.ts'
import type { RedisPermitOptions } from './redis/index.ts'

export { LocalPermitSource } from './local.ts'
export type * from './port.ts'

/** Opens permits that processes share over Redis. Loads Redis's client only when it is needed. */
export async function openRedisPermitSource(options: RedisPermitOptions): Promise<PermitSource> {
  const { openRedisPermitSource: open } = await import('./redis/index.ts')
  return open(options)
}
