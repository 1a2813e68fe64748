import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemScope } from '../../../runtime/domain/index.ts'
import { ended, investigated, newTenant, noon, organizationOf, undoOf } from '../../conformance/storage/fixtures.ts'
import { clientOf } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'

let api: ApiServer
let admin: ReturnType<typeof clientOf>
const tenant = newTenant()
const other = newTenant()

beforeAll(async () => {
  api = await startApi()
  admin = clientOf(api.app, api.admin)
  for (const one of [tenant, other]) await api.store.organizations.create(systemScope, organizationOf(one))
})
afterAll(() => api.close())

const write = { address: 'act', skill: 'mfa.suspend_user', target: 'ada', connection: 'prod' }

/** Stores a run that has ended, and an undo of it that no worker has claimed. */
async function undone() {
  const { claimed } = await ended(api.store, tenant)
  const opening = undoOf(claimed.run.id)
  const { id, revision, instance } = { id: 'c', revision: 1, instance: 'prod' }
  const step = {
    id: 'undo-1',
    undoes: write,
    integration: 'mfa',
    skill: 'activate_user',
    impact: 'write',
    connection: { id, revision, instance },
    targets: ['ada'],
    input: { user: 'ada' },
  }
  const document = { format: 1, run: claimed.run.id, steps: [step], left: [] }
  await api.store.journal.putOutput(systemScope, opening.run, opening.pins.playbook.digest, JSON.stringify(document))
  await api.store.runs.openUndo(systemScope, opening)
  return { run: claimed.run.id, undo: opening }
}

test('an undo shows each call with its outcome, and no plan while it is in progress', async () => {
  const { run, undo } = await undone()
  const { status, body } = await admin('GET', `/platformapi/runs/${run}/undo`)
  expect(status).toBe(200)
  expect(body).toEqual({
    run_id: run,
    plan: null,
    undo: {
      run: expect.objectContaining({ run_id: undo.run, undoes: run, state: 'waiting', attempt: 1, playbook: 'undo of phishing-reported' }),
      requested_by: undo.undo.by,
      requested_by_name: 'Ada',
      request_reason: 'It was a drill.',
      steps: [
        {
          step: 'undo-1',
          undoes: { step: 'act', skill: 'mfa.suspend_user', target: 'ada', connection: 'prod' },
          skill: 'mfa.activate_user',
          impact: 'write',
          targets: ['ada'],
          connection: 'prod',
          input: { user: 'ada' },
          outcome: 'pending',
          code: null,
          message: null,
        },
      ],
      left: [],
    },
  })
  // A second request returns the same undo.
  expect(await admin('POST', `/platformapi/runs/${run}/undo`, {})).toMatchObject({ status: 200, body })
})

test('an undo is listed as a run, but is no attempt, and can be neither undone nor recorded', async () => {
  const { run, undo } = await undone()
  const list = await admin('GET', `/platformapi/runs?organization=${tenant.code}&limit=1`)
  expect(list.body).toMatchObject({ items: [{ run_id: undo.run, undoes: run }] })
  expect(await admin('GET', `/platformapi/runs/${undo.run}`)).toMatchObject({ body: { undoes: run, retry_of: null, state: 'waiting' } })
  for (const [method, path] of [
    ['GET', 'undo'],
    ['POST', 'undo'],
    ['GET', 'recording'],
  ] as const)
    expect(await admin(method, `/platformapi/runs/${undo.run}/${path}`, method === 'POST' ? {} : undefined)).toMatchObject({
      status: 409,
      body: { code: 'run_undoes' },
    })
})

test('a run that has not ended, wrote nothing, or does not exist cannot be undone', async () => {
  const { claimed } = await investigated(api.store, tenant)
  const over = await ended(api.store, tenant)
  for (const [run, status, code] of [
    [claimed.run.id, 409, 'run_going'],
    [over.claimed.run.id, 409, 'undo_nothing'],
    [`${noon}-r1`, 404, 'run_unknown'],
  ] as const)
    expect(await admin('POST', `/platformapi/runs/${run}/undo`, {})).toMatchObject({ status, body: { code } })
  expect(await admin('GET', `/platformapi/runs/${over.claimed.run.id}/undo`)).toMatchObject({
    body: { plan: { digest: expect.stringContaining('sha256:'), steps: [], left: [] }, undo: null },
  })
})

test('a key that may only read sees the plan; a key of another organization sees nothing', async () => {
  const { run } = await undone()
  const reader = clientOf(api.app, await api.addKey(['runs:read'], [tenant.id]))
  const stranger = clientOf(api.app, await api.addKey(['runs:read', 'runs:write'], [other.id]))
  expect((await reader('GET', `/platformapi/runs/${run}/undo`)).status).toBe(200)
  expect((await reader('POST', `/platformapi/runs/${run}/undo`, {})).status).toBe(403)
  for (const method of ['GET', 'POST'] as const)
    expect((await stranger(method, `/platformapi/runs/${run}/undo`, method === 'POST' ? {} : undefined)).status).toBe(404)
})

test('the query parameter `uncertain` must be true or false', async () => {
  const { run } = await undone()
  for (const given of ['true', 'false']) expect((await admin('GET', `/platformapi/runs/${run}/undo?uncertain=${given}`)).status).toBe(200)
  expect(await admin('GET', `/platformapi/runs/${run}/undo?uncertain=yes`)).toMatchObject({
    status: 400,
    body: { code: 'query_invalid', errors: [{ field: 'uncertain', message: 'must be true or false' }] },
  })
})

test.each([{ reason: '' }, { reason: 'x'.repeat(2_001) }, { uncertain: 'yes' }, { force: true }])('an invalid body is refused: %j', async (body) => {
  const { run } = await undone()
  expect((await admin('POST', `/platformapi/runs/${run}/undo`, body)).status).toBe(400)
})
