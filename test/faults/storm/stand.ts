import { join } from 'node:path'
import { type Answer, listAll, request, type Target } from '../../../runtime/cli/client.ts'
import { caFile, openPki } from '../../simulators/pki.ts'
import { throwMishaps } from '../../support/mishaps.ts'
import { type Backends, type Installation, newInstallation } from '../../support/processes/installation.ts'
import type { Random } from '../../support/seeded.ts'
import { type Sources, startSources } from '../../support/sources.ts'
import { type MongoProxy, startMongoProxy } from '../../support/stores/mongo-proxy.ts'
import { RedisServer } from '../../support/stores/redis-server.ts'
import { startTcpProxy, type TcpProxy } from '../../support/stores/tcp-proxy.ts'
import { until } from '../../support/until.ts'
import { openSite, type Site } from './agents.ts'
import { untold, wrongAtTheOtherEnd } from './checks.ts'
import { unlessAway } from './insist.ts'
import { hookPath, type Ledger, startLedger } from './ledger.ts'
import { createPeople, type People } from './people.ts'
import { type Lives, livesOf } from './processes.ts'
import { alertOf, direct, organizations, site as plant, policy } from './workload.ts'

/** How many alerts are under way at once: enough that a fault meets runs at every step. */
const underWay = 40
const sources = 6

/** The services that Tocsin uses if it does not use the embedded store. */
export interface Services {
  readonly mongo: MongoProxy
  readonly redis: RedisServer
  readonly toRedis: TcpProxy
}

/**
 * An installation with real processes, the external system, a site with remote agents, alert sources, and people
 * who answer. Each connection between them can be cut. Half of the alerts are of an organization whose external system
 * is reached through the agents only.
 */
export interface Stand {
  readonly backends: Backends
  /** The API, wherever it listens now. */
  readonly target: () => Target
  readonly ledger: Ledger
  /** Without the remote agents. */
  readonly toLedger: TcpProxy
  readonly site: Site
  readonly people: People
  readonly services: Services | null
  /** The first has the API. */
  readonly processes: readonly [Lives, ...Lives[]]
  /** Log lines of the processes at level `error` and above. */
  readonly log: readonly string[]
  /**
   * Sends alerts and answers decisions while `work` goes on. Then waits until all alerts have ended.
   * @returns the violations, in words
   */
  during(work: (flood: Sources) => Promise<void>): Promise<readonly string[]>
  close(): Promise<void>
}

/** @param toMongo whether the connection to MongoDB can be cut; then only one member is used */
export async function openStand(
  backends: Backends,
  random: Random,
  more: NodeJS.ProcessEnv = {},
  toMongo: 'by a wire' | 'directly' = 'by a wire',
): Promise<Stand> {
  const installation = newInstallation(backends)
  const pki = join(installation.directory, 'pki')
  const ledger = await startLedger(openPki(pki), random)
  const ledgerPort = Number(new URL(ledger.server.url).port)
  const toLedger = await startTcpProxy(() => ({ host: '127.0.0.1', port: ledgerPort }))
  const site = await openSite(installation.directory, ledgerPort, () => processes[0].url)
  const services = backends === 'services' ? await openServices(installation) : null
  const log: string[] = []
  const environment = {
    ...installation.environment,
    ...(services && toMongo === 'by a wire' && { MONGODB_URL: services.mongo.url }),
    ...(services && { REDIS_URL: `redis://127.0.0.1:${services.toRedis.port}` }),
    TOCSIN_CA_FILE: caFile(pki),
    // The webhook's receiver, and the external system of one organization. The other's may not be reached from here.
    TOCSIN_EGRESS_ALLOW: `127.0.0.1:${ledgerPort},127.0.0.1:${toLedger.port}`,
    TOCSIN_RETRY_DELAYS: '500ms,500ms,500ms',
    TOCSIN_PLUGINS: join(import.meta.dirname, 'plugins'),
    TOCSIN_PLAYBOOKS: join(import.meta.dirname, 'playbooks'),
    ...more,
  }
  const processes = livesOf(backends, environment, log, installation.directory)
  const people = createPeople(ledger, random)
  const target = (): Target => ({ url: processes[0].url, key: installation.adminKey })
  for (const process of processes) await process.start()
  await request(target(), 'POST', '/platformapi/providers', { code: 'EDR', name: 'EDR' })
  const events = ['decision.opened', 'run.failed', 'case.opened']
  for (const code of organizations) {
    await request(target(), 'POST', '/platformapi/organizations', { code, name: code })
    await request(target(), 'PUT', `/platformapi/organizations/${code}/policy`, { text: policy })
    await request(target(), 'POST', '/platformapi/webhooks', { url: ledger.server.url + hookPath, events, organization_code: code })
  }
  const connect = async (organization_code: string, port: number, remote_agent: string | null): Promise<void> => {
    const credentials = { base_url: `https://127.0.0.1:${port}`, api_token: 'token' }
    await request(target(), 'POST', '/platformapi/connections', {
      instance: 'desk',
      integration: 'ledger',
      organization_code,
      credentials,
      remote_agent,
    })
  }
  await connect(direct.organization, toLedger.port, null)
  await connect(plant.organization, site.toLedger.port, plant.agent)
  for (const agent of site.agents) await agent.enrol(target)

  const open = async (): Promise<readonly Answer[]> => {
    const page = await request(target(), 'GET', `/platformapi/alerts?status=created&status=submitted&status=inprogress&limit=${underWay}`)
    return page['items'] as readonly Answer[]
  }
  /** Returns whether an automatic retry of some failed alert is still to come. */
  const again = async (): Promise<boolean> => {
    for await (const { alert_uuid } of listAll(target(), '/platformapi/alerts?status=failed&limit=100')) {
      const { runs } = await request(target(), 'GET', `/platformapi/alerts/${String(alert_uuid)}`)
      if (typeof (runs as readonly Answer[]).at(-1)?.['retry_at'] === 'number') return true
    }
    return false
  }

  return {
    backends,
    target,
    ledger,
    toLedger,
    site,
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
        // An answer may fail while something is broken. Open decisions are checked again later.
        await people.answer(target()).catch(() => undefined)
        const alerts = await open().catch(() => null)
        if (alerts) {
          enough = alerts.length >= underWay
          await people.cancel(target(), alerts)
        }
        return over
      })
      // Awaited below, once the work is over.
      looking.catch(() => undefined)
      try {
        await work(flood)
      } finally {
        over = true
        await Promise.all([flood.stop(), looking])
      }
      await until(() =>
        unlessAway(async () => {
          await people.answer(target())
          return (await open()).length === 0 && !(await again()) && (await open()).length === 0
        }),
      )
      await until(() => unlessAway(async () => (await untold(target(), ledger)).length === 0))
      throwMishaps()
      return wrongAtTheOtherEnd(target(), ledger, people, flood.acknowledged)
    },
    async close() {
      for (const process of processes) await process.stop()
      await site.close()
      await ledger.close()
      await toLedger.close()
      await services?.mongo.close()
      await services?.toRedis.close()
      await services?.redis.remove()
      await installation.remove()
    },
  }
}

async function openServices({ environment }: Installation): Promise<Services> {
  const redis = await RedisServer.start()
  const toRedis = await startTcpProxy(() => ({ host: '127.0.0.1', port: redis.port }))
  return { redis, toRedis, mongo: await startMongoProxy(String(environment['MONGODB_URL'])) }
}
