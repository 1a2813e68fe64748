import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Answer, request, type Target } from '../../runtime/cli/client.ts'
import { type Running, start } from '../../runtime/cli/start.ts'
import { readConfig } from '../../runtime/config/index.ts'
import { createLogger } from '../../runtime/telemetry/index.ts'
import { type MfaSimulator, startMfaSimulator } from '../simulators/mfa/index.ts'
import { caFile, openPki } from '../simulators/pki.ts'
import { decideUntilEnded } from '../support/decisions.ts'
import { type Installation, newInstallation } from '../support/installation.ts'

/** The shipped playbook stolen-credential-used, as it runs: two sub-playbooks, a script, an approval in one of them, a case that alerts join. */
const client = { orgAlias: 'acme-alias', token: 'token', key: Buffer.alloc(32, 'k').toString('base64') }
const alan = 'alan.turing@acme.example'
let installation: Installation
let simulator: MfaSimulator
let running: Running
let admin: Target

beforeAll(async () => {
  installation = newInstallation('embedded')
  const folder = join(installation.directory, 'pki')
  simulator = await startMfaSimulator({ pki: openPki(folder), ...client, strict: true })
  const config = readConfig({ ...installation.environment, TOCSIN_CA_FILE: caFile(folder) }, { port: '0' })
  running = await start(config, { api: true, worker: true }, createLogger({ level: config.logLevel, destination: process.stderr }))
  admin = { url: running.url, key: installation.adminKey }
  await request(admin, 'POST', '/platformapi/providers', { code: 'LEAKS', name: 'Leak monitoring' })
  await request(admin, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
  const credentials = { idp_url: simulator.idpUrl, org_alias: client.orgAlias, token: client.token, use_base64_key: client.key }
  await request(admin, 'POST', '/platformapi/connections', { instance: 'mfa', integration: 'mfa', organization_code: 'ACME', credentials })
})
beforeEach(() => simulator.reset())
afterAll(async () => {
  await running?.stop()
  await simulator?.close()
  await installation?.remove()
})

async function investigate(
  content: object,
  verdict: 'approve' | 'decline',
): Promise<{ readonly found: Answer; readonly decisions: readonly Answer[] }> {
  const body = { alert_content: JSON.stringify(content), alert_provider: 'LEAKS', organization_code: 'ACME', alert_type: 'stolen_credential_used' }
  const posted = await request(admin, 'POST', '/platformapi/alerts', body)
  const { alert, decisions } = await decideUntilEnded(admin, posted['alert_id'], verdict)
  expect(alert).toMatchObject({ investigation_status: 15 })
  return { found: await request(admin, 'GET', `/platformapi/cases/${alert['case_id']}`), decisions }
}

test('declined it changes nothing; the next alert of the same user continues the case, and is approved', async () => {
  const declined = await investigate({ user: { email: alan }, source_ip: '198.51.100.23' }, 'decline')
  expect(declined.found).toMatchObject({ title: `Stolen credential of ${alan}`, disposition: 'pending', status: 'analyst_pending' })
  expect(simulator.user(alan)?.status).toBe('ACTIVE')

  const { found, decisions } = await investigate({ email: alan, ip: '198.51.100.24' }, 'approve')
  expect(found).toMatchObject({ case_id: declined.found['case_id'], severity: 'high', disposition: 'malicious', status: 'contained' })
  expect(found['alerts']).toHaveLength(2)
  expect(decisions).toMatchObject([
    { state: 'approved', step: 'decide/contain/connected/decide/ask_suspension', actions: [{ skill: 'mfa.suspend_mfa_user', target: alan }] },
  ])
  expect(found['summary']).toContain('suspended, approved by admin')
  expect(simulator.user(alan)?.status).toBe('SUSPENDED')
})
