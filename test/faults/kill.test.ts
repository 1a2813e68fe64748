import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { request, type Target } from '../../runtime/cli/client.ts'
import { type Backends, backendsAtHand, type Installation, newInstallation, shippedPlugin } from '../support/processes/installation.ts'
import { type SimulatorProcess, spawnMailsecSimulator } from '../support/processes/simulator-process.ts'
import { spawnTocsin, type TocsinProcess } from '../support/processes/tocsin-process.ts'
import { startSources } from '../support/sources.ts'
import { until } from '../support/until.ts'
import { allEnded, violations } from './invariants.ts'

const playbooks = fileURLToPath(new URL('playbooks', import.meta.url))
const sources = 64

/** How many alerts must be acknowledged before something dies, and how many after. */
const enough: Record<Backends, number> = { embedded: 800, services: 300 }

describe.each(backendsAtHand('kill -9'))('kill -9 on %s', (backends) => {
  let installation: Installation
  let simulator: SimulatorProcess
  let environment: NodeJS.ProcessEnv
  const running: TocsinProcess[] = []

  const spawn = async (command: 'up' | 'serve' | 'worker'): Promise<TocsinProcess> => {
    const tocsin = await spawnTocsin(command, environment)
    running.push(tocsin)
    return tocsin
  }

  beforeAll(async () => {
    installation = newInstallation(backends)
    simulator = await spawnMailsecSimulator(join(installation.directory, 'pki'))
    environment = {
      ...installation.environment,
      TOCSIN_CA_FILE: simulator.ca,
      TOCSIN_PLUGINS: shippedPlugin('mailsec'),
      TOCSIN_PLAYBOOKS: playbooks,
    }
  })

  afterAll(async () => {
    for (const tocsin of running) await tocsin.stop()
    await simulator?.stop()
    await installation?.remove()
  })

  const setUp = async (target: Target): Promise<void> => {
    await request(target, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
    await request(target, 'POST', '/platformapi/providers', { code: 'EDR', name: 'EDR' })
    const credentials = { base_url: simulator.url, api_token: simulator.token }
    await request(target, 'POST', '/platformapi/connections', { instance: 'mailsec', integration: 'mailsec', organization_code: 'ACME', credentials })
  }

  const alert = (source: number, index: number): object => ({
    alert_content: JSON.stringify({ title: `Alert ${index} of ${source}`, status: index % 2 === 0 ? 'open' : 'resolved' }),
    alert_provider: 'EDR',
    organization_code: 'ACME',
    alert_type: index % 5 === 4 ? 'type_without_playbook' : 'look_up',
  })

  test('of the whole process during a flood loses no acknowledged alert, opens no case twice, and every investigation ends (complaint 1)', async () => {
    let tocsin = await spawn('up')
    const target = { url: tocsin.url, key: installation.adminKey }
    await setUp(target)
    const flood = startSources(sources, () => tocsin.url, installation.adminKey, alert)
    const count = (): number => flood.acknowledged.reduce((sum, source) => sum + source.length, 0)
    await until(async () => count() >= enough[backends])
    await tocsin.kill()
    const before = count()
    tocsin = await spawn('up')
    await until(async () => count() >= before + enough[backends])
    await flood.stop()
    const after = { url: tocsin.url, key: installation.adminKey }
    await allEnded(after)
    expect(await violations(after, flood.acknowledged)).toEqual([])
    await tocsin.stop()
  })

  test.runIf(backends === 'services')('of an API and of a worker, one after the other, while others live', async () => {
    let api = await spawn('serve')
    const workers = [await spawn('worker'), await spawn('worker')]
    const flood = startSources(sources, () => api.url, installation.adminKey, alert)
    const count = (): number => flood.acknowledged.reduce((sum, source) => sum + source.length, 0)
    await until(async () => count() >= enough.services)
    const [first] = workers
    await first?.kill()
    await api.kill()
    const before = count()
    api = await spawn('serve')
    await until(async () => count() >= before + enough.services)
    await flood.stop()
    const target = { url: api.url, key: installation.adminKey }
    await allEnded(target)
    expect(await violations(target, flood.acknowledged)).toEqual([])
  })
})
