import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Alert, asId, type Run, systemScope } from '../../../runtime/domain/index.ts'
import {
  claimOf,
  endOf,
  insertOne,
  mustClaim,
  newAlert,
  newTenant,
  noon,
  openSession,
  organizationOf,
  type Tenant,
} from '../../conformance/storage/fixtures.ts'
import { clientOf } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'

let api: ApiServer
let admin: ReturnType<typeof clientOf>
const tenant = newTenant()
const other = newTenant()
const digest = asId<never>(`sha256:${'e'.repeat(64)}`)
const large = 'x'.repeat(70_000)
let first: { readonly alert: Alert; readonly run: Run }
let second: { readonly alert: Alert; readonly run: Run }

async function runOf(of: Tenant, at: number, type: string): Promise<{ alert: Alert; run: Run }> {
  const alert = await insertOne(api.store, newAlert(of, { type, content: '{"user":"ada"}' }))
  const claim = claimOf(alert, await openSession(api.store), 1, at)
  const { run } = await mustClaim(api.store, { ...claim, pins: { ...claim.pins, playbook: { name: type, digest } } })
  return { alert, run }
}

beforeAll(async () => {
  api = await startApi()
  admin = clientOf(api.app, api.admin)
  for (const one of [tenant, other]) await api.store.organizations.create(systemScope, organizationOf(one))
  await api.store.artifacts.put(systemScope, [{ digest, kind: 'playbook', name: 'looked', text: 'the text', organization: null, createdAt: noon }])
  first = await runOf(tenant, noon + 1, 'looked')
  second = await runOf(tenant, noon + 2, 'another')
  await runOf(other, noon + 3, 'looked')
  const { id } = first.run
  await api.store.journal.putOutput(systemScope, id, 'large', JSON.stringify({ text: large }))
  const records = [
    { kind: 'decided', address: 'look?if', value: true },
    {
      kind: 'done',
      address: 'look',
      digest: 'd1',
      output: { value: { status: 'ACTIVE' } },
      warnings: ['status must be integer, and is a text'],
      at: noon + 2,
    },
    { kind: 'done', address: 'rows', digest: 'd2', output: { stored: 'large' }, at: noon + 3 },
    { kind: 'intent', address: 'suspend', try: 1, digest: 'd3', connection: 'c', revision: 1, sendBy: noon + 9, at: noon + 4 },
    {
      kind: 'failed',
      address: 'suspend',
      digest: 'd3',
      effect: 'refused',
      failure: { code: 'nope', message: 'No', remedy: null, step: 'suspend' },
      at: noon + 5,
    },
    { kind: 'intent', address: 'bulk#1', try: 1, digest: 'd4', connection: 'c', revision: 1, sendBy: noon + 9, at: noon + 6 },
  ] as const
  await api.store.journal.append(systemScope, id, { position: 1, epoch: 1, format: 1, records })
  await api.store.runs.end(
    systemScope,
    endOf(id, 1, 2, { state: 'failed', reason: 'why', failure: { code: 'nope', message: 'No', remedy: null, step: 'suspend' } }),
  )
})
afterAll(() => api.close())

const ids = (body: unknown): unknown[] => (body as { items: { run_id: string }[] }).items.map(({ run_id }) => run_id)

test('runs are listed newest first, filtered, and in pages', async () => {
  const all = await admin('GET', `/platformapi/runs?organization=${tenant.code}`)
  expect(ids(all.body)).toEqual([second.run.id, first.run.id])
  expect((all.body as { items: object[] }).items[1]).toEqual({
    run_id: first.run.id,
    alert_id: first.alert.alertId,
    alert_name: first.alert.name,
    attempt: 1,
    state: 'failed',
    reason: 'why',
    error: { code: 'nope', message: 'No', step: 'suspend' },
    started_at: noon + 1,
    ended_at: noon + 99,
    case_id: `${tenant.code}-1`,
    deaths: { in_a_row: 0, total: 0 },
    alert_uuid: first.alert.uuid,
    alert_type: 'looked',
    organization_code: tenant.code,
    playbook: 'looked',
    playbook_digest: digest,
    case_merged_into: null,
    undoes: null,
  })
  expect(ids((await admin('GET', `/platformapi/runs?organization=${tenant.code}&playbook=looked`)).body)).toEqual([first.run.id])
  expect(ids((await admin('GET', `/platformapi/runs?organization=${tenant.code}&alert_type=ANOTHER`)).body)).toEqual([second.run.id])
  expect(ids((await admin('GET', `/platformapi/runs?organization=${tenant.code}&since=${noon + 2}`)).body)).toEqual([second.run.id])
  const page = await admin('GET', `/platformapi/runs?organization=${tenant.code}&limit=1`)
  const cursor = encodeURIComponent(String((page.body as { next_cursor: string }).next_cursor))
  expect(ids((await admin('GET', `/platformapi/runs?organization=${tenant.code}&limit=1&cursor=${cursor}`)).body)).toEqual([first.run.id])
})

describe('the steps of a run', () => {
  const path = (rest: string): string => `/platformapi/runs/${first.run.id}/${rest}`

  // The playbook of this run cannot be read, so the steps come from the journal alone.
  test('are listed from the journal, with a note that says why details are missing', async () => {
    const { status, body } = await admin('GET', path('steps'))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      next_cursor: null,
      total: 4,
      states: { done: 2, failed: 1, in_doubt: 1 },
      inputs: null,
      note: expect.stringContaining('there is none'),
    })
    const unknown = { kind: 'unknown', skill: null, connection: null, line: null, playbook: null, input: null, why: [], decisions: [] }
    expect(body.items).toMatchObject([
      {
        ...unknown,
        address: 'look',
        state: 'done',
        output: { value: { status: 'ACTIVE' } },
        warnings: ['status must be integer, and is a text'],
        began_at: noon + 2,
        ended_at: noon + 2,
        tries: 1,
        error: null,
      },
      { ...unknown, address: 'rows', state: 'done', output: { beginning: '', href: path('step/value?address=rows&part=output') } },
      { ...unknown, address: 'suspend', state: 'failed', began_at: noon + 4, ended_at: noon + 5, error: { code: 'nope', message: 'No' } },
      { ...unknown, address: 'bulk', state: 'in_doubt', began_at: noon + 6, ended_at: null, attempts: [{ number: 1, at: noon + 6, effect: null }] },
    ])
  })

  test('come in pages, and can be filtered by state', async () => {
    const page = await admin('GET', path('steps?limit=2&state=done&state=failed'))
    expect(page.body.items.map(({ address }: { address: string }) => address)).toEqual(['look', 'rows'])
    expect(page.body).toMatchObject({ total: 3, states: { done: 2, failed: 1, in_doubt: 1 } })
    const cursor = encodeURIComponent(page.body.next_cursor)
    const next = await admin('GET', path(`steps?limit=2&state=done&state=failed&cursor=${cursor}`))
    expect(next.body).toMatchObject({ items: [{ address: 'suspend' }], next_cursor: null })
    expect(await admin('GET', path(`steps?cursor=${cursor}`))).toMatchObject({ status: 400, body: { code: 'cursor_invalid' } })
    expect(await admin('GET', path('steps?within=nowhere'))).toMatchObject({ status: 404, body: { code: 'step_unknown' } })
    expect((await admin('GET', path('steps?state=odd'))).status).toBe(400)
  })

  test('can be read one by one, and their values in full', async () => {
    expect((await admin('GET', path('step?address=look'))).body).toMatchObject({ address: 'look', output: { value: { status: 'ACTIVE' } } })
    expect((await admin('GET', path('step/value?address=rows&part=output'))).body).toEqual({ text: large })
    for (const missing of ['step?address=gone', 'step/value?address=rows&part=input', 'step/value?address=bulk&part=output'])
      expect(await admin('GET', path(missing))).toMatchObject({ status: 404, body: { code: 'step_unknown' } })
    expect((await admin('GET', path('step?address='))).status).toBe(400)
  })
})

test('a recording has the alert, the pinned playbook and every answer, even large ones in full', async () => {
  const { body } = await admin('GET', `/platformapi/runs/${first.run.id}/recording`)
  expect(body).toMatchObject({
    run_id: first.run.id,
    state: 'failed',
    alert: { alert_content: '{"user":"ada"}', alert_id: first.alert.alertId, organization_code: tenant.code, investigation_retry_count: 0 },
    playbook: { name: 'looked', digest, text: 'the text' },
    connections: { mail: 'prod' },
    answers: [
      { step: 'look', kind: 'output', output: { status: 'ACTIVE' } },
      { step: 'rows', kind: 'output', output: { text: large } },
      { step: 'suspend', kind: 'failed', code: 'nope', message: 'No', effect: 'refused' },
      { step: 'bulk', kind: 'sent' },
    ],
    decisions: [],
  })
})

test('a run outside the organizations of the key is unknown, and reading needs runs:read', async () => {
  const stranger = clientOf(api.app, await api.addKey(['runs:read'], [other.id]))
  const steps = ['/steps', '/step?address=look', '/step/value?address=look&part=output']
  for (const path of ['', '/recording', ...steps])
    expect(await stranger('GET', `/platformapi/runs/${first.run.id}${path}`)).toMatchObject({ status: 404, body: { code: 'run_unknown' } })
  expect(ids((await stranger('GET', '/platformapi/runs')).body)).not.toContain(first.run.id)
  const reader = clientOf(api.app, await api.addKey(['cases:read', 'alerts:read']))
  for (const path of ['', `/${first.run.id}`, ...['/recording', ...steps].map((rest) => `/${first.run.id}${rest}`)])
    expect((await reader('GET', `/platformapi/runs${path}`)).status).toBe(403)
  expect((await admin('GET', '/platformapi/runs/nobody-r1')).body).toMatchObject({ code: 'run_unknown' })
})

describe('cancelling', () => {
  const path = (run: Run): string => `/platformapi/runs/${run.id}/cancel`

  test('a run returns who did it and why; a second request returns the same', async () => {
    const { run } = await runOf(tenant, noon + 50, 'cancelled')
    expect((await admin('GET', `/platformapi/runs/${run.id}`)).body).toMatchObject({ cancelled: null })
    const { status, body } = await admin('POST', path(run), { reason: 'a drill' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ run_id: run.id, state: 'running', cancelled: { by: 'test', reason: 'a drill', at: api.clock.now() } })
    expect((await admin('POST', path(run), { reason: 'another' })).body).toEqual(body)
    expect((await admin('GET', `/platformapi/runs/${run.id}`)).body).toEqual(body)
    const { timeline } = (await admin('GET', `/platformapi/cases/${run.caseId}`)).body as { timeline: Record<string, unknown>[] }
    expect(timeline).toContainEqual(expect.objectContaining({ kind: 'cancelled', text: 'a drill', by: ['test'], cancelled_run: run.id }))
  })

  test('a sleeping run hands it to the workers at once', async () => {
    const { run } = await runOf(tenant, noon + 51, 'cancelled')
    await api.store.runs.sleep(systemScope, { run: run.id, epoch: 1, position: 1, records: [], wakeAt: null, at: noon })
    expect((await admin('POST', path(run), {})).body).toMatchObject({ state: 'waiting', cancelled: { reason: null } })
    expect(api.jobs.at(-1)).toMatchObject({ run: run.id, attempt: 1 })
  })

  test('a failed run cancels its automatic retry, once', async () => {
    const { run } = await runOf(tenant, noon + 52, 'cancelled')
    const failure = { code: 'network', message: 'reset', remedy: null, step: 'look' }
    await api.store.runs.end(systemScope, endOf(run.id, 1, 1, { state: 'failed', failure, retryAt: noon + 900 }))
    expect((await admin('GET', `/platformapi/runs/${run.id}`)).body).toMatchObject({ retry_at: noon + 900 })
    expect((await admin('POST', path(run), { reason: 'we know' })).body).toMatchObject({ state: 'failed', retry_at: null, cancelled: null })
    const { timeline } = (await admin('GET', `/platformapi/cases/${run.caseId}`)).body as { timeline: Record<string, unknown>[] }
    expect(timeline).toContainEqual(expect.objectContaining({ kind: 'retry', due: null, text: 'test cancelled the retry: we know' }))
    expect(await admin('POST', path(run), {})).toMatchObject({ status: 409, body: { code: 'run_over' } })
  })

  test('a failed run is refused if another attempt has followed; the answer names that attempt until it ends', async () => {
    const { run } = await runOf(tenant, noon + 53, 'cancelled')
    await api.store.runs.end(systemScope, endOf(run.id, 1, 1, { state: 'failed', retryAt: noon + 900 }))
    await api.store.alerts.retryDue(tenant.scope, noon + 900, 9)
    const next = `${run.alert}-r2`
    const detail = { status: 409, body: { code: 'run_over', detail: expect.stringContaining(next) } }
    expect(await admin('POST', path(run), {})).toMatchObject(detail)
    const [alert] = await api.store.alerts.get(systemScope, [run.alert])
    const claimed = await mustClaim(api.store, claimOf(alert!, await openSession(api.store), 2, noon + 901))
    expect(await admin('POST', path(run), {})).toMatchObject(detail)
    await api.store.runs.end(systemScope, endOf(claimed.run.id, 1, 1, { at: noon + 999 }))
    expect((await admin('POST', path(run), {})).body['detail']).not.toContain(next)
  })

  test('is refused if the run has ended or is unknown to the key, and needs runs:write', async () => {
    expect(await admin('POST', path(first.run), {})).toMatchObject({ status: 409, body: { code: 'run_over' } })
    expect(await admin('POST', '/platformapi/runs/nobody-r1/cancel', {})).toMatchObject({ status: 404, body: { code: 'run_unknown' } })
    const stranger = clientOf(api.app, await api.addKey(['runs:write'], [other.id]))
    expect(await stranger('POST', path(second.run), {})).toMatchObject({ status: 404, body: { code: 'run_unknown' } })
    const reader = clientOf(api.app, await api.addKey(['runs:read']))
    expect((await reader('POST', path(second.run), {})).status).toBe(403)
    expect((await admin('POST', path(second.run), { reason: '' })).status).toBe(400)
    expect((await admin('GET', `/platformapi/runs/${second.run.id}`)).body).toMatchObject({ cancelled: null })
  })
})
