import { expect, test } from 'vitest'
import type { Json } from '../../../runtime/domain/index.ts'
import { mailsecPlugin } from './plugin.ts'

const { call, output, happened, inverse, faults, simulator } = mailsecPlugin('analyst')
const create = async (kind: string, value: string, more: object = {}): Promise<string> =>
  (await output('create_mailsec_trusted_entity', { kind, value, ...more })).entity.id
const system = (): string => simulator().trustedEntities.find(({ managedBy }) => managedBy === 'system')?.id ?? ''

test('an entity is created, found by kind and value, and read with its configuration and history', async () => {
  const settings = { detection_settings: { skip: ['graymail'] }, authentication_settings: { requireDmarc: true } }
  const id = await create('domain', 'partner.example', { name: 'Partner', ...settings })
  const listed = await output('get_mailsec_trusted_entities', { kind: 'domain', value: 'partner.example', enabled: true })
  expect(listed).toMatchObject({ entities: [{ id, name: 'Partner', managedBy: 'tenant' }], truncated: false })
  expect(listed.entities[0]).not.toHaveProperty('history')
  await output('update_mailsec_trusted_entity', { entity_id: id, enabled: false })
  expect((await output('get_mailsec_trusted_entities', { entity_id: id })).entities).toMatchObject([
    {
      id,
      enabled: false,
      detectionSettings: { skip: ['graymail'] },
      authenticationSettings: { requireDmarc: true },
      history: [{ name: 'created' }, { name: 'updated', changes: { enabled: false } }],
    },
  ])
})

test('a listing stops at max_items, and says whether there are more', async () => {
  await create('ip_address', '192.0.2.1')
  await create('ip_address', '192.0.2.2')
  expect(await output('get_mailsec_trusted_entities', { kind: 'ip_address', max_items: 1 })).toMatchObject({ entities: [{}], truncated: true })
  expect(await output('get_mailsec_trusted_entities', { kind: 'ip_address', max_items: 2 })).toMatchObject({ entities: [{}, {}], truncated: false })
})

test.each([
  ['domain', 'partner', 'value must be a domain, such as partner.example'],
  ['domain', '192.0.2.1', 'value must be a domain, such as partner.example'],
  ['email_address', 'partner.example', 'value must be an e-mail address, such as ada@partner.example'],
  ['ip_address', '192.0.2.0/24', 'value must be an IP address, such as 192.0.2.10 or 2001:db8::10'],
  ['cidr_range', '192.0.2.1', 'value must be a CIDR range, such as 192.0.2.0/24 or 2001:db8::/32'],
  ['url', 'https://partner.example', 'kind must be one of "domain", "email_address", "ip_address", "cidr_range"'],
])('a value must fit its kind: %s %s is refused', (kind, value, message) => {
  expect(faults('create_mailsec_trusted_entity', { kind, value })).toEqual([message])
  const bulk = faults('bulk_update_mailsec_trusted_entities', { operations: [{ operation: 'create', kind, value }] })
  expect(bulk).toEqual([`operations.0.${message}`])
})

test.each([
  ['domain', 'Sub.Partner.example'],
  ['email_address', 'a.b+c@partner.example'],
  ['ip_address', '2001:db8::1'],
  ['cidr_range', '2001:db8::/32'],
])('an entity of each kind is created: %s %s', async (kind, value) => {
  expect(simulator().trusted(await create(kind, value))).toMatchObject({ kind, value })
})

test('the inverse undoes disabling an entity', async () => {
  const id = await create('domain', 'inverse.example')
  const input = { entity_id: id, enabled: false }
  await output('update_mailsec_trusted_entity', input)
  await output('update_mailsec_trusted_entity', inverse('update_mailsec_trusted_entity', input))
  expect(simulator().trusted(id)?.enabled).toBe(true)
})

test("a tenant's entity can be deleted, even twice, and a system-managed one only disabled", async () => {
  const id = await create('domain', 'gone.example')
  for (let time = 0; time < 2; time += 1)
    expect(await output('delete_mailsec_trusted_entity', { entity_id: id })).toEqual({ entity_id: id, deleted: true })
  expect(simulator().trusted(id)).toBeNull()
  expect(await call('delete_mailsec_trusted_entity', { entity_id: system() })).toMatchObject({
    effect: 'refused',
    failure: { code: 'system_managed', remedy: expect.stringContaining('Disable it instead') },
  })
  expect(await output('update_mailsec_trusted_entity', { entity_id: system(), enabled: false })).toMatchObject({ entity: { enabled: false } })
})

test('the probe tells whether an entity was created', async () => {
  await create('domain', 'probe.example')
  const asked = (more: object): Promise<boolean> => happened('create_mailsec_trusted_entity', { kind: 'domain', value: 'probe.example', ...more })
  expect([await asked({}), await asked({ enabled: false }), await asked({ value: 'other.example' })]).toEqual([true, false, false])
})

test.each<[string, Json, boolean]>([
  ['the state', { enabled: false }, true],
  ['another state', { enabled: true }, false],
  ['settings', { authentication_settings: { requireDmarc: true } }, true],
  ['other settings', { enabled: false, authentication_settings: { requireDmarc: true, requireSpf: true } }, false],
  ['a name', { name: 'Partner' }, true],
  ['another name', { name: 'Rival' }, false],
  ['detection settings that are not set', { detection_settings: { skip: ['graymail'] } }, false],
])('the probe tells whether an entity was updated: %s', async (name, asked, expected) => {
  const id = await create('domain', `${name.replaceAll(' ', '-')}.example`, { name: 'Partner', authentication_settings: { requireDmarc: true } })
  await output('update_mailsec_trusted_entity', { entity_id: id, enabled: false })
  expect(await happened('update_mailsec_trusted_entity', { entity_id: id, ...(asked as object) })).toBe(expected)
})

test('an existing entity, a missing one and an insufficient role are told apart', async () => {
  await create('domain', 'twice.example')
  expect(await call('create_mailsec_trusted_entity', { kind: 'domain', value: 'Twice.example' })).toMatchObject({
    failure: { code: 'already_exists' },
  })
  expect(await call('update_mailsec_trusted_entity', { entity_id: 'none', enabled: true })).toMatchObject({ failure: { code: 'not_found' } })
  expect(await call('get_mailsec_trusted_entities', { entity_id: 'none' })).toMatchObject({ failure: { code: 'not_found' } })
  simulator().setRole('issue_responder')
  for (const [id, input] of [
    ['get_mailsec_trusted_entities', {}],
    ['create_mailsec_trusted_entity', { kind: 'domain', value: 'x.example' }],
    ['bulk_update_mailsec_trusted_entities', { operations: [{ operation: 'delete', entity_id: 'e' }] }],
  ] as const)
    expect(await call(id, input)).toMatchObject({ effect: 'refused', failure: { code: 'role_insufficient' } })
})
