import type { Pace } from './port.ts'
import type { RedisPaceOptions } from './redis/index.ts'

export { LocalPace } from './local.ts'
export type * from './port.ts'

/** Loads Redis's client only when it is wanted. */
export async function openRedisPace(options: RedisPaceOptions): Promise<Pace> {
  const { openRedisPace: open } = await import('./redis/index.ts')
  return open(options)
}
