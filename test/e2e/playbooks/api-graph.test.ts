import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemScope } from '../../../runtime/domain/index.ts'
import { claimOf, insertOne, mustClaim, newAlert, newTenant, openSession, organizationOf } from '../../conformance/storage/fixtures.ts'
import { clientOf } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'
import { addTenants } from '../../support/stores/tenants.ts'

let api: ApiServer
let admin: ReturnType<typeof clientOf>

beforeEach(async () => {
  api = await startApi()
  admin = clientOf(api.app, api.admin)
  await addTenants(api.store)
})
afterEach(() => api.close())

const text = (note: string): string => `format: 1
playbook: thief
alert_type: theft
steps:
  - id: decide
    if: { '>': [{ var: alert.content.denied }, 3] }
    then:
      - { id: say, case: { note: ${note} } }
`

test('a text that is being edited is drawn as a graph', async () => {
  const { status, body } = await admin('POST', '/platformapi/playbooks/graph', { text: text('one') })
  expect(status).toBe(200)
  expect(body.findings).toEqual([])
  expect(body.graph.nodes).toMatchObject([
    { address: 'decide', parent: null, kind: 'if', detail: 'alert.content.denied > 3', line: 5, on_error: 'fail' },
    { address: 'decide/say', parent: 'decide', part: { of: 'then', name: 'then' }, kind: 'case', detail: 'adds a note' },
  ])
  expect(body.graph.edges).toHaveLength(4)
})

test('a text that does not compile has no graph, and findings that say why', async () => {
  expect((await admin('POST', '/platformapi/playbooks/graph', { text: text('"{{ oops"') })).body).toMatchObject({
    graph: null,
    findings: [{ severity: 'error', line: expect.any(Number) }],
  })
  expect((await admin('POST', '/platformapi/playbooks/graph', { text: 'a: [' })).body).toMatchObject({
    graph: null,
    findings: [{ code: 'yaml_invalid' }],
  })
  expect(await admin('POST', '/platformapi/playbooks/graph', { text: text('a'), organization_code: 'NONE' })).toMatchObject({
    status: 422,
    body: { code: 'organization_unknown' },
  })
})

test('a version is drawn with the sub-playbooks that are active', async () => {
  const sub = 'format: 1\nplaybook: helper\nsteps:\n  - { id: help, case: { note: a } }\n'
  const main = 'format: 1\nplaybook: main\nalert_type: theft\nsteps:\n  - { id: run, playbook: helper }\n'
  const { body } = await admin('POST', '/platformapi/playbooks', { playbooks: [{ text: sub }, { text: main }] })
  const drawn = await admin('GET', `/platformapi/playbook-versions/${body.playbooks[1].digest}/graph`)
  expect(drawn.body.graph).toMatchObject({
    name: 'main',
    digest: body.playbooks[1].digest,
    nodes: [
      { address: 'run', kind: 'playbook', title: 'helper', playbook: null },
      { address: 'run/help', parent: 'run', playbook: 'helper' },
    ],
  })
  expect(await admin('GET', `/platformapi/playbook-versions/sha256:${'0'.repeat(64)}/graph`)).toMatchObject({
    status: 404,
    body: { code: 'playbook_version_unknown' },
  })
})

test('a run whose playbook is gone has no graph, and the answer says why', async () => {
  const tenant = newTenant()
  await api.store.organizations.create(systemScope, organizationOf(tenant))
  const alert = await insertOne(api.store, newAlert(tenant, {}))
  const { run } = await mustClaim(api.store, claimOf(alert, await openSession(api.store), 1, api.clock.now()))
  expect((await admin('GET', `/platformapi/runs/${run.id}/graph`)).body).toMatchObject({
    known: false,
    nodes: [],
    note: expect.stringContaining('cannot be followed'),
  })
  expect((await admin('GET', `/platformapi/runs/${run.id}/writes`)).body).toMatchObject({ known: false, writes: [], steps: [], more: false })
  expect(await admin('GET', '/platformapi/runs/none/graph')).toMatchObject({ status: 404, body: { code: 'run_unknown' } })
})
