import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { spawnTocsin, TocsinProcess } from '../../test/support/processes/tocsin-process.ts'
import { Load } from '../load.ts'
import { connections, type Ground, type Subject, servicesWith, systemToken } from './subject.ts'

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

export const stores = ['embedded', 'services', 'apart'] as const
/** Embedded; MongoDB and Redis with all in one process; the same with `serve` and `worker` apart. */
export type Store = (typeof stores)[number]

/**
 * Starts Tocsin, with the organization, the provider and the connection that the load needs.
 * @param checkout the folder of the sources to run
 */
export async function startTocsin(store: Store, checkout: string, { system, folder }: Ground): Promise<Subject> {
  const services = store === 'embedded' ? null : servicesWith(`tocsin_bench_${randomBytes(4).toString('hex')}`)
  const key = `bench-${randomBytes(24).toString('hex')}`
  const environment: NodeJS.ProcessEnv = {
    TOCSIN_DATA: join(folder, 'data'),
    TOCSIN_ADMIN_KEY: key,
    TOCSIN_PLUGINS: pathOf('plugins'),
    TOCSIN_PLAYBOOKS: pathOf('playbooks'),
    TOCSIN_CA_FILE: system.ca,
    TOCSIN_EGRESS_ALLOW: '127.0.0.1',
    TOCSIN_LOG_LEVEL: 'warn',
    MONGODB_URL: services?.mongodb ?? '',
    REDIS_URL: services?.redis ?? '',
  }
  const started: TocsinProcess[] = []
  const stop = async (): Promise<void> => {
    for (const one of started.toReversed()) await one.stop()
  }
  try {
    // The checkout's own helper starts the checkout's own program.
    const helper = pathToFileURL(join(checkout, 'test/support/processes/tocsin-process.ts')).href
    const { spawnTocsin: spawn } = (await import(helper)) as { spawnTocsin: typeof spawnTocsin }
    for (const command of store === 'apart' ? (['serve', 'worker'] as const) : (['up'] as const)) started.push(await spawn(command, environment))
    const load = new Load(started[0]?.url ?? '', key, connections)
    await load.call('POST', '/platformapi/organizations', { code: 'BENCH', name: 'Bench' })
    await load.call('POST', '/platformapi/providers', { code: 'BENCH', name: 'Bench' })
    const credentials = { base_url: system.url, api_token: systemToken }
    await load.call('POST', '/platformapi/connections', { instance: 'bench', integration: 'bench', organization_code: 'BENCH', credentials })
    return {
      load,
      processes: started.map(({ child }) => child.pid ?? 0),
      async stop() {
        await load.close()
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}
