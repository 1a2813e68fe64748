import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Running, start } from '../../../runtime/app/start.ts'
import { type Answer, request, type Target } from '../../../runtime/cli/client.ts'
import { readConfig } from '../../../runtime/config/index.ts'
import { createLogger } from '../../../runtime/telemetry/index.ts'
import { type MailsecSimulator, startMailsecSimulator } from '../../simulators/mailsec/index.ts'
import { caFile, openPki } from '../../simulators/pki.ts'
import { backendsAtHand, type Installation, newInstallation, shippedPlugin } from '../../support/processes/installation.ts'
import { until } from '../../support/until.ts'

const token = 'token-of-mailsec'
/** The delay before an automatic retry. Even on a busy machine, a test notices the failure and repairs the simulator within this time. */
const delay = '4s'

describe.each(backendsAtHand('automatic retries'))('automatic retries, on %s', (backends) => {
  let installation: Installation
  let simulator: MailsecSimulator
  let running: Running
  let admin: Target

  const open = async (delays: string): Promise<void> => {
    const environment = {
      ...installation.environment,
      TOCSIN_CA_FILE: caFile(join(installation.directory, 'pki')),
      TOCSIN_PLUGINS: shippedPlugin('mailsec'),
      TOCSIN_PLAYBOOKS: join(installation.directory, 'playbooks'),
      TOCSIN_RETRY_DELAYS: delays,
    }
    const config = readConfig(environment, { port: '0' })
    running = await start(config, { api: true, worker: true }, createLogger({ level: config.logLevel, destination: process.stderr }))
    admin = { url: running.url, key: installation.adminKey }
  }

  beforeAll(async () => {
    installation = newInstallation(backends)
    simulator = await startMailsecSimulator({ pki: openPki(join(installation.directory, 'pki')), token, issues: 5 })
    mkdirSync(join(installation.directory, 'playbooks'))
    const shipped = join(import.meta.dirname, '../../../playbooks/phishing-reported.yaml')
    copyFileSync(shipped, join(installation.directory, 'playbooks', 'phishing-reported.yaml'))
    await open(delay)
    await request(admin, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
    await request(admin, 'POST', '/platformapi/providers', { code: 'Mailbox', name: 'Mailbox' })
    const credentials = { base_url: simulator.url, api_token: token }
    await request(admin, 'POST', '/platformapi/connections', { instance: 'mailsec', integration: 'mailsec', organization_code: 'ACME', credentials })
  })
  afterAll(async () => {
    await running?.stop()
    await simulator?.close()
    await installation?.remove()
  })

  const failed = async (): Promise<Answer> => {
    simulator.fail({ failure: 'server_error', times: 1_000 })
    const body = {
      alert_content: JSON.stringify({ title: 'While the system is down' }),
      alert_provider: 'Mailbox',
      organization_code: 'ACME',
      alert_type: 'phishing_reported',
    }
    return request(admin, 'POST', '/platformapi/alerts', body, { prefer: 'wait=200' })
  }
  const shown = (alert: Answer): Promise<Answer> => request(admin, 'GET', `/platformapi/alerts/${alert['alert_id']}`)

  test('an investigation that failed while a system was down completes once the system is back', async () => {
    const alert = await failed()
    expect(alert).toMatchObject({ investigation_status: 20, investigation_retry_count: 0 })
    simulator.faults.clear()
    const ended = await until(async () => {
      const now = await shown(alert)
      return now['investigation_status'] === 15 && now
    })
    expect(ended).toMatchObject({ investigation_retry_count: 1, runs: [{ state: 'failed', retry_at: expect.any(Number) }, { state: 'completed' }] })
    const { timeline } = await request(admin, 'GET', `/platformapi/cases/${ended['case_id']}`)
    expect((timeline as Answer[]).filter(({ kind }) => kind === 'retry')).toMatchObject([
      { text: 'Automatic retry 1 of 1 follows.', due: expect.any(Number) },
    ])
  })

  test('a process that was down when a retry was due makes it after its start', async () => {
    await running.stop()
    await open(delay)
    const alert = await failed()
    await running.stop()
    simulator.faults.clear()
    await open('none')
    await until(async () => (await shown(alert))['investigation_status'] === 15)
    expect(await shown(alert)).toMatchObject({ investigation_retry_count: 1 })
  })
})
