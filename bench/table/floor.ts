import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startRedisOnDisk } from '../floor/redis-on-disk.ts'
import { Load } from '../load.ts'
import { startChild } from './child.ts'
import { connections, type Ground, type Subject, type SystemAddress, servicesWith, systemToken } from './subject.ts'

const main = fileURLToPath(new URL('../floor/main.ts', import.meta.url))

export const floors = [1, 2, 3] as const
/** BullMQ and Redis; the same with MongoDB; SQLite alone. */
export type Floor = (typeof floors)[number]

/** Starts a floor: 1 and 2 with a Redis of their own. Floor 2 needs MONGODB_URL and REDIS_URL. */
export async function startFloor(floor: Floor, { system, folder }: Ground): Promise<Subject> {
  if (floor === 3) return started(system, { FLOOR_FILE: join(folder, 'floor.db') }, async () => {})
  const services = floor === 2 ? servicesWith(`tocsin_floor_${randomBytes(4).toString('hex')}`) : null
  const redis = await startRedisOnDisk(join(folder, 'redis'))
  try {
    return await started(system, { REDIS_URL: redis.url, ...(services && { MONGODB_URL: services.mongodb }) }, () => redis.stop())
  } catch (error) {
    await redis.stop()
    throw error
  }
}

async function started(system: SystemAddress, environment: NodeJS.ProcessEnv, stopped: () => Promise<void>): Promise<Subject> {
  const child = await startChild<{ readonly url: string }>(main, [system.url, system.ca, systemToken], environment)
  const load = new Load(child.told.url, '', connections)
  return {
    load,
    processes: [child.pid],
    async stop() {
      await load.close()
      await child.stop()
      await stopped()
    },
  }
}
