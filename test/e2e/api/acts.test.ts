import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ManualRun } from '../../../runtime/connection/index.ts'
import {
  asId,
  type ConnectionId,
  type DeliveryId,
  type EventId,
  newFetchState,
  type OrganizationId,
  type Run,
  systemScope,
} from '../../../runtime/domain/index.ts'
import type { UndoPreview } from '../../../runtime/engine/index.ts'
import type { FetchView } from '../../../runtime/fetches/index.ts'
import { newFetch } from '../../conformance/storage/fetches/made.ts'
import { connection } from '../../engine/support/harness.ts'
import { clientOf, descriptionOf } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'
import { addTenants, openDecision, openWaitingRun } from '../../support/api/waiting-run.ts'

/* Each action of a person over the API writes one log line. It says who did it (id and name), and to what. */

let api: ApiServer
let admin: ReturnType<typeof clientOf>
let run: Run
/** Another case. */
let other: Run
let task = ''
const shown = {
  ...connection,
  id: '0197a000-0000-7000-8000-00000000c0c0' as ConnectionId,
  organizationCode: 'ACME',
  expired: false,
  expiresSoon: false,
  secretsSet: ['token'],
}
const secret = 'canary-0123456789'
const fetch: FetchView = {
  ...newFetch(asId<OrganizationId>('0197a000-0000-7000-8000-00000000ac3e'), { name: 'EDR', input: { secret } }),
  state: newFetchState(1),
  organizationCode: 'ACME',
  instance: 'dir-prod',
  integration: 'directory',
  begunAt: null,
}
const told = { fetch: fetch.id, name: 'EDR', organization: 'ACME', instance: 'dir-prod' }
const newOne = { name: 'EDR', organization_code: 'ACME', connection: fetch.connection, skill: 'list', input: { secret }, alert_provider: 'EDR' }
const undoing = { document: { format: 1, run: 'r', steps: [], left: [] }, digest: 'd', held: () => null, last: null, begun: true }

beforeAll(async () => {
  api = await startApi({
    connections: {
      create: async () => shown,
      list: async () => ({ items: [shown], more: false }),
      get: async () => shown,
      check: async () => null,
      revise: async () => ({ ...shown, revision: 2 }),
      remove: async () => true,
    },
    manualCalls: {
      preview: async () => null,
      test: async () => ({
        ok: true,
        status: 200,
        code: null,
        cause: null,
        remedy: null,
        checkedAt: 1,
        reachable: null,
        reachableNote: null,
        role: null,
      }),
      run: async (_principal, { begins, input }: ManualRun) => {
        const targets = (input as { users: string[] }).users
        begins({ skill: 'mfa.suspend_user', impact: 'write', instance: 'dir-prod', organizationCode: 'ACME', targets })
        return { ok: true, output: { told: secret } }
      },
    },
    fetches: {
      create: async () => fetch,
      try: async () => ({ found: 3, alerts: [], warnings: [], failure: null }),
      list: async () => ({ items: [fetch], more: false }),
      get: async () => fetch,
      revise: async () => ({ ...fetch, revision: 2 }),
      remove: async () => {},
      hurry: async () => fetch,
    },
    undo: {
      preview: async () => undoing as unknown as UndoPreview,
      begin: async (of) =>
        ({
          ...undoing,
          last: {
            run: { ...of, undo: { run: of.id, number: 1, by: '0197a000-0000-7000-8000-00000000adad' as never, reason: null } },
            document: undoing.document,
            ends: new Map(),
          },
        }) as never,
    },
  })
  admin = clientOf(api.app, api.admin)
  await addTenants(admin)
  run = await openWaitingRun(api, admin)
  other = await openWaitingRun(api, admin)
})
afterAll(() => api.close())

interface Line {
  readonly level: string
  readonly msg: string
  readonly by?: string
  readonly principal?: string
}
/** Runs an action. Returns the log lines from that time that name a person. */
async function lines(act: () => Promise<{ readonly status: number; readonly body?: unknown }>): Promise<readonly Line[]> {
  const before = api.log.length
  const { status, body } = await act()
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return api.log
    .slice(before)
    .map((line) => JSON.parse(line) as Line)
    .filter(({ principal }) => principal !== undefined)
}

/** Returns the audit log, newest first. */
async function recorded() {
  const { items } = (await admin('GET', '/platformapi/audit?limit=1000')).body as { items: Record<string, unknown>[] }
  return items
}

const playbook = (outcome: string): string => `format: 1\nplaybook: acts\nalert_type: acts\nsteps:\n  - id: end\n    stop: { outcome: ${outcome} }\n`
const at = `/platformapi/connections/${shown.id}`
let made: { readonly id: string; readonly [name: string]: unknown }
let digest = ''
const madeBy = async (body: Promise<{ status: number; body: typeof made }>) => {
  const answer = await body
  made = answer.body
  return answer
}

/** For each operation: the action, and what its log line says besides who did it. Later actions use what earlier ones create. */
const acts: Readonly<Record<string, readonly [() => Promise<{ status: number; body?: unknown }>, object]>> = {
  createOrganization: [() => admin('POST', '/platformapi/organizations', { code: 'NEW', name: 'New' }), { organization: 'NEW' }],
  createProvider: [() => admin('POST', '/platformapi/providers', { code: 'NEW', name: 'New' }), { provider: 'NEW' }],
  setPolicy: [() => admin('PUT', '/platformapi/organizations/ACME/policy', { text: 'format: 1\n' }), { organization: 'ACME', revision: 1 }],
  createKey: [
    () => madeBy(admin('POST', '/platformapi/keys', { name: 'Source', organizations: ['ACME'] })),
    { name: 'Source', organizations: ['ACME'], scopes: expect.arrayContaining(['alerts:write']) },
  ],
  revokeKey: [() => admin('DELETE', `/platformapi/keys/${made.id}`), { name: 'Source' }],
  createConnection: [
    () => admin('POST', '/platformapi/connections', { instance: 'dir-prod', integration: 'directory', credentials: { token: secret } }),
    { instance: 'dir-prod', organization: 'ACME', integration: 'directory' },
  ],
  changeConnection: [
    () => admin('PATCH', at, { revision: 1, description: 'x', credentials: { token: secret } }),
    { instance: 'dir-prod', revision: 2, fields: ['description', 'credentials.token'] },
  ],
  testConnection: [() => admin('POST', `${at}/test`), { connection: shown.id, ok: true }],
  runSkill: [
    () => admin('POST', `${at}/skills/suspend_user`, { input: { users: ['ada', 'bob'], password: secret } }),
    { organization: 'ACME', instance: 'dir-prod', skill: 'mfa.suspend_user', targets: ['ada', 'bob'] },
  ],
  deleteConnection: [() => admin('DELETE', at), { instance: 'dir-prod' }],
  createAgent: [
    () => madeBy(admin('POST', '/platformapi/agents', { name: 'plant', organization_code: 'ACME' })),
    { name: 'plant', organization: 'ACME' },
  ],
  checkAgentRoute: [
    () => admin('POST', `/platformapi/agents/${made.id}/check`, { host: 'crm.example', port: 443 }),
    { host: 'crm.example', port: 443, ok: false },
  ],
  revokeAgent: [() => admin('DELETE', `/platformapi/agents/${made.id}`), { name: 'plant', organization: 'ACME' }],
  createFetch: [() => admin('POST', '/platformapi/fetches', newOne), told],
  tryFetch: [
    () => admin('POST', '/platformapi/fetches/try', newOne),
    { connection: fetch.connection, skill: 'list', organization: 'ACME', found: 3, code: null },
  ],
  changeFetch: [
    () => admin('PATCH', `/platformapi/fetches/${fetch.id}`, { revision: 1, input: { secret } }),
    { ...told, revision: 2, fields: ['input'] },
  ],
  fetchNow: [() => admin('POST', `/platformapi/fetches/${fetch.id}/now`), told],
  deleteFetch: [() => admin('DELETE', `/platformapi/fetches/${fetch.id}`), told],
  createWebhook: [
    () =>
      madeBy(admin('POST', '/platformapi/webhooks', { url: `https://hooks.example/${secret}`, events: ['run.failed'], organization_code: 'ACME' })),
    { origin: 'https://hooks.example', organization: 'ACME', events: ['run.failed'] },
  ],
  changeWebhook: [
    () => admin('PATCH', `/platformapi/webhooks/${made.id}`, { revision: 1, description: 'x' }),
    { revision: 2, fields: ['description'] },
  ],
  rotateWebhookSecret: [() => admin('POST', `/platformapi/webhooks/${made.id}/secret`, {}), { revision: 3 }],
  testWebhook: [() => admin('POST', `/platformapi/webhooks/${made.id}/test`), { ok: false }],
  redeliver: [
    async () => {
      const [webhook] = (await api.store.webhooks.list(systemScope, { after: null, limit: 9 })).items
      if (!webhook) throw new Error('there is no webhook')
      const { id, organization } = webhook
      const delivery = { id: asId<DeliveryId>('e.w'), webhook: id, organization, event: asId<EventId>('e'), type: 'run.failed', body: '{}' } as const
      await api.store.deliveries.add(systemScope, [{ ...delivery, createdAt: api.clock.now() }])
      return admin('POST', `/platformapi/webhooks/${made.id}/deliveries/e.w/redeliver`)
    },
    { delivery: 'e.w' },
  ],
  deleteWebhook: [() => admin('DELETE', `/platformapi/webhooks/${made.id}`), { origin: 'https://hooks.example' }],
  activatePlaybooks: [
    async () => {
      const answer = await admin('POST', '/platformapi/playbooks', { playbooks: [{ text: playbook('completed') }], organization_code: 'ACME' })
      digest = answer.body.playbooks[0].digest
      return answer
    },
    { organization: 'ACME', count: 1, playbooks: [{ name: 'acts', keys: ['acts'], digest: expect.any(String) }] },
  ],
  rollBackPlaybook: [
    async () => {
      await admin('POST', '/platformapi/playbooks', { playbooks: [{ text: playbook('failed') }], organization_code: 'ACME' })
      api.clock.advance(1)
      return admin('POST', '/platformapi/playbooks/acts/rollback', { digest, organization_code: 'ACME' })
    },
    { organization: 'ACME', count: 1 },
  ],
  withdrawPlaybook: [() => admin('DELETE', '/platformapi/playbooks/acts?organization=ACME'), { organization: 'ACME', key: 'acts' }],
  pause: [
    () => madeBy(admin('POST', '/platformapi/pauses', { organization: 'ACME', reason: 'A drill' })),
    { level: 'warn', organization: 'ACME', reason: 'A drill' },
  ],
  resume: [() => admin('DELETE', `/platformapi/pauses/${made.id}?reason=Over`), { level: 'warn', organization: 'ACME', reason: 'Over' }],
  changeCase: [() => admin('PATCH', `/platformapi/cases/${run.caseId}`, { severity: 'low' }), { change: { severity: 'low' } }],
  commentCase: [() => admin('POST', `/platformapi/cases/${run.caseId}/comments`, { text: secret }), { comment: expect.any(String) }],
  tagCase: [() => admin('POST', `/platformapi/cases/${run.caseId}/tags`, { add: ['VIP'] }), { added: ['vip'] }],
  addCaseTask: [
    async () => {
      const answer = await admin('POST', `/platformapi/cases/${run.caseId}/tasks`, { text: secret })
      task = answer.body.tasks[0].id
      return answer
    },
    { task: expect.any(String) },
  ],
  changeCaseTask: [() => admin('PATCH', `/platformapi/cases/${run.caseId}/tasks/${task}`, { done: true }), { done: true }],
  removeCaseTask: [() => admin('DELETE', `/platformapi/cases/${run.caseId}/tasks/${task}`), { task: expect.any(String) }],
  linkCase: [
    () => admin('POST', `/platformapi/cases/${run.caseId}/links`, { case: other.caseId, text: secret }),
    { other: expect.stringMatching(/^ACME-/) },
  ],
  unlinkCase: [() => admin('DELETE', `/platformapi/cases/${run.caseId}/links/${other.caseId}`), { other: expect.stringMatching(/^ACME-/) }],
  mergeCase: [
    () => admin('POST', `/platformapi/cases/${run.caseId}/merge`, { into: other.caseId, text: secret }),
    { into: expect.stringMatching(/^ACME-/) },
  ],
  unmergeCase: [() => admin('DELETE', `/platformapi/cases/${run.caseId}/merge`), { into: expect.stringMatching(/^ACME-/) }],
  answerDecision: [
    async () => admin('POST', `/platformapi/decisions/${await openDecision(api, run)}`, { verdict: 'approve' }),
    { verdict: 'approve', state: 'approved' },
  ],
  cancelRun: [() => admin('POST', `/platformapi/runs/${run.id}/cancel`, {}), { run: expect.any(String), playbook: 'look' }],
  undoRun: [() => admin('POST', `/platformapi/runs/${run.id}/undo`, {}), { writes: 0, uncertain: false }],
  retryAlert: [
    async () => {
      const { alert, position } = { alert: run.alert, position: (await api.store.journal.read(systemScope, run.id)).length }
      await api.store.runs.end(systemScope, {
        ...{
          run: run.id,
          epoch: 1,
          position,
          records: [],
          state: 'failed',
          reason: null,
          failure: null,
          retryAt: null,
          at: api.clock.now(),
          entries: [],
        },
      })
      return admin('POST', `/platformapi/alerts/${alert}/retry`)
    },
    { organization: 'ACME', alert: expect.stringMatching(/^ACME-/), attempt: 2 },
  ],
}
/** Operations of sources and programs, and operations that change nothing. */
const noActs = [
  'checkEntry',
  'checkPolicy',
  'createAlert',
  'createAlerts',
  'createRawAlert',
  'createRawAlertWithKey',
  'drawPlaybook',
  'dryRunPlaybook',
  'generatePlaybook',
  'lintPlaybook',
  'makeTestOfRun',
  'previewSkill',
  'replayPlaybook',
  'testPlaybook',
]

test('the tests below cover each operation with which a person changes something', async () => {
  const changing = Object.values((await descriptionOf(api.app)).paths).flatMap((path) =>
    Object.entries(path).flatMap(([method, { operationId }]) => (method === 'get' ? [] : [operationId])),
  )
  expect([...Object.keys(acts), ...noActs].sort()).toEqual(changing.sort())
})

test.each(Object.entries(acts))('%s', async (operation, [act, on]) => {
  const before = await recorded()
  const told = await lines(act)
  const who = { level: 'info', by: 'test', principal: expect.any(String), msg: expect.any(String) }
  const last = told.at(-1)
  expect(last).toMatchObject({ ...who, ...on })
  // A manual write also logs a line before it is sent. The rollback needs another activation first. All others log one line.
  expect(told.length).toBe(['runSkill', 'rollBackPlaybook'].includes(operation) ? 2 : 1)
  expect(JSON.stringify(told)).not.toContain(secret)
  // The audit log has what the log lines have.
  const entries = (await recorded()).slice(0, -before.length || undefined)
  expect(entries).toHaveLength(told.length)
  const { level: _, ...details } = on as { level?: string }
  expect(entries[0]).toMatchObject({ by: 'test', by_uuid: last?.principal, text: last?.msg, action: operation, on: details })
  expect(JSON.stringify(entries)).not.toContain(secret)
  if (['changeCase', 'commentCase', 'answerDecision', 'cancelRun', 'undoRun', 'retryAlert', 'tagCase', 'mergeCase'].includes(operation))
    expect(last).toMatchObject({ case: run.caseId })
})

test('a manual write is logged with its targets before it is sent; a bulk call with its first targets', async () => {
  const users = Array.from({ length: 25 }, (_, index) => `user-${index}${'x'.repeat(300)}`)
  const [before, after] = await lines(() => admin('POST', `${at}/skills/suspend_user`, { input: { users } }))
  expect(before).toMatchObject({ msg: 'a skill that writes is run by hand', skill: 'mfa.suspend_user', more_targets: 5 })
  expect(after).toMatchObject({ msg: 'skill run by hand', ok: true, more_targets: 5 })
  expect(JSON.stringify(before).length).toBeLessThan(6_000)
})

test('a request that changes nothing logs no action', async () => {
  const body = { organization: 'OTHER' }
  expect(await lines(() => admin('POST', '/platformapi/pauses', body))).toHaveLength(1)
  expect(await lines(() => admin('POST', '/platformapi/pauses', body))).toEqual([])
  expect(await lines(() => admin('PATCH', `/platformapi/cases/${run.caseId}`, { severity: 'low' }))).toEqual([])
  const check = { playbooks: [{ text: playbook('completed') }], check: true }
  expect(await lines(() => admin('POST', '/platformapi/playbooks', check))).toEqual([])
})

test('signing in to the console and signing out are logged with the name of the person', async () => {
  const inject = async (url: string, payload: object, cookie = '') => {
    const { statusCode: status } = await api.app.inject({ method: 'POST', url, payload, headers: { cookie, origin: 'http://localhost' } })
    return { status }
  }
  expect(await lines(() => inject('/console/sign-in', { key: api.admin }))).toMatchObject([{ by: 'test', address: '127.0.0.1' }])
  expect(await lines(() => inject('/console/sign-out', {}, `Session=${api.admin}`))).toMatchObject([{ by: 'test' }])
  expect(api.log.join('\n')).not.toContain(api.admin)
})
