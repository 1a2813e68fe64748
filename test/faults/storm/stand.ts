import { join } from 'node:path'
import { type Answer, request, type Target } from '../../../runtime/cli/client.ts'
import { caFile, openPki } from '../../simulators/pki.ts'
import { freePort } from '../../support/free-port.ts'
import { type Backends, type Installation, newInstallation } from '../../support/installation.ts'
import { type MongoProxy, startMongoProxy } from '../../support/mongo-proxy.ts'
import { type RedisProcess, startRedisProcess } from '../../support/redis-process.ts'
import type { Random } from '../../support/seeded.ts'
import { type Sources, startSources } from '../../support/sources.ts'
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'
import { until } from '../../support/until.ts'
import { wrongAtTheOtherEnd } from './checks.ts'
import { type Ledger, startLedger } from './ledger.ts'
import { createPeople, type People } from './people.ts'
import { type Lives, livesOf } from './processes.ts'
import { alertOf } from './workload.ts'

/** Alerts under way at once: enough that a fault meets runs at every step. */
const underWay = 40
const sources = 6

/** What lies behind Tocsin where it is not embedded. */
export interface Services {
  readonly mongo: MongoProxy
  readonly redis: RedisProcess
  readonly toRedis: TcpProxy
}

/** An installation with real processes, the system that it writes to, those who send alerts and those who answer: and a wire before each that can be cut. */
export interface Stand {
  readonly backends: Backends
  readonly ledger: Ledger
  readonly toLedger: TcpProxy
  readonly people: People
  readonly services: Services | null
  /** The first has the API. */
  readonly processes: readonly [Lives, ...Lives[]]
  /** What the processes logged, from `error` on. */
  readonly log: readonly string[]
  /** Sends alerts, and answers decisions, while `work` goes on; then waits until all of them have ended. Returns what is wrong, in words. */
  during(work: (flood: Sources) => Promise<void>): Promise<readonly string[]>
  close(): Promise<void>
}

export async function openStand(backends: Backends, random: Random, more: NodeJS.ProcessEnv = {}): Promise<Stand> {
  const installation = newInstallation(backends)
  const pki = join(installation.directory, 'pki')
  const ledger = await startLedger(openPki(pki), random)
  const toLedger = await startTcpProxy(() => ({ host: '127.0.0.1', port: Number(new URL(ledger.server.url).port) }))
  const services = backends === 'services' ? await openServices(installation) : null
  const log: string[] = []
  const environment = {
    ...installation.environment,
    ...(services && { MONGODB_URL: services.mongo.url, REDIS_URL: `redis://127.0.0.1:${services.toRedis.port}` }),
    TOCSIN_CA_FILE: caFile(pki),
    TOCSIN_PLUGINS: join(import.meta.dirname, 'plugins'),
    TOCSIN_PLAYBOOKS: join(import.meta.dirname, 'playbooks'),
    ...more,
  }
  const processes = livesOf(backends, environment, log)
  const people = createPeople(ledger, random)
  const target = (): Target => ({ url: processes[0].url, key: installation.adminKey })
  for (const process of processes) await process.start()
  await request(target(), 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
  await request(target(), 'POST', '/platformapi/providers', { code: 'EDR', name: 'EDR' })
  const credentials = { base_url: `https://127.0.0.1:${toLedger.port}`, api_token: 'token' }
  await request(target(), 'POST', '/platformapi/connections', { instance: 'desk', integration: 'ledger', organization_code: 'ACME', credentials })

  const open = async (): Promise<number> => {
    const page = await request(target(), 'GET', `/platformapi/alerts?status=created&status=submitted&status=inprogress&limit=${underWay}`)
    return (page['items'] as readonly Answer[]).length
  }

  return {
    backends,
    ledger,
    toLedger,
    people,
    services,
    processes,
    log,
    async during(work) {
      let enough = false
      let over = false
      const flood = startSources(
        sources,
        () => target().url,
        installation.adminKey,
        alertOf,
        () => enough,
      )
      const looking = until(async () => {
        // While things break, an answer may fail; what is open is looked at again.
        await people.answer(target()).catch(() => undefined)
        enough = await open().then(
          (count) => count >= underWay,
          () => enough,
        )
        return over
      })
      try {
        await work(flood)
      } finally {
        over = true
        await Promise.all([flood.stop(), looking])
      }
      await until(async () => {
        await people.answer(target())
        return (await open()) === 0
      })
      return wrongAtTheOtherEnd(target(), ledger, people, flood.acknowledged)
    },
    async close() {
      for (const process of processes) await process.stop()
      await ledger.server.close()
      await toLedger.close()
      await services?.mongo.close()
      await services?.toRedis.close()
      await services?.redis.stop()
      await installation.remove()
    },
  }
}

async function openServices({ environment }: Installation): Promise<Services> {
  const redis = await startRedisProcess(await freePort())
  const toRedis = await startTcpProxy(() => ({ host: '127.0.0.1', port: redis.port }))
  return { redis, toRedis, mongo: await startMongoProxy(String(environment['MONGODB_URL'])) }
}
