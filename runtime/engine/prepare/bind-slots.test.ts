import { expect, test } from 'vitest'
import { connectionOf } from '../../../test/support/connection.ts'
import { asId, type Connection, type ConnectionId, type OrganizationId } from '../../domain/index.ts'
import type { Plan } from '../../playbook/index.ts'
import { bindSlots } from './bind-slots.ts'

const acme = asId<OrganizationId>('acme')

function connection(instance: string, over: Partial<Connection> = {}): Connection {
  return connectionOf({ id: asId<ConnectionId>(instance), organization: acme, instance, integration: 'mailsec', revision: 3, ...over })
}

function bind(connections: Connection[], optional = false) {
  return bindSlots({ name: 'phishing', playbooks: {}, slots: { mail: { integration: 'mailsec', optional } } } as unknown as Plan, connections)
}

test('the only connection of the integration is bound, with its revision', () => {
  expect(bind([connection('a'), connection('x', { integration: 'mfa' })]).connections).toEqual({ mail: { id: 'a', revision: 3, instance: 'a' } })
})

test('the default wins over the others', () => {
  expect(bind([connection('a'), connection('b', { isDefault: true })]).connections['mail']?.instance).toBe('b')
})

test('the connection that serves the slot wins over the default, in that playbook only', () => {
  const serving = (slot: string) => [connection('a', { isDefault: true }), connection('b', { slots: [slot] })]
  expect(bind(serving('phishing.mail')).connections['mail']?.instance).toBe('b')
  expect(bind(serving('other.mail')).connections['mail']?.instance).toBe('a')
})

test('two that serve the slot bind nothing, and a shared one serves organizations that have none', () => {
  const slots = ['phishing.mail']
  expect(bind([connection('a', { slots }), connection('b', { slots })]).missing[0]?.why).toMatch(/a and b both serve phishing\.mail/)
  const shared = { organization: null, isDefault: true }
  expect(bind([connection('a', shared), connection('b', { ...shared, isDefault: false, slots })]).connections['mail']?.instance).toBe('b')
})

test("an organization's own connection wins over a shared one", () => {
  expect(bind([connection('shared', { organization: null, isDefault: true }), connection('own')]).connections['mail']?.instance).toBe('own')
})

test('several without a default bind nothing, and the reason names them', () => {
  const { connections, missing } = bind([connection('a'), connection('b')])
  expect(connections).toEqual({})
  expect(missing[0]?.why).toMatch(/there are 2 \(a, b\) and none is the default/)
})

test('an optional slot that nothing serves is not missing', () => {
  expect(bind([], true)).toEqual({ connections: {}, missing: [] })
  expect(bind([]).missing).toHaveLength(1)
})
