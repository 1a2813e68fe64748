import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Running, start } from '../../../runtime/app/start.ts'
import { type Answer, request, type Target } from '../../../runtime/cli/client.ts'
import { readConfig } from '../../../runtime/config/index.ts'
import { createLogger } from '../../../runtime/telemetry/index.ts'
import { type MailsecSimulator, startMailsecSimulator } from '../../simulators/mailsec/index.ts'
import { caFile, openPki } from '../../simulators/pki.ts'
import { serveSimulator } from '../../simulators/server.ts'
import { decideUntilEnded } from '../../support/api/decisions.ts'
import { type Installation, newInstallation } from '../../support/processes/installation.ts'

/* Tests the shipped playbook phishing-reported with the alerts of the demo, and with unusual ones. */

const alerts = join(import.meta.dirname, '../../demo/story/alerts')
const payroll = 'User reported: Action required: confirm your payroll details'
let installation: Installation
let simulator: MailsecSimulator
let running: Running
let admin: Target

beforeAll(async () => {
  installation = newInstallation('embedded')
  const pki = join(installation.directory, 'pki')
  openPki(pki)
  const config = readConfig({ ...installation.environment, TOCSIN_CA_FILE: caFile(pki) }, { port: '0' })
  running = await start(config, { api: true, worker: true }, createLogger({ level: config.logLevel, destination: process.stderr }))
  admin = { url: running.url, key: installation.adminKey }
  await request(admin, 'POST', '/platformapi/providers', { code: 'Mailbox', name: 'Mailbox' })
})
let organizations = 0
beforeEach(async () => {
  organizations += 1
  const pki = openPki(join(installation.directory, 'pki'))
  simulator = await startMailsecSimulator({ pki, token: 'token', issues: 3 })
  await request(admin, 'POST', '/platformapi/organizations', { code: `ORG${organizations}`, name: 'Org' })
  const credentials = { base_url: simulator.url, api_token: 'token' }
  await request(admin, 'POST', '/platformapi/connections', {
    instance: 'mailsec',
    integration: 'mailsec',
    organization_code: `ORG${organizations}`,
    credentials,
  })
})
afterEach(() => simulator.close())
afterAll(async () => {
  await running?.stop()
  await installation?.remove()
})

function sample(name: string): { readonly alert_type?: string; readonly content: unknown } {
  return JSON.parse(readFileSync(join(alerts, `${name}.json`), 'utf8')) as { readonly content: unknown }
}

/** The decisions of the latest investigation. */
let asked: readonly Answer[] = []

/** Posts an alert, answers its approvals with the verdict, and returns its case. */
async function investigate(
  content: unknown,
  type = 'phishing_reported',
  organization = `ORG${organizations}`,
  verdict: 'approve' | 'decline' = 'approve',
): Promise<Answer> {
  const body = {
    alert_content: typeof content === 'string' ? content : JSON.stringify(content),
    alert_provider: 'Mailbox',
    organization_code: organization,
    alert_type: type,
  }
  const posted = await request(admin, 'POST', '/platformapi/alerts', body)
  const { alert: ended, decisions } = await decideUntilEnded(admin, posted['alert_id'], verdict)
  asked = decisions
  expect(ended).toMatchObject({ investigation_status: 15 })
  return request(admin, 'GET', `/platformapi/cases/${ended['case_id']}`)
}

const pending = { disposition: 'pending', status: 'analyst_pending' }
const contained = { severity: 'high', disposition: 'malicious', status: 'contained' }

test('with strong evidence, the issue is contained, and its earlier remediation actions stay active', async () => {
  const found = await investigate(sample('1-phishing-contained').content)
  expect(found).toMatchObject({ ...contained, title: 'Reported phishing: Action required: confirm your payroll details' })
  expect(simulator.issueNamed(payroll)).toMatchObject({ classification: 'malicious', remediationActions: ['mark_spam', 'block'], status: 'open' })
  expect(simulator.counts.writes).toBe(1)
  expect(asked).toMatchObject([
    { state: 'approved', actions: [{ skill: 'mailsec.update_mailsec_issue', input: { remediation_actions: ['block'] } }] },
  ])
  expect((found['timeline'] as Answer[]).filter(({ kind }) => kind === 'finding')).toHaveLength(4)
})

test('if the containment is declined, nothing is changed, and the case waits for an analyst', async () => {
  const found = await investigate(sample('1-phishing-contained').content, 'phishing_reported', `ORG${organizations}`, 'decline')
  expect(found).toMatchObject({ ...pending, severity: 'high', summary: expect.stringContaining('was not approved') })
  expect(simulator.counts.writes).toBe(0)
})

test('a second report of the same message changes nothing more', async () => {
  await investigate(sample('1-phishing-contained').content)
  expect(await investigate(sample('1-phishing-contained').content)).toMatchObject(contained)
  expect(simulator.counts.writes).toBe(1)
})

test('the same message from another sender is not enough evidence for a write', async () => {
  const { message } = sample('1-phishing-contained').content as { message: object }
  expect(await investigate({ message: { ...message, from: 'somebody@else.example' } })).toMatchObject(pending)
  expect(simulator.counts.writes).toBe(0)
})

test('without evidence and with a benign issue, the case is closed without a write', async () => {
  expect(await investigate(sample('2-phishing-benign').content)).toMatchObject({ disposition: 'no_threat_found', status: 'closed' })
  expect(simulator.counts.writes).toBe(0)
})

test('without a matching issue, the case waits for an analyst', async () => {
  expect(await investigate(sample('3-phishing-unknown').content)).toMatchObject(pending)
  expect(simulator.counts.writes).toBe(0)
})

test('an issue is found by its id, and a display name does not change who the sender is', async () => {
  const issue = simulator.issueNamed(payroll)
  const content = { issue_id: issue?.id, sender: 'HR <HR-payroll@acme-payroll.example>' }
  expect(await investigate(content)).toMatchObject({ ...contained, title: 'Reported phishing' })
})

test('a report in plain text is read too', async () => {
  const text = 'From: HR <hr-payroll@acme-payroll.example>\nSubject: Action required: confirm your payroll details\n\nlooks odd'
  expect(await investigate(text, ' Suspicious_Email_Reported ')).toMatchObject(contained)
})

test.each(['', '{}', '[]', 'null', 'free text', '{"subject": "{{ vars.secret }} {% raw %}"}'])(
  'with little or no content, the case waits for an analyst and the run does not fail: %j',
  async (content) => {
    expect(await investigate(content)).toMatchObject(pending)
    expect(simulator.counts.writes).toBe(0)
  },
)

test.each([null, {}])('the case waits for an analyst if records have little more than an id (null or missing fields: %j)', async (rest) => {
  const said = (...names: string[]): object => (rest === null ? Object.fromEntries(names.map((name) => [name, null])) : rest)
  const listed = (item: object): object => ({ meta: { totalCount: 1, limit: 100, hasMore: false, nextCursor: null }, items: [item] })
  const answers: Readonly<Record<string, object>> = {
    '/api/v1/issues': listed({ id: 'iss.1.a', ...said('name', 'status', 'severity', 'classification', 'remediationActions') }),
    '/api/v1/issues/iss.1.a/messages': listed({ id: 'msg.1.a', ...said('name', 'status', 'recipients', 'sender', 'subject') }),
    '/api/v1/messages/msg.1.a': { id: 'msg.1.a', ...said('authentication', 'links', 'sender', 'subject', 'attachments') },
  }
  const reply = ({ path }: { readonly path: string }): { status: number; body: string } => ({
    status: 200,
    body: JSON.stringify(answers[path] ?? null),
  })
  const plain = await serveSimulator(reply, { pki: openPki(join(installation.directory, 'pki')), port: 0, remember: 10 })
  const code = rest === null ? 'NULLS' : 'GAPS'
  await request(admin, 'POST', '/platformapi/organizations', { code, name: code })
  const credentials = { base_url: plain.url, api_token: 'token' }
  await request(admin, 'POST', '/platformapi/connections', { instance: code, integration: 'mailsec', organization_code: code, credentials })
  const found = await investigate({ issue_id: 'iss.1.a', subject: 'Odd', sender: 'a@b.example' }, 'phishing_reported', code)
  expect(found).toMatchObject(pending)
  expect(plain.exchanges.map(({ path }) => path)).toEqual(Object.keys(answers))
  await plain.close()
})
