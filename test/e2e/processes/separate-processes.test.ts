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
})
