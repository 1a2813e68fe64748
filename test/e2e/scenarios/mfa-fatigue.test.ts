import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Answer, request, type Target } from '../../../runtime/cli/client.ts'
import type { MfaSimulator } from '../../simulators/mfa/index.ts'
import { decideUntilEnded } from '../../support/api/decisions.ts'
import { type MfaSystem, startMfaSystem } from '../../support/mfa-system.ts'
import { until } from '../../support/until.ts'

/* Tests the shipped playbook mfa-fatigue, from the alert over signed calls to the case. */

const client = { orgAlias: 'acme-alias', token: 'canary-token', key: Buffer.alloc(32, 'canary').toString('base64') }
let mfa: MfaSystem
let simulator: MfaSimulator
let admin: Target

beforeAll(async () => {
  mfa = await startMfaSystem('IDP', client)
  simulator = mfa.simulator
  admin = mfa.admin
  await request(admin, 'POST', '/platformapi/organizations', { code: 'BARE', name: 'Without a connection' })
})
beforeEach(() => simulator.reset())
afterAll(() => mfa?.stop())

/** Posts an alert, answers its approvals with the verdict, and returns its case. */
async function investigate(content: unknown, organization = 'ACME', verdict: 'approve' | 'decline' = 'approve'): Promise<Answer> {
  const alert_content = JSON.stringify(content)
  const body = { alert_content, alert_provider: 'IDP', organization_code: organization, alert_type: 'mfa_fatigue' }
  const posted = await request(admin, 'POST', '/platformapi/alerts', body)
  const { alert: ended } = await decideUntilEnded(admin, posted['alert_id'], verdict)
  expect(ended).toMatchObject({ investigation_status: 15 })
  return request(admin, 'GET', `/platformapi/cases/${ended['case_id']}`)
}

const alan = 'alan.turing@acme.example'
const contained = { severity: 'high', disposition: 'malicious', status: 'contained' }
const pending = { disposition: 'pending', status: 'analyst_pending' }
const sample = JSON.parse(readFileSync(join(import.meta.dirname, '../../demo/story/alerts/4-mfa-fatigue.json'), 'utf8')) as {
  readonly content: object
}

test('after many denied pushes and an approved one, the user is suspended once, and the case contains no secret', async () => {
  const found = await investigate(sample.content)
  expect(found).toMatchObject({ ...contained, title: `MFA fatigue: ${alan}` })
  expect(simulator.user(alan)?.status).toBe('SUSPENDED')
  const writes = simulator.counts.writes
  expect(await investigate(sample.content)).toMatchObject(contained)
  expect(simulator.counts.writes).toBe(writes)
  expect(JSON.stringify(found)).not.toMatch(/canary/)
})

test('if the suspension is declined, the user stays active, and the case waits for an analyst', async () => {
  expect(await investigate(sample.content, 'ACME', 'decline')).toMatchObject({ ...pending, severity: 'high' })
  expect(simulator.user(alan)?.status).toBe('ACTIVE')
})

test('whoever closes the case with its decision keeps it closed, whatever the run does then', async () => {
  const { writes } = simulator.counts
  const body = { alert_content: JSON.stringify(sample.content), alert_provider: 'IDP', organization_code: 'ACME', alert_type: 'mfa_fatigue' }
  const { alert_id } = await request(admin, 'POST', '/platformapi/alerts', body)
  const { case_id } = await until(async () => {
    const found = await request(admin, 'GET', `/platformapi/alerts/${alert_id}`)
    return (found['open_decisions'] as readonly unknown[]).length === 1 && found
  })
  await request(admin, 'PATCH', `/platformapi/cases/${case_id}`, { status: 'closed', disposition: 'no_threat_found', open_decisions: 'decline' })
  const ended = await until(async () => {
    const found = await request(admin, 'GET', `/platformapi/alerts/${alert_id}`)
    return found['investigation_status'] === 15 && found
  })
  expect(ended).toMatchObject({ open_decisions: [] })
  expect(await request(admin, 'GET', `/platformapi/cases/${case_id}`)).toMatchObject({ status: 'closed', disposition: 'no_threat_found' })
  expect(simulator.counts.writes).toBe(writes)
})

test('the connection test asks for a user who does not exist, and reports that the heartbeat answers', async () => {
  expect(await request(admin, 'POST', `/platformapi/connections/${mfa.connection['id']}/test`)).toMatchObject({
    ok: true,
    status: 400,
    code: null,
    reachable: true,
    reachable_note: expect.stringContaining('Does not check credentials'),
  })
})

test('pushes that nobody approved are not enough evidence for a suspension', async () => {
  expect(await investigate({ ...sample.content, pushes: { denied: 13, approved: 0 } })).toMatchObject(pending)
  expect(simulator.user(alan)?.status).toBe('ACTIVE')
})

test.each([[{}], [{ user: { email: 'nobody@acme.example' } }]])(
  'the case of an alert without a known user waits for an analyst: %j',
  async (content) => {
    expect(await investigate(content)).toMatchObject(pending)
  },
)

test('without a connection to the MFA provider, the case waits for an analyst', async () => {
  expect(await investigate(sample.content, 'BARE')).toMatchObject(pending)
})

test('no secret is stored or shown, even if the provider repeats it', async () => {
  const key = Buffer.from(client.key, 'base64')
  const echo = `${client.token} ${encodeURIComponent(client.key)} ${Buffer.from(`{"token":"${client.token}"}`).toString('base64url')}`
  const body = JSON.stringify({ errorId: 10558, errorMsg: echo, uniqueMsgId: client.token })
  simulator.faults.add({ fault: { kind: 'answer', reply: { status: 400, body }, effect: 'none' }, times: 10 })
  const alert = { alert_content: JSON.stringify(sample.content), alert_provider: 'IDP', organization_code: 'ACME', alert_type: 'mfa_fatigue' }
  const posted = await request(admin, 'POST', '/platformapi/alerts', alert, { prefer: 'wait=200' })
  const ended = await request(admin, 'GET', `/platformapi/alerts/${posted['alert_id']}`)
  simulator.faults.clear()
  const found = await request(admin, 'GET', `/platformapi/cases/${ended['case_id']}`)
  const connections = await request(admin, 'GET', '/platformapi/connections')
  expect(ended).toMatchObject({ investigation_status: 20 })

  const files = readdirSync(mfa.installation.directory, { recursive: true, encoding: 'utf8' }).map((name) => join(mfa.installation.directory, name))
  const stored = files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file, 'latin1'))
  const everything = [...stored, JSON.stringify([ended, found, connections])].join('\n')
  expect(everything).toContain('[secret]')
  const within = Buffer.from(`{"token":"${client.token}"}`).toString('base64url').slice(16, 28)
  for (const form of [client.token, client.key, encodeURIComponent(client.key), key.toString('hex'), key.toString('base64url'), within])
    expect(everything.includes(form)).toBe(false)
})
