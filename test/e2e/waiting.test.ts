import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, request, type Target } from '../../runtime/cli/client.ts'
import { type Running, start } from '../../runtime/cli/start.ts'
import { readConfig } from '../../runtime/config/index.ts'
import { createLogger } from '../../runtime/telemetry/index.ts'
import { type MfaSimulator, startMfaSimulator } from '../simulators/mfa/index.ts'
import { caFile, openPki } from '../simulators/pki.ts'
import { backendsAtHand, type Installation, newInstallation } from '../support/installation.ts'
import { until } from '../support/until.ts'

const client = { orgAlias: 'acme-alias', token: 'token', key: Buffer.alloc(32, 'k').toString('base64') }
const user = 'alan.turing@acme.example'
const playbook = `
format: 1
playbook: ask-first
alert_type: ask_first
inputs: { user: { type: string, from: [content.user], required: true } }
case: { title: 'Ask: {{ inputs.user }}', severity: high, join: { key: 'ask:{{ inputs.user }}', within: 1h } }
steps:
  - id: ask
    approve: { title: 'Suspend {{ inputs.user }}?', by: [approver], expires: 4h, covers: suspend }
  - id: suspend
    skill: mfa.suspend_mfa_user
    with: { username: '{{ inputs.user }}' }
verdict: { summary: 'Approved by {{ steps.ask.output.by | join: ", " }}' }
`

describe.each(backendsAtHand('a run that waits for people'))('a run that waits for people, on %s', (backends) => {
  let installation: Installation
  let simulator: MfaSimulator
  let running: Running
  let admin: Target

  beforeAll(async () => {
    installation = newInstallation(backends)
    const folder = join(installation.directory, 'pki')
    const playbooks = join(installation.directory, 'playbooks')
    mkdirSync(playbooks)
    writeFileSync(join(playbooks, 'ask-first.yaml'), playbook)
    simulator = await startMfaSimulator({ pki: openPki(folder), ...client, strict: true })
    const config = readConfig({ ...installation.environment, TOCSIN_CA_FILE: caFile(folder), TOCSIN_PLAYBOOKS: playbooks }, { port: '0' })
    running = await start(config, { api: true, worker: true }, createLogger({ level: config.logLevel, destination: process.stderr }))
    admin = { url: running.url, key: installation.adminKey }
    await request(admin, 'POST', '/platformapi/providers', { code: 'IDP', name: 'Identity provider' })
    await request(admin, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
    const credentials = { idp_url: simulator.idpUrl, org_alias: client.orgAlias, token: client.token, use_base64_key: client.key }
    await request(admin, 'POST', '/platformapi/connections', { instance: 'mfa', integration: 'mfa', organization_code: 'ACME', credentials })
  }, 60_000)
  afterAll(async () => {
    await running?.stop()
    await simulator?.close()
    await installation?.remove()
  })

  const post = (): Promise<Answer> => {
    const body = { alert_content: JSON.stringify({ user }), alert_provider: 'IDP', organization_code: 'ACME', alert_type: 'ask_first' }
    return request(admin, 'POST', '/platformapi/alerts', body)
  }
  const open = async (): Promise<readonly Answer[]> => {
    const { items } = await request(admin, 'GET', '/platformapi/decisions?state=open')
    return items as Answer[]
  }
  const alertNow = (alert: Answer): Promise<Answer> => request(admin, 'GET', `/platformapi/alerts/${alert['alert_id']}`)

  test('is asked about over the API, answered there, and goes on', async () => {
    const alert = await post()
    await until(async () => (await open()).length === 1)
    const [decision] = await open()
    expect(decision).toMatchObject({ title: `Suspend ${user}?`, actions: [{ skill: 'mfa.suspend_mfa_user', target: user, connection: 'mfa' }] })
    await until(async () => ((await alertNow(alert))['runs'] as Answer[])[0]?.['state'] === 'waiting')
    expect(simulator.user(user)?.status).toBe('ACTIVE')

    await request(admin, 'POST', `/platformapi/decisions/${decision?.['id']}`, { verdict: 'approve', reason: 'Seen' })
    const ended = await request(admin, 'GET', `/platformapi/alerts/${alert['alert_id']}`, undefined, { prefer: 'wait=30' })
    expect(ended).toMatchObject({ investigation_status: 15 })
    expect(await request(admin, 'GET', `/platformapi/cases/${ended['case_id']}`)).toMatchObject({ summary: 'Approved by admin' })
    expect(simulator.user(user)?.status).toBe('SUSPENDED')
  }, 60_000)

  test('may be declined; an alert of the same key continued the case', async () => {
    const before = (await request(admin, 'GET', '/platformapi/cases'))['items'] as Answer[]
    const alert = await post()
    await until(async () => (await open()).length === 1)
    await request(admin, 'POST', `/platformapi/decisions/${(await open())[0]?.['id']}`, { verdict: 'decline', reason: 'Not now' })
    const ended = await request(admin, 'GET', `/platformapi/alerts/${alert['alert_id']}`, undefined, { prefer: 'wait=30' })
    expect(ended).toMatchObject({ investigation_status: 20, case_id: before[0]?.['case_id'], runs: [{ failure: { code: 'approval_declined' } }] })
    const found = await request(admin, 'GET', `/platformapi/cases/${ended['case_id']}`)
    expect(found['alerts']).toHaveLength(2)
    expect((found['timeline'] as Answer[]).map(({ kind }) => kind)).toEqual(expect.arrayContaining(['opened', 'joined', 'decision', 'failure']))
  }, 60_000)
})
