import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startRedisOnDisk } from '../floor/redis-on-disk.ts'
import { Load } from '../load.ts'
import { startChild } from './child.ts'
import { connections, type Ground, type Subject, servicesWith, systemToken } from './subject.ts'

const main = fileURLToPath(new URL('../floor/main.ts', import.meta.url))

export type Floor = 1 | 2

/** Starts a floor, with a Redis of its own. Floor 2 needs MONGODB_URL and REDIS_URL. */
export async function startFloor(floor: Floor, { system, folder }: Ground): Promise<Subject> {
  const services = floor === 2 ? servicesWith(`tocsin_floor_${randomBytes(4).toString('hex')}`) : null
  const redis = await startRedisOnDisk(join(folder, 'redis'))
  try {
    const environment = { REDIS_URL: redis.url, ...(services && { MONGODB_URL: services.mongodb }) }
    const child = await startChild<{ readonly url: string }>(main, [system.url, system.ca, systemToken], environment)
    const load = new Load(child.told.url, '', connections)
    return {
      load,
      processes: [child.pid],
      async stop() {
        await load.close()
        await child.stop()
        await redis.stop()
      },
    }
  } catch (error) {
    await redis.stop()
    throw error
  }
}
