import { expect, test } from 'vitest'
import { type Answer, simulated } from '../testing.ts'
import { trustedValueFault } from './trusted-values.ts'

const { call, simulator } = simulated('analyst')
const entities = '/api/v1/trusted-entities'
const at = (id: string, rest = ''): string => `${entities}/${encodeURIComponent(id)}${rest}`
const create = (body: object): Promise<Answer> => call(entities, { method: 'POST', body })
const bulk = (operations: unknown): Promise<Answer> => call(`${entities}/bulk`, { method: 'POST', body: { operations } })
const system = (): string => simulator().trustedEntities.find(({ managedBy }) => managedBy === 'system')?.id ?? ''

test('an entity is created, found, changed and deleted, and its audit shows that', async () => {
  const made = await create({ kind: 'domain', value: 'partner.example', authenticationSettings: { requireDmarc: true } })
  expect([made.status, made.json]).toEqual([
    201,
    expect.objectContaining({ kind: 'domain', value: 'partner.example', enabled: true, status: 'enabled', managedBy: 'tenant' }),
  ])
  const { id } = made.json
  expect((await call(`${entities}?value=PARTNER.example&kind=domain`)).json.items).toEqual([made.json])
  const changed = await call(at(id), { method: 'PATCH', body: { enabled: false } })
  expect(changed.json).toMatchObject({ enabled: false, status: 'disabled', authenticationSettings: { requireDmarc: true } })
  expect((await call(at(id, '/history'))).json.items).toMatchObject([{ name: 'created' }, { name: 'updated', changes: { enabled: false } }])
  expect((await call(at(id), { method: 'DELETE' })).status).toBe(204)
  for (const rest of ['', '/history']) expect((await call(at(id, rest))).json.error.code).toBe('not_found')
})

test('entities that the system manages can be disabled but not deleted', async () => {
  const refused = await call(at(system()), { method: 'DELETE' })
  expect([refused.status, refused.json.error.code]).toEqual([409, 'system_managed'])
  expect((await call(at(system()), { method: 'PATCH', body: { enabled: false } })).json.status).toBe('disabled')
})

test('refuses to trust the same value twice', async () => {
  expect((await create({ kind: 'domain', value: 'Contoso-Travel.example' })).json.error.code).toBe('already_exists')
})

test.each([
  ['domain', 'partner.example', true],
  ['domain', 'partner', false],
  ['domain', '192.0.2.1', false],
  ['domain', 'a@partner.example', false],
  ['email_address', 'a.b+c@partner.example', true],
  ['email_address', 'partner.example', false],
  ['email_address', 'a b@partner.example', false],
  ['ip_address', '192.0.2.1', true],
  ['ip_address', '2001:db8::1', true],
  ['ip_address', '192.0.2.256', false],
  ['ip_address', '192.0.2.0/24', false],
  ['cidr_range', '192.0.2.0/24', true],
  ['cidr_range', '2001:db8::/32', true],
  ['cidr_range', '192.0.2.0/33', false],
  ['cidr_range', '192.0.2.0', false],
] as const)('a %s of %s fits: %s', (kind, value, fits) => {
  expect(trustedValueFault(kind, value) === null).toBe(fits)
})

test.each([
  [{ kind: 'url', value: 'a' }, 'kind must be one of'],
  [{ kind: 'domain' }, 'value is missing'],
  [{ kind: 'domain', value: 'x' }, 'x is no domain'],
  [{ kind: 'domain', value: 'x.example', trust: true }, 'trust is unknown'],
  [{ kind: 'domain', value: 'x.example', authenticationSettings: { dmarc: true } }, 'authenticationSettings is wrong'],
])('a wrong creation is refused: %j', async (body, message) => {
  expect((await create(body)).json.error.message).toContain(message)
})

test('the operations of a bulk request succeed or fail by themselves, and the answer keeps their order', async () => {
  const { status, json } = await bulk([
    { operation: 'create', kind: 'ip_address', value: '192.0.2.9' },
    { operation: 'create', kind: 'ip_address', value: '192.0.2.9' },
    { operation: 'delete', id: system() },
    { operation: 'update', id: 'none', enabled: false },
    { operation: 'update', id: system(), enabled: true },
    { operation: 'create', kind: 'cidr_range', value: '192.0.2.9' },
    { operation: 'delete' },
  ])
  expect(status).toBe(200)
  expect(json.results.map((result: { status: string; error?: { code: string } }) => result.error?.code ?? result.status)).toEqual([
    'succeeded',
    'already_exists',
    'system_managed',
    'not_found',
    'succeeded',
    'invalid_request',
    'invalid_request',
  ])
  expect(simulator().trusted(json.results[0].id)).toMatchObject({ value: '192.0.2.9' })
})

test('refuses more than 200 operations, and does none', async () => {
  const many = Array.from({ length: 201 }, (_, number) => ({ operation: 'create', kind: 'domain', value: `d${number}.example` }))
  const before = simulator().trustedEntities.length
  expect((await bulk(many)).status).toBe(400)
  expect((await bulk([])).status).toBe(400)
  expect((await bulk([{ operation: 'replace' }])).status).toBe(400)
  expect(simulator().trustedEntities).toHaveLength(before)
  expect((await bulk(many.slice(1))).json.results).toHaveLength(200)
})

test('trusted entities need Analyst', async () => {
  simulator().setRole('issue_responder')
  for (const method of ['GET', 'POST']) expect((await call(entities, { method })).status).toBe(403)
})
