import { join } from 'node:path'
import { setTimeout as lasting } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, request, type Target } from '../../runtime/cli/client.ts'
import { caFile, openPki } from '../simulators/pki.ts'
import { backendsAtHand, type Installation, newInstallation } from '../support/processes/installation.ts'
import { spawnTocsin, type TocsinProcess } from '../support/processes/tocsin-process.ts'
import { type MongoProxy, startMongoProxy } from '../support/stores/mongo-proxy.ts'
import { until } from '../support/until.ts'
import { type Ledger, startLedger } from './storm/ledger.ts'
import { createPeople } from './storm/people.ts'

/** In milliseconds. Longer than a session lives without a heartbeat, and shorter than the write may wait to be sent. */
const still = 18_000

describe.runIf(backendsAtHand('a worker that stands still').includes('services'))('a worker that stands still on services', () => {
  let installation: Installation
  let ledger: Ledger
  let target: Target
  let toMongo: MongoProxy
  const running: TocsinProcess[] = []

  const spawn = async (command: 'serve' | 'worker', more: NodeJS.ProcessEnv = {}): Promise<TocsinProcess> => {
    const tocsin = await spawnTocsin(command, {
      ...installation.environment,
      TOCSIN_CA_FILE: caFile(join(installation.directory, 'pki')),
      TOCSIN_PLUGINS: join(import.meta.dirname, 'storm/plugins'),
      TOCSIN_PLAYBOOKS: join(import.meta.dirname, 'storm/playbooks'),
      ...more,
    })
    running.push(tocsin)
    return tocsin
  }

  beforeAll(async () => {
    installation = newInstallation('services')
    toMongo = await startMongoProxy(String(installation.environment['MONGODB_URL']))
    ledger = await startLedger(openPki(join(installation.directory, 'pki')), () => 0)
    target = { url: (await spawn('serve')).url, key: installation.adminKey }
    await request(target, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
    await request(target, 'POST', '/platformapi/providers', { code: 'EDR', name: 'EDR' })
    const credentials = { base_url: ledger.server.url, api_token: 'token' }
    await request(target, 'POST', '/platformapi/connections', { instance: 'desk', integration: 'ledger', organization_code: 'ACME', credentials })
  })

  afterAll(async () => {
    for (const tocsin of running) await tocsin.stop()
    await ledger?.close()
    await toMongo?.close()
    await installation?.remove()
  })

  test('that stalls before it knows that its intent is stored, and continues after another process has taken over, repeats none of its writes', async () => {
    const first = await spawn('worker', { MONGODB_URL: toMongo.url })
    toMongo.withholdFrom('"kind":"intent"')
    const alert = { alert_content: '{"name":"ada"}', alert_provider: 'EDR', organization_code: 'ACME', alert_type: 'slowly' }
    const uuid = String((await request(target, 'POST', '/platformapi/alerts', alert))['alert_uuid'])
    await until(async () => {
      const { items } = await request(target, 'GET', `/platformapi/runs/${uuid}-r1/steps`).catch(() => ({ items: [] }))
      return (items as readonly Answer[]).some(({ address, attempts }) => address === 'stamp' && (attempts as readonly Answer[]).length > 0)
    })
    first.child.kill('SIGSTOP')
    toMongo.mend()
    await spawn('worker')
    const people = createPeople(ledger, () => 1)
    const over = lasting(still).then(() => true)
    await until(async () => {
      await people.answer(target)
      return people.said.size > 0 || Promise.race([over, false])
    })
    first.child.kill('SIGCONT')
    const ended = await until(async () => {
      await people.answer(target)
      const found = await request(target, 'GET', `/platformapi/alerts/${uuid}`)
      return Number(found['investigation_status']) >= 15 && found
    })
    expect(ended).toMatchObject({ investigation_status: 15 })
    expect(ledger.writes('/stamps/ada')).toBe(1)
  })
})
