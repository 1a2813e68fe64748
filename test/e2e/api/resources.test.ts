import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ApiServices } from '../../../runtime/api/index.ts'
import { systemIds } from '../../../runtime/config/index.ts'
import type { ConnectionDraft, ConnectionView } from '../../../runtime/connection/index.ts'
import { asId, type ConnectionId, inScope, type OrganizationId, scopeOf } from '../../../runtime/domain/index.ts'
import { TocsinError } from '../../../runtime/errors/index.ts'
import { clientOf } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'

let api: ApiServer
let admin: ReturnType<typeof clientOf>
let acme: OrganizationId
let ready: Awaited<ReturnType<ApiServices['ready']>> | 'never' | Error
let drafts: ConnectionDraft[]
let views: ConnectionView[]

beforeAll(async () => {
  api = await startApi({ connections, integrations, ready: isReady })
  admin = clientOf(api.app, api.admin)
  acme = (await admin('POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })).body.uuid
})
beforeEach(() => {
  drafts = []
  views = []
  ready = [{ name: 'store', ok: true }]
})
afterAll(() => api.close())

/** Simulates only what the API needs. The room `connection` has its own tests. */
const connections: ApiServices['connections'] = {
  async create(principal, draft) {
    drafts.push(draft)
    if (draft.integration === 'none')
      throw new TocsinError('connection_invalid', 'A field is missing.', [{ field: 'credentials.token', message: 'is required' }])
    const organization = draft.organizationCode === null ? null : acme
    const { instance, integration, description, isDefault, slots, expiresAt, remoteAgent, role } = draft
    const base = {
      id: asId<ConnectionId>(systemIds.uuid()),
      organization,
      organizationCode: draft.organizationCode,
      instance,
      integration,
      description,
    }
    const view = {
      ...base,
      fields: { base_url: 'https://x' },
      secretsSet: ['token'],
      isDefault,
      slots,
      expiresAt,
      expired: false,
      expiresSoon: false,
      remoteAgent,
      role,
      lastTest: null,
      revision: 1,
      createdAt: 1,
      createdBy: principal.id,
      modifiedAt: 2,
    }
    views.push(view)
    expect(scopeOf(principal).organizations).toBe('all')
    return view
  },
  async list(scope, { after, limit }) {
    const seen = views
      .filter((view) => view.organization === null || inScope(scope, view.organization))
      .filter(({ id }) => after === null || id > after)
    return { items: seen.slice(0, limit), more: seen.length > limit }
  },
  async get(_scope, id) {
    return views.find((view) => view.id === id) ?? null
  },
  revise: async () => null,
  check: async () => null,
  async remove(_scope, { id }) {
    const before = views.length
    views = views.filter((view) => view.id !== id)
    return views.length < before
  },
}

const integrations: ApiServices['integrations'] = {
  async list() {
    const plain = {
      name: 'base_url',
      label: 'Base URL',
      type: 'origin',
      required: true,
      secret: false,
      advanced: false,
      help: null,
      default: null,
      values: [],
      rules: ['Scheme and host only.'],
      pasteKey: null,
      decidesAddress: true,
    }
    const choice = { ...plain, name: 'region', type: 'enum', advanced: true, help: 'Which.', default: 'eu', values: ['eu', 'us'] }
    const vendor = { name: 'Example', api: null, docs: 'https://example.com' }
    return [
      {
        id: 'mailsec',
        name: 'Mail',
        version: '1.0.0',
        categories: ['email'],
        vendor,
        credentials: [plain, choice],
        roles: [['reader', 'owner']],
        setup: { steps: ['Sign in'], scopes: [], limits: [] },
        rateLimit: { requests: 10, interval: 1_000, burst: 5 },
        tellsRole: false,
        skills: { read: 1, write: 0, high: 0 },
      },
    ]
  },
  async skills(id) {
    if (id !== 'mailsec') return null
    const input = { type: 'object', properties: { a: { type: 'integer', minimum: 1 } } }
    return [
      {
        id: 'mailsec.get',
        title: 'Get',
        purpose: 'Gets.',
        category: 'investigation',
        api: 'v1',
        impact: 'read',
        minimumRole: 'reader',
        warnings: ['w'],
        input,
        output: true,
        example: { a: 1 },
        exampleOutput: null,
        requires: null,
        code: false,
        timeout: 30_000,
        undo: null,
        repeat: null,
      },
    ]
  },
}

function isReady(): ReturnType<ApiServices['ready']> {
  if (ready === 'never') return new Promise(() => {})
  return ready instanceof Error ? Promise.reject(ready) : Promise.resolve(ready)
}

describe('connections', () => {
  const draft = { instance: 'main', integration: 'mailsec', credentials: { base_url: 'https://x', token: 'canary', on: true, number: 1.5 } }

  test('are created from their fields, and never show a secret', async () => {
    const { status, body } = await admin('POST', '/platformapi/connections', {
      ...draft,
      organization_code: 'ACME',
      is_default: true,
      expires_at: 99,
    })
    expect(status).toBe(201)
    expect(drafts).toEqual([
      {
        instance: 'main',
        integration: 'mailsec',
        organizationCode: 'ACME',
        description: '',
        credentials: draft.credentials,
        isDefault: true,
        expiresAt: 99,
        slots: [],
        remoteAgent: null,
        role: null,
        paste: null,
      },
    ])
    expect(body).toMatchObject({ organization_code: 'ACME', credentials: { base_url: 'https://x' }, secrets_set: ['token'], expires_at: 99 })
    expect(JSON.stringify(body)).not.toContain('canary')
    expect((await admin('GET', `/platformapi/connections/${body.id}`)).body).toEqual(body)
  })

  test('are shared if no organization is named', async () => {
    await admin('POST', '/platformapi/connections', draft)
    await admin('POST', '/platformapi/connections', { ...draft, organization_code: null, expires_at: null })
    expect(drafts.map(({ organizationCode, expiresAt }) => [organizationCode, expiresAt])).toEqual([
      [null, null],
      [null, null],
    ])
  })

  test('are listed in pages, and can be deleted', async () => {
    for (const instance of ['a', 'b', 'c']) await admin('POST', '/platformapi/connections', { ...draft, instance })
    const first = (await admin('GET', '/platformapi/connections?limit=2')).body
    const second = (await admin('GET', `/platformapi/connections?limit=2&cursor=${first.next_cursor}`)).body
    expect([...first.items, ...second.items].map(({ instance }) => instance)).toEqual(['a', 'b', 'c'])
    expect(second.next_cursor).toBeNull()
    expect(await admin('DELETE', `/platformapi/connections/${first.items[0].id}`)).toMatchObject({ status: 204, body: null })
    expect((await admin('DELETE', `/platformapi/connections/${first.items[0].id}`)).body.code).toBe('connection_unknown')
    expect((await admin('GET', `/platformapi/connections/${first.items[0].id}`)).body.code).toBe('connection_unknown')
  })

  test('a refusal names the field', async () => {
    const { body } = await admin('POST', '/platformapi/connections', { ...draft, integration: 'none' })
    expect(body).toMatchObject({ code: 'connection_invalid', errors: [{ field: 'credentials.token', message: 'is required' }] })
  })

  test.each([
    ['{"instance":"a","integration":"b","credentials":{"__proto__":"x"}}', 'credentials.__proto__'],
    ['{"instance":"a","integration":"b","credentials":{"Token":"x"}}', 'credentials.Token'],
    ['{"instance":"a","integration":"b","credentials":{"token":{"$gt":""}}}', 'credentials.token'],
    ['{"instance":"a","integration":"b","credentials":{"token":["x"]}}', 'credentials.token'],
    ['{"instance":"a","integration":"b","credentials":{"token":null}}', 'credentials.token'],
    ['{"instance":"a","integration":"b","credentials":[]}', 'credentials'],
    ['{"instance":"a","integration":"b"}', 'credentials'],
    ['{"instance":"a","integration":"b","credentials":{},"is_default":"yes"}', 'is_default'],
    ['{"instance":"a","integration":"b","credentials":{},"expires_at":"2027-01-01"}', 'expires_at'],
  ])('%s is refused', async (body, field) => {
    const answer = await admin('POST', '/platformapi/connections', body, { 'content-type': 'application/json' })
    expect(answer.body.code).toBe('body_invalid')
    expect(answer.body.errors.map((place: { field: string }) => place.field)).toContain(field)
    expect(drafts).toEqual([])
  })
})

test('a playbook is checked without being stored', async () => {
  const text = "format: 1\nplaybook: a\nalert_type: b\nstesp:\n  - { id: c, case: { note: '{{ inputs.user' } }\n"
  const { status, body } = await admin('POST', '/platformapi/playbooks/lint', { text })
  expect(status).toBe(200)
  expect(body['findings']).toMatchObject([
    { code: 'key_missing', severity: 'error', line: 1, column: 1 },
    { code: 'key_unknown', severity: 'error', line: 4, column: 1, fix: { edits: [{ start: 36, end: 41, text: 'steps' }] } },
  ])
  expect(await admin('POST', '/platformapi/playbooks/lint', { text, organization_code: 'nobody' })).toMatchObject({
    status: 422,
    body: { code: 'organization_unknown' },
  })
  expect(await admin('POST', '/platformapi/playbooks/lint', { text, more: 1 })).toMatchObject({ status: 400 })
})

test('integrations show their connection form, and skills show their schemas unchanged', async () => {
  const { body } = await admin('GET', '/platformapi/integrations')
  const [listed] = await integrations.list()
  if (!listed) throw new Error('there is no integration')
  const { rateLimit: _limit, tellsRole: _tells, skills: _skills, credentials, ...plain } = listed
  expect(body.items).toEqual([
    {
      ...plain,
      credentials: credentials.map(({ pasteKey: _key, decidesAddress: _decides, ...field }) => ({
        ...field,
        paste_key: null,
        decides_address: true,
      })),
      rate_limit: { requests: 10, interval_ms: 1_000, burst: 5 },
      tells_role: false,
      skill_count: { read: 1, write: 0, high: 0 },
    },
  ])
  const { body: skills } = await admin('GET', '/platformapi/integrations/mailsec/skills')
  expect(skills.items).toEqual([
    {
      id: 'mailsec.get',
      title: 'Get',
      purpose: 'Gets.',
      category: 'investigation',
      api: 'v1',
      example: { a: 1 },
      impact: 'read',
      minimum_role: 'reader',
      warnings: ['w'],
      input: { type: 'object', properties: { a: { type: 'integer', minimum: 1 } } },
      output: true,
      example_output: null,
      writes: false,
      requires: null,
      code: false,
      timeout_ms: 30_000,
      undo: null,
      repeat: null,
    },
  ])
  expect((await admin('GET', '/platformapi/integrations/nothing/skills')).body.code).toBe('integration_not_found')
})

describe('health', () => {
  test('the process is alive even if nothing answers', async () => {
    ready = 'never'
    expect((await admin('GET', '/healthz')).body).toEqual({ status: 'ok' })
  })

  test('readiness names the checks that passed; a failure names those that did not', async () => {
    expect((await admin('GET', '/readyz')).body).toEqual({ status: 'ready', checks: ['store'] })
    ready = [
      { name: 'store', ok: true },
      { name: 'queue', ok: false },
    ]
    const { status, body } = await admin('GET', '/readyz')
    expect(status).toBe(503)
    expect(body.detail).toBe('Does not answer: queue.')
  })

  test('the version and the clock of the process are told to anybody', async () => {
    expect((await clientOf(api.app, null)('GET', '/platformapi/version')).body).toEqual({ version: '0.0.0', time: api.clock.now() })
  })

  test('the log says once that the process is not ready, and once that it is again', async () => {
    const before = api.log.length
    ready = [{ name: 'store', ok: false, why: 'MongoDB does not answer.', cause: 'connect ECONNREFUSED 10.0.0.5:27017' }]
    for (let asked = 0; asked < 3; asked += 1)
      expect((await admin('GET', '/readyz')).body.detail).toBe('Does not answer: store. MongoDB does not answer.')
    ready = [{ name: 'store', ok: true }]
    for (let asked = 0; asked < 3; asked += 1) expect((await admin('GET', '/readyz')).status).toBe(200)
    expect(api.log.slice(before).map((line) => JSON.parse(line))).toMatchObject([
      { level: 'warn', missing: 'store', error: 'connect ECONNREFUSED 10.0.0.5:27017', msg: 'not ready: /readyz answers 503' },
      { level: 'info', msg: 'ready again' },
    ])
  })
})

test('the answer to an internal error hides its message; the log has it, with the request id of the answer', async () => {
  ready = new Error('canary in the words of a driver')
  const response = await api.app.inject('/readyz')
  expect(response.statusCode).toBe(500)
  const body = response.json()
  expect(body.code).toBe('internal')
  expect(response.body).not.toContain('canary')
  const line = JSON.parse(api.log.at(-1) ?? '{}')
  expect(line).toMatchObject({ level: 'error', request_id: body.request_id, operation: 'ready', err: { message: 'canary in the words of a driver' } })
})
