import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { caseIdOf, type MailsecSimulator, startMailsecSimulator } from '../../simulators/mailsec/index.ts'
import { openPki } from '../../simulators/pki.ts'
import { giveUpDoubts } from '../../support/api/decisions.ts'
import { OnePlaybook } from '../../support/one-playbook.ts'
import { type Installation, newInstallation } from '../../support/processes/installation.ts'
import { until } from '../../support/until.ts'

/** A playbook with the connector's beta skills and handlers, from the alert to the case, over HTTP and HTTPS. */
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
    skill: mailsec.search_mailsec_messages
    with: { query: 'subject:{{ inputs.subject | mailsec_quote }}', wait: true, wait_seconds: 30 }
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
let tocsin: OnePlaybook

beforeAll(async () => {
  installation = newInstallation('embedded')
  const pki = join(installation.directory, 'pki')
  const searches = { pending: 0, running: 0, done: 20 }
  simulator = await startMailsecSimulator({ pki: openPki(pki), token: 'token', role: 'settings_admin', issues: 3, searches })
  tocsin = await OnePlaybook.start(installation, pki, 'mail_sweep', playbook)
  await tocsin.connect('mailsec', { base_url: simulator.url, api_token: 'token' })
})
beforeEach(() => simulator.faults.clear())
afterAll(async () => {
  await tocsin?.stop()
  await simulator?.close()
  await installation?.remove()
})

const creations = (count: number, name: string): object[] =>
  Array.from({ length: count }, (_, number) => ({ operation: 'create', kind: 'domain', value: `${name}${number}.example` }))

const sweep = (operations: readonly object[]): ReturnType<OnePlaybook['investigate']> =>
  tocsin.investigate({ subject: 'confirm your payroll', operations })

test('a run searches, closes a case, merges remediation actions, and repeats the request of a bulk call that was rate limited', async () => {
  simulator.fail({ failure: 'slow', milliseconds: 0, method: 'POST', path })
  simulator.fail({ failure: 'rate_limited', retryAfter: 1, method: 'POST', path })
  const { alert, found } = await sweep(creations(251, 'first'))
  expect(alert).toMatchObject({ investigation_status: 15 })
  expect(JSON.stringify(found)).toContain('3 messages, 1 case, 251 done, 0 failed, 0 not sent')
  const issue = simulator.issueNamed(payroll)
  expect(issue?.remediationActions).toEqual(['mark_spam', 'block'])
  expect(simulator.case(caseIdOf(issue?.id ?? ''))).toMatchObject({ status: 'closed' })
  const bulks = simulator.exchanges.filter((exchange) => exchange.path === path)
  expect(bulks.map(({ status }) => status)).toEqual([200, 429, 200])
})

test('a bulk call fails its run if one of its items already exists, and names the item', async () => {
  const { alert, found } = await sweep([...creations(1, 'second'), ...creations(1, 'first')])
  expect(alert).toMatchObject({ investigation_status: 20 })
  expect(JSON.stringify(found)).toMatch(/items_failed[\s\S]*1 of 2[\s\S]*first0\.example|first0\.example[\s\S]*items_failed/)
})

test('if the answer to the second request of a bulk call is lost, a person is asked and nothing is sent again', async () => {
  const before = simulator.exchanges.filter((exchange) => exchange.path === path).length
  simulator.fail({ failure: 'slow', milliseconds: 0, method: 'POST', path })
  simulator.fail({ failure: 'cut_after_effect', method: 'POST', path })
  const swept = sweep(creations(401, 'lost'))
  const [asked] = await until(async () => {
    const given = await giveUpDoubts(tocsin.admin)
    return given.length > 0 && given
  })
  expect(asked).toMatchObject({ step: 'trust#2', title: expect.stringContaining('POST /trusted-entities/bulk') })
  const { alert, found } = await swept
  expect(alert).toMatchObject({ investigation_status: 20 })
  expect(JSON.stringify(found)).toContain('write_in_doubt')
  // The message is short and names the request. The case has every item.
  const { failure } = (alert['runs'] as { failure: { message: string } }[])[0] ?? { failure: { message: '' } }
  expect(failure.message).toMatch(
    /on lost0\.example,.*… \(\d+ characters more\).*request 2, POST \/trusted-entities\/bulk \(earlier requests were answered\): /,
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
