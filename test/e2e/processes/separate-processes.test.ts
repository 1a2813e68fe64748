import { Redis } from 'ioredis'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { request } from '../../../runtime/cli/client.ts'
import { backendsAtHand, type Installation, newInstallation, shippedPlugin } from '../../support/processes/installation.ts'
import { spawnTocsin, type TocsinProcess } from '../../support/processes/tocsin-process.ts'

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

  test('a job that a worker was given directly, and died with, is handed over again, and the alert has one run', async () => {
    const { environment, adminKey: key } = installation
    const target = { url: running[0]?.url ?? '', key }
    await running.pop()?.stop()
    const prefix = await prefixOf(environment)
    const dying = new Redis(environment['REDIS_URL'] ?? '')
    const gift = dying.blpop(`${prefix}:direct`, 0)
    const body = { alert_content: '{"title":"y"}', alert_provider: 'EDR', organization_code: 'ACME', alert_type: 'unseen' }
    const ended = request(target, 'POST', '/platformapi/alerts', body, { prefer: 'wait=200' })
    const [, jobs = ''] = (await gift) ?? []
    dying.disconnect()
    const [{ alert }] = JSON.parse(jobs) as [{ readonly alert: string }]
    running.push(await spawnTocsin('worker', { ...environment, TOCSIN_PLUGINS: shippedPlugin('mailsec'), TOCSIN_PLAYBOOKS: installation.directory }))
    expect(await ended).toMatchObject({ alert_uuid: alert, investigation_status: 15 })
    const { runs } = (await request(target, 'GET', `/platformapi/alerts/${alert}`)) as { readonly runs: readonly unknown[] }
    expect(runs).toHaveLength(1)
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
