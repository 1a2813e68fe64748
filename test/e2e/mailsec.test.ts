import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Answer, request, type Target } from '../../runtime/cli/client.ts'
import { type Running, start } from '../../runtime/cli/start.ts'
import { readConfig } from '../../runtime/config/index.ts'
import { createLogger } from '../../runtime/telemetry/index.ts'
import { caseIdOf, type MailsecSimulator, startMailsecSimulator } from '../simulators/mailsec/index.ts'
import { caFile, openPki } from '../simulators/pki.ts'
import { type Installation, newInstallation } from '../support/installation.ts'

/** A playbook with the connector's beta skills and those that are code, from the alert to the case, over HTTP and HTTPS. */
const playbook = `format: 1
playbook: mail-sweep
alert_type: mail_sweep
inputs:
  subject: { type: string, from: [content.subject], required: true }
  operations: { type: array, from: [content.operations], required: true }
connections:
  mail: { integration: mailsec }
case: { title: 'Sweep for {{ inputs.subject }}', severity: medium }
steps:
  - id: search
    skill: mailsec.search_mailsec_messages_and_wait
    with: { query: 'subject:{{ inputs.subject | mailsec_quote }}', wait_seconds: 30 }
  - id: issues
    skill: mailsec.get_mailsec_issues
    with: { created_before: '2026-09-01T00:05:00Z' }
  - id: cases
    skill: mailsec.get_mailsec_case_details
    with: { case_ids: "{{ steps.issues.output.issues | map: 'id' }}" }
  - id: close
    skill: mailsec.update_mailsec_case_statuses
    with: { case_ids: "{{ steps.issues.output.issues | map: 'id' }}", status: closed }
  - id: contain
    skill: mailsec.update_mailsec_issue
    with:
      issue_id: "{{ steps.cases.output.cases | map: 'issueId' | first }}"
      remediation_actions: [block]
      remediation_mode: merge
  - id: trust
    skill: mailsec.bulk_update_mailsec_trusted_entities
    with: { operations: '{{ inputs.operations }}' }
verdict:
  summary: >-
    {{ steps.search.output.total }} messages, {{ steps.cases.output.cases | size }} case,
    {{ steps.trust.output.done }} done, {{ steps.trust.output.failed }} failed, {{ steps.trust.output.not_sent }} not sent
`
const path = '/api/v1/trusted-entities/bulk'
const payroll = 'User reported: Action required: confirm your payroll details'
let installation: Installation
let simulator: MailsecSimulator
let running: Running
let admin: Target

beforeAll(async () => {
  installation = newInstallation('embedded')
  const pki = join(installation.directory, 'pki')
  const playbooks = join(installation.directory, 'playbooks')
  mkdirSync(playbooks)
  writeFileSync(join(playbooks, 'mail-sweep.yaml'), playbook)
  const searches = { pending: 0, running: 0, done: 20 }
  simulator = await startMailsecSimulator({ pki: openPki(pki), token: 'token', role: 'settings_admin', issues: 3, searches })
  const config = readConfig({ ...installation.environment, TOCSIN_CA_FILE: caFile(pki), TOCSIN_PLAYBOOKS: playbooks }, { port: '0' })
  running = await start(config, { api: true, worker: true }, createLogger({ level: config.logLevel, destination: process.stderr }))
  admin = { url: running.url, key: installation.adminKey }
  await request(admin, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
  await request(admin, 'POST', '/platformapi/providers', { code: 'Mailbox', name: 'Mailbox' })
  const credentials = { base_url: simulator.url, api_token: 'token' }
  await request(admin, 'POST', '/platformapi/connections', { instance: 'mail', integration: 'mailsec', organization_code: 'ACME', credentials })
})
beforeEach(() => simulator.faults.clear())
afterAll(async () => {
  await running?.stop()
  await simulator?.close()
  await installation?.remove()
})

const creations = (count: number, name: string): object[] =>
  Array.from({ length: count }, (_, number) => ({ operation: 'create', kind: 'domain', value: `${name}${number}.example` }))

async function sweep(operations: readonly object[]): Promise<{ readonly alert: Answer; readonly found: Answer }> {
  const body = {
    alert_content: JSON.stringify({ subject: 'confirm your payroll', operations }),
    alert_provider: 'Mailbox',
    organization_code: 'ACME',
    alert_type: 'mail_sweep',
  }
  const posted = await request(admin, 'POST', '/platformapi/alerts', body, { prefer: 'wait=30' })
  const alert = await request(admin, 'GET', `/platformapi/alerts/${posted['alert_id']}`)
  return { alert, found: await request(admin, 'GET', `/platformapi/cases/${alert['case_id']}`) }
}

test('search, cases, a merged remediation list and a bulk of several requests, one of which met a rate limit that passed', async () => {
  simulator.fail({ failure: 'slow', milliseconds: 0, method: 'POST', path })
  simulator.fail({ failure: 'rate_limited', retryAfter: 1, method: 'POST', path })
  const { alert, found } = await sweep([...creations(250, 'first'), ...creations(1, 'first')])
  expect(alert).toMatchObject({ investigation_status: 15 })
  expect(JSON.stringify(found)).toContain('3 messages, 1 case, 250 done, 1 failed, 0 not sent')
  const issue = simulator.issueNamed(payroll)
  expect(issue?.remediationActions).toEqual(['mark_spam', 'block'])
  expect(simulator.case(caseIdOf(issue?.id ?? ''))).toMatchObject({ status: 'closed' })
  const bulks = simulator.exchanges.filter((exchange) => exchange.path === path)
  expect(bulks.map(({ status }) => status)).toEqual([200, 429, 200])
})

test('a bulk whose second request is lost is put before a person, and nothing of it is sent again', async () => {
  const before = simulator.exchanges.filter((exchange) => exchange.path === path).length
  simulator.fail({ failure: 'slow', milliseconds: 0, method: 'POST', path })
  simulator.fail({ failure: 'cut_after_effect', method: 'POST', path })
  const { alert, found } = await sweep(creations(401, 'lost'))
  expect(alert).toMatchObject({ investigation_status: 20 })
  expect(JSON.stringify(found)).toContain('write_in_doubt')
  // Which of the requests it is, in a sentence that can be read; the case has the whole of what it was about.
  const { failure } = (alert['runs'] as { failure: { message: string } }[])[0] ?? { failure: { message: '' } }
  expect(failure.message).toMatch(
    /on lost0\.example,.*… \(\d+ characters more\).*request 2, POST \/trusted-entities\/bulk, after those before it were answered: /,
  )
  expect(failure.message.length).toBeLessThan(600)
  expect(JSON.stringify(found)).toContain('lost400.example')
  expect(
    simulator.exchanges
      .filter((exchange) => exchange.path === path)
      .slice(before)
      .map(({ status }) => status),
  ).toEqual([200, null])
  const trusted = simulator.trustedEntities.filter(({ value }) => value.startsWith('lost'))
  expect(trusted).toHaveLength(400)
})
