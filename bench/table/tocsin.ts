import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { spawnTocsin, TocsinProcess } from '../../test/support/processes/tocsin-process.ts'
import { Load } from '../load.ts'
import { connections, type Ground, type Subject, type SystemAddress, servicesWith, systemToken } from './subject.ts'

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** The sources of this folder. */
export const workingTree = pathOf('../..')

/** Starts a process of Tocsin. */
export type Spawn = typeof spawnTocsin

/** Returns the checkout's own helper, which starts the checkout's own program. */
export async function spawnOf(checkout: string): Promise<Spawn> {
  const helper = pathToFileURL(join(checkout, 'test/support/processes/tocsin-process.ts')).href
  return ((await import(helper)) as { spawnTocsin: Spawn }).spawnTocsin
}

export const stores = ['embedded', 'services', 'apart'] as const
/** Embedded; MongoDB and Redis with all in one process; the same with `serve` and `worker` apart. */
export type Store = (typeof stores)[number]

/** Where a Tocsin has its data, and the key to its API. Started with it again, it goes on. */
export interface Installation {
  readonly store: Store
  readonly key: string
  readonly environment: NodeJS.ProcessEnv
}

/** Returns an installation without any data. */
export function newInstallation(store: Store, { system, folder }: Ground): Installation {
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
  return { store, key, environment }
}

/** A Tocsin that runs, and where its API is. */
export interface Started extends Subject {
  readonly url: string
}

/**
 * Starts the processes of an installation.
 * @param checkout the folder of the sources to run
 * @param workers how many, if they are apart from `serve`. They come after it
 */
export async function startInstalled({ store, key, environment }: Installation, checkout: string, workers = 1): Promise<Started> {
  const started: TocsinProcess[] = []
  const stop = async (): Promise<void> => {
    for (const one of started.toReversed()) await one.stop()
  }
  try {
    const spawn = await spawnOf(checkout)
    const apart = ['serve', ...Array.from({ length: workers }, () => 'worker' as const)] as const
    for (const command of store === 'apart' ? apart : (['up'] as const)) started.push(await spawn(command, environment))
  } catch (error) {
    await stop()
    throw error
  }
  const url = started[0]?.url ?? ''
  const load = new Load(url, key, connections)
  return {
    url,
    load,
    processes: started.map(({ child }) => child.pid ?? 0),
    async stop() {
      await load.close()
      await stop()
    },
  }
}

/** Creates the organization, the provider and the connection that the load needs. */
export async function setUp({ load }: Subject, system: SystemAddress): Promise<void> {
  await load.call('POST', '/platformapi/organizations', { code: 'BENCH', name: 'Bench' })
  await load.call('POST', '/platformapi/providers', { code: 'BENCH', name: 'Bench' })
  const credentials = { base_url: system.url, api_token: systemToken }
  await load.call('POST', '/platformapi/connections', { instance: 'bench', integration: 'bench', organization_code: 'BENCH', credentials })
}

/**
 * Starts a new Tocsin, with what the load needs.
 * @param checkout the folder of the sources to run
 */
export async function startTocsin(store: Store, checkout: string, ground: Ground): Promise<Subject> {
  const subject = await startInstalled(newInstallation(store, ground), checkout)
  try {
    await setUp(subject, ground.system)
    return subject
  } catch (error) {
    await subject.stop()
    throw error
  }
}
