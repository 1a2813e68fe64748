import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { request, type Target } from '../../../runtime/cli/client.ts'
import { type BrowserSimulator, startBrowserSimulator } from '../../simulators/browser/index.ts'
import { caFile, openPki } from '../../simulators/pki.ts'
import { backendsAtHand, type Installation, newInstallation, shippedPlugin } from '../../support/processes/installation.ts'
import { spawnTocsin, type TocsinProcess } from '../../support/processes/tocsin-process.ts'

const shared = backendsAtHand('the rate limit of two processes').includes('services')

describe.skipIf(!shared)('two processes of one installation', () => {
  let installation: Installation
  let simulator: BrowserSimulator
  const running: TocsinProcess[] = []
  const targets: Target[] = []

  beforeAll(async () => {
    installation = newInstallation('services')
    const pki = join(installation.directory, 'pki')
    simulator = await startBrowserSimulator({ pki: openPki(pki), key: 'canary-key-of-browser', apiPath: '/v1', accounts: 10 })
    for (let process = 0; process < 2; process += 1) {
      const tocsin = await spawnTocsin('serve', {
        ...installation.environment,
        TOCSIN_CA_FILE: caFile(pki),
        TOCSIN_PLUGINS: shippedPlugin('browser'),
        TOCSIN_PLAYBOOKS: installation.directory,
      })
      running.push(tocsin)
      targets.push({ url: tocsin.url, key: installation.adminKey })
    }
  })
  afterAll(async () => {
    for (const tocsin of running) await tocsin.stop()
    await simulator?.close()
    await installation?.remove()
  })

  test('together stay within the rate limit of a connection', async () => {
    const [one] = targets
    if (!one) throw new Error('no process')
    await request(one, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
    const credentials = { api_key: 'canary-key-of-browser', base_url: simulator.url, api_path: 'v1', company_id: 'company-1' }
    const draft = { instance: 'browser', integration: 'browser', organization_code: 'ACME', credentials }
    const { id } = await request(one, 'POST', '/platformapi/connections', draft)
    const call = (target: Target): Promise<unknown> =>
      request(target, 'POST', `/platformapi/connections/${id}/skills/list_browser_accounts`, { input: {} })
    // The system counts from the first request that arrives. One call of each process first: on a busy machine, its start takes long.
    for (const target of targets) await call(target)
    const before = simulator.exchanges.length
    const began = performance.now()
    await Promise.all(Array.from({ length: 60 }, (_, index) => call(targets[index % 2] ?? one)))
    // Ten leave at once, and fifty at ten per second: five seconds. If each process had its own limit, it would take two.
    expect(performance.now() - began).toBeGreaterThanOrEqual(4_900)
    expect(simulator.exchanges).toHaveLength(before + 60)
    // The network may deliver one request early.
    expect(simulator.exchanges.filter(({ status }) => status === 429).length).toBeLessThanOrEqual(1)
  })
})
