import { Redis } from 'ioredis'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, request } from '../../../runtime/cli/client.ts'
import { backendsAtHand, type Installation, newInstallation, shippedPlugin } from '../../support/processes/installation.ts'
import { spawnTocsin, type TocsinProcess } from '../../support/processes/tocsin-process.ts'
import { until } from '../../support/until.ts'

describe.runIf(backendsAtHand('separate processes').includes('services'))('separate API and worker processes on services', () => {
  let installation: Installation
  const running: TocsinProcess[] = []
  beforeAll(async () => {
    installation = newInstallation('services')
    // Plugins and playbooks do not matter here.
    const environment = { ...installation.environment, TOCSIN_PLUGINS: shippedPlugin('mailsec'), TOCSIN_PLAYBOOKS: installation.directory }
    running.push(await spawnTocsin('serve', environment), await spawnTocsin('worker', environment))
  })
  afterAll(async () => {
    for (const one of running) await one.stop()
    await installation?.remove()
  })

  test('both report that they are alive and ready, and the worker serves nothing else', async () => {
    const [serve, worker] = running
    const key = installation.adminKey
    for (const { url } of running) {
      expect(await request({ url, key }, 'GET', '/healthz')).toMatchObject({ status: 'ok' })
      expect(await request({ url, key }, 'GET', '/readyz')).toMatchObject({ status: 'ready' })
    }
    expect(await request({ url: serve?.url ?? '', key }, 'GET', '/platformapi/organizations')).toMatchObject({ items: [] })
    await expect(request({ url: worker?.url ?? '', key }, 'GET', '/platformapi/organizations')).rejects.toThrow(
      expect.objectContaining({ status: 404 }),
    )
  })

  test('the worker investigates an alert that the API accepted, and the waiting request gets the result', async () => {
    const target = { url: running[0]?.url ?? '', key: installation.adminKey }
    await request(target, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
    await request(target, 'POST', '/platformapi/providers', { code: 'EDR', name: 'EDR' })
    const body = { alert_content: '{"title":"x"}', alert_provider: 'EDR', organization_code: 'ACME', alert_type: 'unseen' }
    expect(await request(target, 'POST', '/platformapi/alerts', body, { prefer: 'wait=200' })).toMatchObject({ investigation_status: 15 })
  })

  test('each process has its metrics, for a key with their scope: the API accepted the alert, and the worker ran it', async () => {
    const { key } = (await request({ url: running[0]?.url ?? '', key: installation.adminKey }, 'POST', '/platformapi/keys', {
      name: 'Prometheus',
      scopes: ['metrics:read'],
    })) as { key: string }
    const [served, worked] = await Promise.all(
      running.map(async ({ url }) => (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } })).text()),
    )
    expect(served).toContain('tocsin_alerts_accepted_total 1\n')
    expect(worked).toContain('tocsin_alerts_accepted_total 0\n')
    expect(worked).toContain('tocsin_runs_ended_total{kind="investigation",state="completed",code=""} 1\n')
    expect((await fetch(`${running[1]?.url}/metrics`)).status).toBe(401)
  })

  test('who was told the end by one process finds it, with the case, in another one that has the API', async () => {
    const environment = { ...installation.environment, TOCSIN_PLUGINS: shippedPlugin('mailsec'), TOCSIN_PLAYBOOKS: installation.directory }
    const other = await spawnTocsin('serve', environment)
    try {
      const [target, another] = [running[0]?.url, other.url].map((url) => ({ url: url ?? '', key: installation.adminKey }))
      if (!target || !another) throw new Error('a process is missing')
      const body = { alert_content: '{"title":"x"}', alert_provider: 'EDR', organization_code: 'ACME', alert_type: 'unseen' }
      for (const [told, asked] of Array.from({ length: 20 }, (_, at) => (at % 2 ? ([target, another] as const) : ([another, target] as const)))) {
        const { alert_uuid: uuid } = await request(told, 'POST', '/platformapi/alerts', body, { prefer: 'wait=200' })
        expect(await request(asked, 'GET', `/platformapi/alerts/${uuid}`)).toMatchObject({ investigation_status: 15, case_id: expect.any(String) })
      }
    } finally {
      await other.stop()
    }
  })

  test('a new alert comes with its job, sealed: its worker need not read it, and Redis never sees what it says', async () => {
    const { environment, adminKey: key } = installation
    const target = { url: running[0]?.url ?? '', key }
    const monitor = new Redis(environment['REDIS_URL'] ?? '', { monitor: true })
    // If a command of another client comes together with the answer to MONITOR, ioredis reports an error, and only loses that command.
    monitor.on('error', () => {})
    await new Promise((resolve) => monitor.once('monitoring', resolve))
    const commands: string[] = []
    monitor.on('monitor', (_time: string, command: string[]) => commands.push(command.join(' ')))
    const client = await MongoClient.connect(environment['MONGODB_URL'] ?? '')
    try {
      const database = client.db()
      await database.command({ profile: 2 })
      const readsOf = async (alert: string): Promise<number> => {
        const found = await database
          .collection('system.profile')
          .find({ op: 'query', ns: `${database.databaseName}.alerts` })
          .toArray()
        return found.filter((one) => JSON.stringify(one['command']).includes(alert)).length
      }
      const body = { alert_content: '{"user":"whisper"}', alert_provider: 'EDR', organization_code: 'ACME', alert_type: 'unseen' }
      // On a busy machine a job may wait so long that its worker reads the alert.
      const read: number[] = []
      while (!read.includes(0) && read.length < 50) {
        const { alert_uuid: alert } = (await request(target, 'POST', '/platformapi/alerts', body)) as { readonly alert_uuid: string }
        const runs = database.collection<{ readonly _id: string; readonly state: string }>('runs')
        await until(async () => (await runs.findOne({ _id: `${alert}-r1` }))?.state === 'completed')
        read.push(await readsOf(alert))
      }
      expect(read.at(-1)).toBe(0)
      const gifts = commands.filter((command) => command.includes('"sealed":'))
      expect(gifts.length).toBeGreaterThan(0)
      const opened = gifts.flatMap((command) =>
        [...command.matchAll(/"sealed":"[^.]+\.([^"]+)"/g)].map(([, text]) => Buffer.from(text ?? '', 'base64url')),
      )
      expect(commands.some((command) => command.includes('whisper')) || opened.some((bytes) => bytes.includes('whisper'))).toBe(false)
    } finally {
      monitor.disconnect()
      await client.close()
    }
  })

  test('a job that a worker was given directly, and died with, is handed over again, and the alert has one run', async () => {
    const { environment, adminKey: key } = installation
    const target = { url: running[0]?.url ?? '', key }
    await running.pop()?.stop()
    const prefix = await prefixOf(environment)
    const dying = new Redis(environment['REDIS_URL'] ?? '', { connectionName: 'dying' })
    const gift = dying.blpop(`${prefix}:direct`, 0)
    // If the wait reaches Redis after the alert, nothing is given: the job goes into its queue.
    const redis = new Redis(environment['REDIS_URL'] ?? '')
    await until(async () => /name=dying .* flags=b/.test(String(await redis.client('LIST'))))
    redis.disconnect()
    const body = { alert_content: '{"title":"y"}', alert_provider: 'EDR', organization_code: 'ACME', alert_type: 'unseen' }
    const ended = request(target, 'POST', '/platformapi/alerts', body, { prefer: 'wait=200' })
    const [, jobs = ''] = (await gift) ?? []
    dying.disconnect()
    const [{ alert, sealed }] = JSON.parse(jobs) as [{ readonly alert: string; readonly sealed?: string }]
    expect(sealed).toBeDefined()
    running.push(await spawnTocsin('worker', { ...environment, TOCSIN_PLUGINS: shippedPlugin('mailsec'), TOCSIN_PLAYBOOKS: installation.directory }))
    expect(await ended).toMatchObject({ alert_uuid: alert, investigation_status: 15 })
    const { runs } = (await request(target, 'GET', `/platformapi/alerts/${alert}`)) as { readonly runs: readonly unknown[] }
    expect(runs).toHaveLength(1)
  })

  test('an end that a worker told, and died before it showed it, is shown later, and the run is not executed again', async () => {
    const { environment, adminKey: key } = installation
    const target = { url: running[0]?.url ?? '', key }
    await running.pop()?.stop()
    const own = { ...environment, TOCSIN_PLUGINS: shippedPlugin('mailsec'), TOCSIN_PLAYBOOKS: installation.directory }
    const dying = await spawnTocsin('worker', own, [], new URL('dies-after-telling.ts', import.meta.url))
    const body = { alert_content: '{"title":"z"}', alert_provider: 'EDR', organization_code: 'ACME', alert_type: 'unseen' }
    const told = await request(target, 'POST', '/platformapi/alerts', body, { prefer: 'wait=200' })
    expect(told).toMatchObject({ investigation_status: 15 })
    expect(await dying.ended()).toEqual({ code: null, signal: 'SIGKILL' })
    running.push(await spawnTocsin('worker', own))
    const now = (): Promise<Answer> => request(target, 'GET', `/platformapi/alerts/${told['alert_uuid']}`)
    const ofRun = async (): Promise<Answer> => request(target, 'GET', `/platformapi/runs/${told['alert_uuid']}-r1`)
    await until(async () => (await now())['investigation_status'] === 15 && (await ofRun())['state'] === 'completed')
    expect(await now()).toMatchObject({ completed_at: expect.any(Number), case: {}, runs: [{}] })
    const client = await MongoClient.connect(environment['MONGODB_URL'] ?? '')
    const entries = await client
      .db()
      .collection('journal')
      .countDocuments({ '_id.run': `${told['alert_uuid']}-r1` })
      .finally(() => client.close())
    expect(entries).toBe(1)
  })
})

/** Returns how the names of an installation in Redis begin. */
async function prefixOf(environment: NodeJS.ProcessEnv): Promise<string> {
  const client = await MongoClient.connect(environment['MONGODB_URL'] ?? '')
  try {
    const found = await client.db().collection<{ readonly _id: string; readonly value: string }>('settings').findOne({ _id: 'installation' })
    return `tocsin-${found?.value}`
  } finally {
    await client.close()
  }
}
