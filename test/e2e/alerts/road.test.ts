import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Running, start } from '../../../runtime/app/start.ts'
import { type Answer, request, type Target } from '../../../runtime/cli/client.ts'
import { readConfig } from '../../../runtime/config/index.ts'
import { createLogger } from '../../../runtime/telemetry/index.ts'
import { type MailsecSimulator, startMailsecSimulator } from '../../simulators/mailsec/index.ts'
import { caFile, openPki } from '../../simulators/pki.ts'
import { decideUntilEnded } from '../../support/api/decisions.ts'
import { backendsAtHand, type Installation, newInstallation } from '../../support/processes/installation.ts'

/* Follows alerts as an alert source and an analyst see them: over HTTP to Tocsin, and over HTTPS to an external system. */

describe.each(backendsAtHand('the road of an alert'))('the road of an alert on %s', (backends) => {
  let installation: Installation
  let simulator: MailsecSimulator
  let running: Running
  let admin: Target

  beforeAll(async () => {
    installation = newInstallation(backends)
    const pki = join(installation.directory, 'pki')
    simulator = await startMailsecSimulator({ pki: openPki(pki), token: 'canary-token-of-mailsec', issues: 5 })
    const config = readConfig({ ...installation.environment, TOCSIN_CA_FILE: caFile(pki) }, { port: '0' })
    running = await start(config, { api: true, worker: true }, createLogger({ level: config.logLevel, destination: process.stderr }))
    admin = { url: running.url, key: installation.adminKey }
    await request(admin, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
    await request(admin, 'POST', '/platformapi/providers', { code: 'Mailbox', name: 'Mailbox' })
    const credentials = { base_url: simulator.url, api_token: 'canary-token-of-mailsec' }
    await request(admin, 'POST', '/platformapi/connections', { instance: 'mailsec', integration: 'mailsec', organization_code: 'ACME', credentials })
  })

  afterAll(async () => {
    await running?.stop()
    await simulator?.close()
    await installation?.remove()
  })

  const post = (type: string | null, content: object | string, waits = true): Promise<Answer> =>
    request(
      admin,
      'POST',
      '/platformapi/alerts',
      {
        alert_content: typeof content === 'string' ? content : JSON.stringify(content),
        alert_provider: 'Mailbox',
        organization_code: 'ACME',
        ...(type !== null && { alert_type: type }),
      },
      waits ? { prefer: 'wait=200' } : {},
    )
  const caseOf = async (alert: Answer): Promise<Answer> => {
    const shown = await request(admin, 'GET', `/platformapi/alerts/${alert['alert_id']}`)
    return request(admin, 'GET', `/platformapi/cases/${shown['case_id']}`)
  }

  test('a reported phishing mail is looked up and contained, and its case says so', async () => {
    const sample = readFileSync(new URL('../../demo/story/alerts/1-phishing-contained.json', import.meta.url), 'utf8')
    const issue = simulator.issueNamed('User reported: Action required: confirm your payroll details')
    const posted = await post('phishing_reported', JSON.parse(sample).content, false)
    const { alert, decisions } = await decideUntilEnded(admin, posted['alert_id'])
    expect(decisions).toHaveLength(1)
    expect(alert).toMatchObject({ investigation_status: 15, alert_id: expect.stringMatching(/^ACME-MAILBOX-\d+$/) })
    const found = await caseOf(alert)
    expect(found).toMatchObject({
      alerts: [{ alert_id: alert['alert_id'], alert_uuid: alert['alert_uuid'] }],
      severity: 'high',
      status: 'contained',
      disposition: 'malicious',
    })
    expect((found['timeline'] as Answer[]).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['opened', 'finding', 'action', 'verdict', 'lookups']),
    )
    expect(simulator.updatesOf(issue?.id ?? '')).toBe(1)
    expect(simulator.issue(issue?.id ?? '')).toMatchObject({ classification: 'malicious', remediationActions: ['mark_spam', 'block'] })
  })

  test('an alert type without a playbook gets one, which every later alert of the type uses', async () => {
    const content = { title: 'Odd sign-in', user: 'ada@example.com', ip: '203.0.113.9' }
    const alerts = await Promise.all(Array.from({ length: 20 }, () => post('never_seen_before', content)))
    expect(alerts.map(({ investigation_status }) => investigation_status)).toEqual(alerts.map(() => 15))
    const { items } = await request(admin, 'GET', '/platformapi/playbooks')
    expect((items as Answer[]).filter(({ alert_type }) => alert_type === 'never_seen_before')).toMatchObject([{ source: 'generated' }])
    const cases = await Promise.all(alerts.map(caseOf))
    expect(new Set(cases.map(({ case_id }) => case_id)).size).toBe(20)
  })

  test('an alert without a type is stored and not investigated', async () => {
    const alert = await post(null, 'free text')
    expect(alert).toMatchObject({ investigation_status: 0, alert_type: null })
    expect(await request(admin, 'GET', `/platformapi/alerts/${alert['alert_uuid']}`)).toMatchObject({ case_id: null, runs: [] })
  })

  test('a failed investigation says why, and a retry continues the same case', async () => {
    simulator.fail({ failure: 'server_error', times: 1_000 })
    const alert = await post('phishing_reported', { title: 'While the system is down' })
    expect(alert).toMatchObject({ investigation_status: 20 })
    const failed = await request(admin, 'GET', `/platformapi/alerts/${alert['alert_id']}`)
    expect((failed['runs'] as Answer[])[0]).toMatchObject({ attempt: 1, state: 'failed', failure: { step: expect.any(String) } })
    simulator.faults.clear()
    await request(admin, 'POST', `/platformapi/alerts/${alert['alert_id']}/retry`)
    const again = await request(admin, 'GET', `/platformapi/alerts/${alert['alert_id']}`, undefined, { prefer: 'wait=200' })
    expect(again).toMatchObject({ investigation_status: 15, investigation_retry_count: 1, case_id: failed['case_id'] })
    expect(again['runs']).toHaveLength(2)
  })

  test('the credential appears in no connection and no case that the API shows', async () => {
    const connections = await request(admin, 'GET', '/platformapi/connections')
    expect(JSON.stringify(connections)).not.toContain('canary')
    const { items } = await request(admin, 'GET', '/platformapi/cases?limit=100')
    for (const { case_id } of items as Answer[])
      expect(JSON.stringify(await request(admin, 'GET', `/platformapi/cases/${case_id}`))).not.toContain('canary')
  })
})
