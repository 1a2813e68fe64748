import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, request } from '../../../runtime/cli/client.ts'
import { openPki } from '../../simulators/pki.ts'
import { OnePlaybook } from '../../support/one-playbook.ts'
import { tocsin } from '../../support/processes/in-process.ts'
import { backendsAtHand, type Installation, newInstallation } from '../../support/processes/installation.ts'
import { until } from '../../support/until.ts'

const playbook = `
format: 1
playbook: rule-fired
alert_type: rule_fired
inputs:
  host: { type: string, from: [content.host], required: true }
  rule: { type: string, from: [content.rule], required: true }
  fails: { type: boolean, from: [content.fails], default: false }
duplicates: { fingerprint: '{{ inputs.host }}-{{ inputs.rule }}', within: 1h }
case: { title: '{{ inputs.rule }} on {{ inputs.host }}' }
steps:
  - id: fails
    if: { var: inputs.fails }
    then: [{ id: stop, stop: { outcome: failed, reason: As told } }]
  - id: note
    case: { note: Looked at }
`

describe.each(backendsAtHand('repeated alerts'))('repeated alerts, on %s', (backends) => {
  let installation: Installation
  let system: OnePlaybook
  beforeAll(async () => {
    installation = newInstallation(backends)
    openPki(installation.directory)
    system = await OnePlaybook.start(installation, installation.directory, 'rule_fired', playbook)
  })
  afterAll(async () => {
    await system?.stop()
    await installation?.remove()
  })

  const get = (path: string): Promise<Answer> => request(system.admin, 'GET', `/platformapi/${path}`)
  const timeline = (found: Answer, kind: string): Answer[] => (found['timeline'] as Answer[]).filter((entry) => entry['kind'] === kind)

  test('are kept, point to the first alert, and end with it; its case counts them in one line', async () => {
    const { alert: first } = await system.investigate({ host: 'a', rule: 'r' })
    expect(first).toMatchObject({ investigation_status: 15, duplicate_of: null, duplicates: 0 })
    const body = { alert_content: '{"host":"a","rule":"r","extra":1}', alert_provider: 'P', organization_code: 'ACME', alert_type: 'Rule_Fired' }
    const batch = await request(system.admin, 'POST', '/platformapi/alerts/batch', { alerts: Array.from({ length: 40 }, () => body) })
    expect(batch['results']).toHaveLength(40)
    const { alert: last } = await system.investigate({ host: 'a', rule: 'r' })
    expect(last).toMatchObject({ investigation_status: 15, duplicate_of: first['alert_id'], case_id: first['case_id'], runs: [], duplicates: 0 })
    expect(last['alert_id']).not.toBe(first['alert_id'])
    await until(async () => (await get(`alerts/${first['alert_id']}`))['duplicates'] === 41)

    const list = await get(`alerts?duplicate_of=${first['alert_id']}&limit=100`)
    expect(list['items']).toHaveLength(41)
    expect((await get(`alerts?duplicate_of=${last['alert_uuid']}`))['items']).toEqual([])
    await expect(get('alerts?duplicate_of=ACME-P-999')).rejects.toMatchObject({ problem: { code: 'alert_unknown' } })
    const found = await get(`cases/${first['case_id']}`)
    expect(timeline(found, 'repeated')).toMatchObject([{ alert_id: first['alert_id'], duplicates: 41, latest_at: last['created_at'] }])
    expect(timeline(found, 'note')).toHaveLength(1)
    expect(found['alerts']).toHaveLength(1)
    const target = ['--url', system.admin.url, '--key', installation.adminKey]
    expect((await tocsin(['case', 'show', String(first['case_id']), ...target])).out).toContain(
      `Alert ${first['alert_id']} came 41 times more, last as ${last['alert_id']}`,
    )
    const listed = await tocsin(['alert', 'list', '--duplicate-of', String(first['alert_id']), '--limit', '5', ...target])
    expect(listed.out).toContain(String(last['alert_id']))
    expect(listed.out).toContain('DUPLICATE OF')
  })

  test('with another fingerprint are investigated; a retry of a duplicate investigates it in the same case', async () => {
    const { alert: first } = await system.investigate({ host: 'b', rule: 'r' })
    const { alert: other } = await system.investigate({ host: 'b', rule: 's' })
    expect(other).toMatchObject({ duplicate_of: null })
    expect(other['case_id']).not.toBe(first['case_id'])
    const { alert: duplicate } = await system.investigate({ host: 'b', rule: 'r' })
    expect(duplicate).toMatchObject({ duplicate_of: first['alert_id'] })
    await request(system.admin, 'POST', `/platformapi/alerts/${duplicate['alert_id']}/retry`, undefined, { prefer: 'wait=200' })
    const retried = await get(`alerts/${duplicate['alert_id']}`)
    expect(retried).toMatchObject({
      duplicate_of: null,
      investigation_status: 15,
      case_id: first['case_id'],
      runs: [{ attempt: 2, state: 'completed' }],
    })
    const found = await get(`cases/${first['case_id']}`)
    expect(found['alerts']).toHaveLength(2)
    // The only duplicate was investigated, so the case counts none.
    expect(timeline(found, 'repeated')).toEqual([])
    expect(timeline(found, 'note')).toHaveLength(2)
  })

  test('are investigated if the first investigation failed, or if the fingerprint has no value', async () => {
    const { alert: failed } = await system.investigate({ host: 'c', rule: 'r', fails: true })
    expect(failed).toMatchObject({ investigation_status: 20 })
    const { alert: next } = await system.investigate({ host: 'c', rule: 'r' })
    expect(next).toMatchObject({ investigation_status: 15, duplicate_of: null })
    const { alert: third } = await system.investigate({ host: 'c', rule: 'r' })
    expect(third).toMatchObject({ duplicate_of: next['alert_id'] })
    for (let time = 0; time < 2; time += 1)
      expect((await system.investigate({ host: 'c' })).alert).toMatchObject({ investigation_status: 20, duplicate_of: null, duplicates: 0 })
  })
})
