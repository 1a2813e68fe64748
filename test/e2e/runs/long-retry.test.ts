import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Running, start } from '../../../runtime/app/start.ts'
import { type Answer, request, type Target } from '../../../runtime/cli/client.ts'
import { readConfig } from '../../../runtime/config/index.ts'
import { createLogger } from '../../../runtime/telemetry/index.ts'
import { type MfaSimulator, startMfaSimulator } from '../../simulators/mfa/index.ts'
import { caFile, openPki } from '../../simulators/pki.ts'
import { mfaClient, mfaCredentials } from '../../support/mfa-system.ts'
import { backendsAtHand, type Installation, newInstallation, shippedPlugin } from '../../support/processes/installation.ts'
import { until } from '../../support/until.ts'

const user = 'alan.turing@acme.example'
const playbook = `
format: 1
playbook: look
alert_type: look
inputs: { user: { type: string, from: [content.user], required: true } }
case: { title: 'Look: {{ inputs.user }}', severity: low }
steps:
  - id: account
    skill: mfa.get_mfa_user_details
    with: { username: '{{ inputs.user }}' }
verdict: { summary: 'It is {{ steps.account.output.status }}' }
`

describe.each(backendsAtHand('a call with a long Retry-After'))('a call with a long Retry-After, on %s', (backends) => {
  let installation: Installation
  let simulator: MfaSimulator
  let running: Running
  let admin: Target

  beforeAll(async () => {
    installation = newInstallation(backends)
    const [pki, playbooks] = [join(installation.directory, 'pki'), join(installation.directory, 'playbooks')]
    mkdirSync(playbooks)
    writeFileSync(join(playbooks, 'look.yaml'), playbook)
    simulator = await startMfaSimulator({ pki: openPki(pki), ...mfaClient, strict: true })
    const environment = {
      ...installation.environment,
      TOCSIN_CA_FILE: caFile(pki),
      TOCSIN_PLUGINS: shippedPlugin('mfa'),
      TOCSIN_PLAYBOOKS: playbooks,
    }
    const config = readConfig(environment, { port: '0' })
    running = await start(config, { api: true, worker: true }, createLogger({ level: config.logLevel, destination: process.stderr }))
    admin = { url: running.url, key: installation.adminKey }
    await request(admin, 'POST', '/platformapi/providers', { code: 'IDP', name: 'Identity provider' })
    await request(admin, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
    const credentials = mfaCredentials(simulator)
    await request(admin, 'POST', '/platformapi/connections', { instance: 'mfa', integration: 'mfa', organization_code: 'ACME', credentials })
  })
  afterAll(async () => {
    await running?.stop()
    await simulator?.close()
    await installation?.remove()
  })

  test('lets its run sleep in the store until that time', async () => {
    simulator.fail({ failure: 'rate_limited', retryAfter: 7 })
    const before = Date.now()
    const alert = await request(admin, 'POST', '/platformapi/alerts', {
      alert_content: JSON.stringify({ user }),
      alert_provider: 'IDP',
      organization_code: 'ACME',
      alert_type: 'look',
    })
    const path = `/platformapi/runs/${alert['alert_uuid']}-r1`
    const seen: Answer[] = []
    await until(async () => {
      const run = await request(admin, 'GET', path).catch(() => ({}) as Answer)
      seen.push(run)
      return run['state'] === 'waiting'
    })
    const { until: due } = (seen.at(-1)?.['waiting'] ?? {}) as { until?: number }
    expect((due ?? 0) - before).toBeGreaterThanOrEqual(7_000)
    await until(async () => (await request(admin, 'GET', path))['state'] === 'completed')
    expect(await request(admin, 'GET', `/platformapi/cases/${(await request(admin, 'GET', path))['case_id']}`)).toMatchObject({
      summary: 'It is ACTIVE',
    })
    expect(simulator.counts.requests).toBe(2)
  })
})
