import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemIds } from '../../../runtime/config/index.ts'
import { type AlertUuid, asId, type PrincipalId, runId, type SessionId, systemScope, type TimelineEntry } from '../../../runtime/domain/index.ts'
import { type Answer, clientOf } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'
import { claimFirst } from '../../support/api/waiting-run.ts'

let api: ApiServer
let admin: ReturnType<typeof clientOf>
const session = asId<SessionId>(systemIds.uuid())

beforeAll(async () => {
  api = await startApi()
  admin = clientOf(api.app, api.admin)
  for (const code of ['ACME', 'With-Dash']) await admin('POST', '/platformapi/organizations', { code, name: code })
  await admin('POST', '/platformapi/providers', { code: 'edr', name: 'EDR' })
  await api.store.sessions.open(systemScope, { id: session, host: 'test', pid: 1 })
})
afterAll(() => api.close())

/** Posts an alert and claims its run, as a worker would. */
async function claimed(organization: string): Promise<{ alert: Answer['body']; position: number; caseId: string }> {
  const body = { alert_content: '{"title":"Found"}', alert_provider: 'edr', organization_code: organization, alert_type: 'T' }
  const alert = (await admin('POST', '/platformapi/alerts', body)).body
  const result = await claimFirst(api, alert, session)
  return { alert, position: result.position, caseId: result.run.caseId }
}

async function ended(alert: Answer['body'], position: number): Promise<void> {
  const run = runId(asId<AlertUuid>(alert.alert_uuid), 1)
  const result = await api.store.runs.end(systemScope, {
    run,
    epoch: 1,
    position,
    records: [],
    state: 'failed',
    reason: null,
    failure: { code: 'network', message: 'no route', remedy: 'look', step: 'ask', vendor: { errorId: 500 } },
    retryAt: null,
    at: api.clock.now(),
    entries: [
      {
        key: `${run}#note`,
        at: api.clock.now(),
        actor: { run, step: 'note' },
        body: { kind: 'finding', title: 'A', risk: 'low', evidence: { ip: ['::1', null] } },
      },
      {
        key: `${run}#asked`,
        at: api.clock.now(),
        actor: { run, step: 'asked' },
        body: { kind: 'lookups', calls: [{ skill: 'mailsec.get', connection: 'main', times: 2, failed: 1 }] },
      },
    ],
  })
  expect(result).toBe('ended')
}

test('an alert shows its investigation and its case, during the run and after its end', async () => {
  const { alert, position, caseId } = await claimed('ACME')
  const url = `/platformapi/alerts/${alert.alert_id}`
  expect((await admin('GET', url)).body).toMatchObject({
    investigation_status: 10,
    status_name: 'Inprogress',
    investigator: 'look',
    case_id: caseId,
    runs: [{ attempt: 1, state: 'running', playbook: 'look', ended_at: null, failure: null }],
    case: { case_id: caseId, title: 'Found', severity: 'high', status: 'new', disposition: 'pending' },
  })
  expect((await admin('POST', `${url}/retry`)).body.code).toBe('alert_not_retriable')
  await ended(alert, position)
  expect((await admin('GET', url)).body).toMatchObject({
    investigation_status: 20,
    completed_at: api.clock.now(),
    runs: [
      {
        attempt: 1,
        state: 'failed',
        started_at: api.clock.now(),
        ended_at: api.clock.now(),
        failure: { code: 'network', message: 'no route', remedy: 'look', step: 'ask', vendor: { errorId: 500 } },
      },
    ],
  })
  const retried = await admin('POST', `${url}/retry`)
  expect(retried.body).toMatchObject({ investigation_status: 5, investigation_retry_count: 1 })
  expect(api.jobs.at(-1)).toMatchObject({ attempt: 2 })
  expect((await admin('POST', `${url}/retry`)).body.code).toBe('alert_not_retriable')
})

test('an alert without a type cannot be retried', async () => {
  const { body } = await admin('POST', '/platformapi/alerts', { alert_content: 'x', alert_provider: 'edr', organization_code: 'ACME' })
  expect((await admin('POST', `/platformapi/alerts/${body.alert_uuid}/retry`)).body.code).toBe('alert_not_retriable')
})

describe('a case', () => {
  test('shows its alerts, fields and timeline, by id and by UUID', async () => {
    const { alert, position, caseId } = await claimed('With-Dash')
    await ended(alert, position)
    const { body } = await admin('GET', `/platformapi/cases/${caseId}`)
    expect(body).toMatchObject({
      case_id: expect.stringMatching(/^With-Dash-\d+$/),
      organization_code: 'With-Dash',
      alerts: [{ alert_id: alert.alert_id, alert_uuid: alert.alert_uuid }],
      title: 'Found',
      severity: 'high',
      status: 'new',
      disposition: 'pending',
      assignee: null,
      summary: null,
    })
    expect(body.timeline.map(({ kind }: { kind: string }) => kind)).toEqual(expect.arrayContaining(['opened', 'finding', 'lookups']))
    expect(body.timeline.find(({ kind }: { kind: string }) => kind === 'finding')).toMatchObject({
      title: 'A',
      risk: 'low',
      evidence: { ip: ['::1', null] },
      actor: { run: `${alert.alert_uuid}-r1`, step: 'note' },
    })
    expect(body.timeline.find(({ kind }: { kind: string }) => kind === 'lookups').calls).toEqual([
      { skill: 'mailsec.get', connection: 'main', times: 2, failed: 1 },
    ])
    expect((await admin('GET', `/platformapi/cases/${body.case_uuid.toUpperCase()}`)).body).toEqual(body)
  })

  test('with a failed run needs attention until somebody sets its status', async () => {
    const { alert, position, caseId } = await claimed('ACME')
    const run = runId(asId<AlertUuid>(alert.alert_uuid), 1)
    const told = {
      run,
      alert: alert.alert_uuid,
      alertId: alert.alert_id,
      attempt: 1,
      message: 'no route',
      remedy: 'look',
      step: 'ask',
      retryAt: null,
    }
    await api.store.runs.end(systemScope, {
      ...{ run, epoch: 1, position, records: [], state: 'failed', reason: null, retryAt: null, at: api.clock.now() },
      failure: { code: 'network', message: 'no route', remedy: 'look', step: 'ask' },
      entries: [
        {
          key: `${run}#failure`,
          at: api.clock.now(),
          actor: { run, step: 'ask' },
          body: { kind: 'failure', code: 'network', text: 'ask: no route', ended: told },
        },
      ],
    })
    const attention = [
      {
        kind: 'run_failed',
        text: `Attempt 1 for alert ${alert.alert_id} failed at ask: network: no route`,
        ...{ run_id: run, alert_id: alert.alert_id, attempt: 1, code: 'network', step: 'ask', remedy: 'look', retry_at: null },
        at: api.clock.now(),
      },
    ]
    const failed = { status: 'analyst_pending', attention, superseded: null }
    const { body } = await admin('GET', `/platformapi/cases/${caseId}`)
    expect(body).toMatchObject({ ...failed, writes: [], more_writes: 0 })
    expect(body.timeline.at(-1)).toMatchObject({ kind: 'failure', code: 'network', remedy: 'look', status: 'analyst_pending' })
    expect((await admin('GET', `/platformapi/alerts/${alert.alert_id}`)).body.case).toMatchObject(failed)
    const found = async (query: string) =>
      (await admin('GET', `/platformapi/cases?${query}`)).body.items.map((item: { case_id: string }) => item.case_id)
    expect(await found('attention=true')).toContain(caseId)
    expect(await found('attention=false')).not.toContain(caseId)
    expect((await admin('GET', '/platformapi/runs?state=failed')).body.items).toContainEqual(expect.objectContaining({ run_id: run }))
    expect((await admin('GET', '/platformapi/runs?state=completed&state=running')).body.items).not.toContainEqual(
      expect.objectContaining({ run_id: run }),
    )
    const { body: seen } = await admin('PATCH', `/platformapi/cases/${caseId}`, { status: 'in_progress' })
    expect(seen).toMatchObject({ status: 'in_progress', attention: [] })
    expect(seen.timeline.at(-1)).toMatchObject({ kind: 'change', actor: { principal_uuid: expect.any(String), name: 'test' } })
    expect(await found('attention=true')).not.toContain(caseId)
    expect((await admin('GET', '/platformapi/cases?attention=perhaps')).body.code).toBe('query_invalid')
    expect((await admin('GET', '/platformapi/runs?state=lost')).body.code).toBe('query_invalid')
  })

  test('can be changed field by field, and each change is a timeline entry with its author', async () => {
    const { caseId } = await claimed('ACME')
    const url = `/platformapi/cases/${caseId}`
    const change = { severity: 'critical', status: 'in_progress', disposition: 'malicious', assignee: 'ana' }
    const { body } = await admin('PATCH', url, change)
    expect(body).toMatchObject(change)
    const last = body.timeline.at(-1)
    expect(last).toMatchObject({ kind: 'change', change, actor: { principal_uuid: expect.any(String) } })
    expect((await admin('PATCH', url, { status: 'in_progress', assignee: null })).body.timeline.at(-1).change).toEqual({ assignee: null })
    const before = (await admin('GET', url)).body
    expect((await admin('PATCH', url, { severity: 'critical' })).body).toEqual(before)
  })

  test('accepts comments', async () => {
    const { caseId } = await claimed('ACME')
    const { status, body } = await admin('POST', `/platformapi/cases/${caseId}/comments`, { text: 'Looked at it.\nNothing.' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ kind: 'comment', text: 'Looked at it.\nNothing.', at: api.clock.now() })
    expect((await admin('GET', `/platformapi/cases/${caseId}`)).body.timeline.at(-1)).toEqual(body)
  })

  test('with very many comments shows the latest ones, and still knows the writes before them', async () => {
    const { alert, caseId } = await claimed('ACME')
    const run = runId(asId<AlertUuid>(alert.alert_uuid), 1)
    const found = await api.store.cases.byCaseId(systemScope, caseId)
    const action = { kind: 'action', skill: 'mailsec.x', connection: 'main', outcome: 'done', effect: 'done', target: 'ada' } as const
    const record = (entry: Omit<TimelineEntry, 'at'>) => api.store.cases.record(systemScope, found!.uuid, null, { ...entry, at: api.clock.now() })
    await record({ key: 'written', actor: { run, step: 'isolate' }, body: action })
    const principal = asId<PrincipalId>(systemIds.uuid())
    // A little more than two megabytes of comments.
    const text = '"'.repeat(20_000)
    for (let at = 0; at < 110; at += 1) await record({ key: `c${at}`, actor: { principal }, body: { kind: 'comment', text } })
    const { body } = await admin('GET', `/platformapi/cases/${caseId}`)
    expect(body.timeline.length).toBeLessThan(110)
    expect(body.timeline.every((entry: { kind: string }) => entry.kind === 'comment')).toBe(true)
    expect(body.writes).toMatchObject([{ skill: 'mailsec.x', target: 'ada', state: 'stands' }])
    // The earlier entries are a list in pages, newest first.
    const ids: string[] = body.timeline.map(({ id }: { id: string }) => id).reverse()
    for (let cursor = body.timeline_earlier; cursor !== null; ) {
      const page = (await admin('GET', `/platformapi/cases/${caseId}/timeline?limit=30&cursor=${cursor}`)).body
      expect(page.items.length).toBeLessThanOrEqual(30)
      ids.push(...page.items.map(({ id }: { id: string }) => id))
      cursor = page.next_cursor
    }
    expect(ids).toHaveLength(112)
    expect(ids.slice(-2)).toEqual(['written', `${run}#opened`])
    expect((await admin('GET', `/platformapi/cases/${caseId}/timeline?limit=1`)).body.items[0].id).toBe(ids[0])
    const other = (await claimed('ACME')).caseId
    expect((await admin('GET', `/platformapi/cases/${other}/timeline?cursor=${body.timeline_earlier}`)).body.code).toBe('cursor_invalid')
  })

  test.each([
    ['PATCH', '', {}, 'body_invalid'],
    ['PATCH', '', { severity: 'extreme' }, 'body_invalid'],
    ['PATCH', '', { status: null }, 'body_invalid'],
    ['PATCH', '', { assignee: '' }, 'body_invalid'],
    ['PATCH', '', { title: 'x' }, 'field_unknown'],
    ['POST', '/comments', {}, 'body_invalid'],
    ['POST', '/comments', { text: '' }, 'body_invalid'],
    ['POST', '/comments', { text: 'x\udfff' }, 'body_invalid'],
    ['POST', '/comments', { text: 'x', by: 'me' }, 'field_unknown'],
  ])('%s %s with %j is refused', async (method, path, body, code) => {
    const { caseId } = await claimed('ACME')
    expect((await admin(method, `/platformapi/cases/${caseId}${path}`, body)).body.code).toBe(code)
  })

  test('is unknown if it does not exist, or if the key may not see its organization', async () => {
    const { caseId, alert } = await claimed('ACME')
    const [found] = (await admin('GET', '/platformapi/organizations')).body.items.filter(({ code }: { code: string }) => code === 'With-Dash')
    const outsider = clientOf(api.app, await api.addKey(['cases:read', 'cases:write'], [found.uuid]))
    for (const [who, id] of [
      [admin, 'ACME-999999'],
      [admin, alert.alert_uuid],
      [outsider, caseId],
    ] as const) {
      expect((await who('GET', `/platformapi/cases/${id}`)).body.code).toBe('case_unknown')
      expect((await who('PATCH', `/platformapi/cases/${id}`, { severity: 'low' })).body.code).toBe('case_unknown')
      expect((await who('POST', `/platformapi/cases/${id}/comments`, { text: 'x' })).body.code).toBe('case_unknown')
    }
    expect((await outsider('GET', '/platformapi/cases')).body.items.every((item: Answer['body']) => item.organization_code === 'With-Dash')).toBe(
      true,
    )
  })
})

test('cases are listed newest first, in pages, and filtered by organization, status and severity', async () => {
  const mine: string[] = []
  for (let index = 0; index < 5; index++) {
    api.clock.advance(1)
    const { caseId } = await claimed('ACME')
    await admin('PATCH', `/platformapi/cases/${caseId}`, { status: 'contained', severity: index < 3 ? 'low' : 'medium' })
    mine.push(caseId)
  }
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body }: Answer = await admin(
      'GET',
      `/platformapi/cases?status=contained&organization=ACME&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
    )
    ids.push(...body.items.map((item: Answer['body']) => item.case_id))
    cursor = body.next_cursor
  }
  expect(ids).toEqual(mine.toReversed())
  const low = await admin('GET', '/platformapi/cases?status=contained&severity=low')
  expect(low.body.items.map((item: Answer['body']) => item.case_id)).toEqual(mine.slice(0, 3).toReversed())
  expect(low.body.items[0]).not.toHaveProperty('timeline')
  expect((await admin('GET', '/platformapi/cases?status=contained&organization=With-Dash')).body).toEqual({ items: [], next_cursor: null })
  expect((await admin('GET', '/platformapi/cases?status=open')).body.code).toBe('query_invalid')
})
