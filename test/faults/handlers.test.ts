import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, listAll, request, type Target } from '../../runtime/cli/client.ts'
import type { Reply } from '../simulators/faults.ts'
import { caFile, openPki } from '../simulators/pki.ts'
import { type SimulatedRequest, type SimulatorServer, serveSimulator } from '../simulators/server.ts'
import { type Backends, backendsAtHand, type Installation, newInstallation } from '../support/processes/installation.ts'
import { spawnTocsin, type TocsinProcess } from '../support/processes/tocsin-process.ts'
import { seeded } from '../support/seeded.ts'
import { until } from '../support/until.ts'
import { allEnded } from './invariants.ts'

/** Requests of one handler, and runs that are under way when the process is killed. */
const [stamps, flock] = [6, 8]
const kills: Record<Backends, number> = { embedded: 4, services: 3 }

/** The external system, in this process. It survives when the runtime is killed, and knows which requests arrived. */
class StampSystem {
  /** How often each address was written to. */
  readonly arrived = new Map<string, number>()
  /** How many requests came. */
  requests = 0
  /** Called before a request is answered. */
  onRequest: (asked: SimulatedRequest) => Reply | undefined = () => undefined

  answer(asked: SimulatedRequest): Reply {
    this.requests += 1
    const instead = this.onRequest(asked)
    if (instead) return instead
    if (asked.method === 'POST') this.arrived.set(asked.path, (this.arrived.get(asked.path) ?? 0) + 1)
    return { status: 200, body: JSON.stringify({ count: stamps, done: false }) }
  }

  of(prefix: string): readonly string[] {
    return [...this.arrived.keys()].filter((path) => path.startsWith(prefix))
  }

  get doubled(): readonly string[] {
    return [...this.arrived].filter(([, times]) => times > 1).map(([path]) => path)
  }
}

describe.each(backendsAtHand('handlers under kill -9'))('a handler on %s', (backends) => {
  const system = new StampSystem()
  let installation: Installation
  let simulator: SimulatorServer
  let tocsin: TocsinProcess
  let target: Target

  const spawn = async (): Promise<void> => {
    const folder = join(installation.directory, 'pki')
    tocsin = await spawnTocsin('up', {
      ...installation.environment,
      TOCSIN_CA_FILE: caFile(folder),
      TOCSIN_PLUGINS: join(import.meta.dirname, 'plugins'),
      TOCSIN_PLAYBOOKS: join(import.meta.dirname, 'handler-playbooks'),
    })
    target = { url: tocsin.url, key: installation.adminKey }
  }

  /** Kills the process when the nth request from now on arrives, before it is answered. */
  const endAt = (number: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<unknown> => {
    const gone = tocsin.ended()
    const at = system.requests + number
    system.onRequest = () => {
      if (system.requests === at) tocsin.child.kill(signal)
      return undefined
    }
    return gone
  }

  const post = async (type: string, name: string, more: object = {}): Promise<string> => {
    const alert = { alert_content: JSON.stringify({ name, ...more }), alert_provider: 'P', organization_code: 'ACME', alert_type: type }
    return String((await request(target, 'POST', '/platformapi/alerts', alert))['alert_uuid'])
  }

  const outcome = async (uuid: string): Promise<Answer> => request(target, 'GET', `/platformapi/alerts/${uuid}`, undefined, { prefer: 'wait=200' })

  beforeAll(async () => {
    installation = newInstallation(backends)
    simulator = await serveSimulator((asked) => system.answer(asked), {
      pki: openPki(join(installation.directory, 'pki')),
      port: 0,
      remember: 0,
    })
    await spawn()
    await request(target, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
    await request(target, 'POST', '/platformapi/providers', { code: 'P', name: 'P' })
    const credentials = { base_url: simulator.url, api_token: 'token' }
    await request(target, 'POST', '/platformapi/connections', { instance: 'desk', integration: 'stamps', organization_code: 'ACME', credentials })
  })

  afterAll(async () => {
    await tocsin?.stop()
    await simulator?.close()
    await installation?.remove()
  })

  test('that is killed with its process sends nothing twice, and people are asked about every request under way', async () => {
    const random = seeded(7)
    const names = new Map<string, string>()
    // Alerts that were not acknowledged do not count. Nothing was promised for them.
    const postFlock = (round: string): Promise<unknown> =>
      Promise.allSettled(
        Array.from({ length: flock }, async (_, at) => {
          const name = `${round}-${at}`
          names.set(await post('stamps', name), name)
        }),
      )
    for (let kill = 0; kill < kills[backends]; kill += 1) {
      const gone = endAt(1 + random(flock * stamps * 2), 'SIGKILL')
      await postFlock(`k${kill}`)
      await gone
      system.onRequest = () => undefined
      await spawn()
    }
    // Runs that are not killed end beside those that another process takes over.
    await postFlock('last')
    await allEnded(target)
    expect(system.doubled).toEqual([])
    expect(names.size).toBeGreaterThan(flock)
    const ends = { completed: 0, doubtful: 0 }
    for await (const { alert_uuid } of listAll(target, '/platformapi/alerts?limit=100')) {
      const name = names.get(String(alert_uuid))
      if (name === undefined) continue
      const ended = await outcome(String(alert_uuid))
      if (ended['investigation_status'] === 15) {
        ends.completed += 1
        expect(system.of(`/stamps/${name}-`)).toHaveLength(2 * stamps)
      } else {
        ends.doubtful += 1
        const message = expect.stringMatching(new RegExp(`POST /stamps/${name}-[ab]/\\d`))
        expect(ended).toMatchObject({ investigation_status: 20, runs: [{ failure: { code: 'write_in_doubt', message } }] })
      }
    }
    expect(ends.completed).toBeGreaterThan(0)
    expect(ends.doubtful).toBeGreaterThan(0)
  }, 600_000)

  test('that reads and is killed while it sleeps does not start its job again', async () => {
    let looks = 0
    system.onRequest = ({ method }) => {
      if (method !== 'GET') return undefined
      looks += 1
      return { status: 200, body: JSON.stringify({ done: looks > 3 }) }
    }
    const uuid = await post('searching', 'job')
    await until(async () => looks > 1)
    await tocsin.kill()
    await spawn()
    expect(await outcome(uuid)).toMatchObject({ investigation_status: 15 })
    expect(system.arrived.get('/jobs/job')).toBe(1)
    system.onRequest = () => undefined
  })

  test('under way at SIGTERM finishes first', async () => {
    const gone = endAt(4, 'SIGTERM')
    const uuid = await post('resting', 'graceful', { rest: 0 })
    await gone
    system.onRequest = () => undefined
    expect(system.of('/stamps/graceful/')).toHaveLength(stamps)
    await spawn()
    expect(await outcome(uuid)).toMatchObject({ investigation_status: 15 })
    expect(system.doubled).toEqual([])
  })

  test('that waits longer than a process takes to stop continues in the next process', async () => {
    const gone = endAt(2, 'SIGTERM')
    const uuid = await post('resting', 'handed-over', { rest: 14_000 })
    await gone
    system.onRequest = () => undefined
    expect(system.of('/stamps/handed-over/')).toEqual(['/stamps/handed-over/0'])
    await spawn()
    expect(await outcome(uuid)).toMatchObject({ investigation_status: 15 })
    expect(system.of('/stamps/handed-over/')).toHaveLength(stamps)
    expect(system.doubled).toEqual([])
  })

  test("keeps to its step's time-out, retry and on_error", async () => {
    let refused = 0
    system.onRequest = ({ path }) => {
      if (path !== '/stamps/t-again/2' || refused >= 2) return undefined
      refused += 1
      return { status: 429, body: '{}' }
    }
    const ended = await outcome(await post('tolerant', 't'))
    expect(ended).toMatchObject({ investigation_status: 15 })
    expect(system.of('/stamps/t-late/')).toEqual(['/stamps/t-late/0'])
    expect(system.of('/stamps/t-again/')).toHaveLength(stamps)
    expect(refused).toBe(2)
    expect(system.doubled).toEqual([])
    const shown = JSON.stringify(await request(target, 'GET', `/platformapi/cases/${String(ended['case_id'])}`))
    expect(shown).toContain('handler_timeout')
    expect(shown).toContain('1 of its requests had changed something')
  })
})
