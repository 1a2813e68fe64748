import {
  type Alert,
  type AlertUuid,
  asId,
  type ConnectionId,
  type Ids,
  type OrganizationId,
  type PrincipalId,
  type SessionId,
  systemScope,
} from '../domain/index.ts'
import type { Plan } from '../playbook/index.ts'
import type { Store } from '../storage/index.ts'
import { slotsOf } from './plan-steps.ts'
import type { Circumstances } from './types.ts'

export const session = asId<SessionId>('rehearsal')
const organization = asId<OrganizationId>('00000000-0000-7000-8000-000000000001')
const principal = asId<PrincipalId>('00000000-0000-7000-8000-000000000002')
const firstAlert = asId<AlertUuid>('00000000-0000-7000-8000-000000000003')

/** Returns the same ids in every rehearsal, so that its result is always the same. */
export function countedIds(): Ids {
  let made = 0
  const next = (): string => `00000000-0000-7000-8001-${String(++made).padStart(12, '0')}`
  return { uuid: next, secret: (bytes) => Buffer.alloc(bytes, next()).toString('base64url') }
}

/** Stores the alert in the state that it has when its run begins. */
export async function placeAlert(store: Store, plan: Plan, { alert, now }: Circumstances): Promise<Alert> {
  const { content, type = plan.types[0] ?? plan.name, name = type ?? plan.name, provider = 'REHEARSAL', organizationCode = 'ORG' } = alert
  const [inserted] = await store.alerts.insert(systemScope, [
    {
      uuid: alert.uuid ?? firstAlert,
      organization: alert.organization ?? organization,
      organizationCode,
      provider,
      numberedAs: `${organizationCode}-${provider.toUpperCase()}`,
      type,
      content,
      name,
      tokens: [],
      createdAt: alert.createdAt ?? now,
      createdAtSource: alert.createdAtSource ?? null,
      createdBy: alert.createdBy ?? principal,
      idempotency: null,
    },
  ])
  if (!inserted) throw new Error('the alert was not inserted')
  return { ...inserted.alert, ...alert }
}

/** Makes a connection for each slot that needs one. The connection's id is the slot's name. */
export async function placeConnections(store: Store, plan: Plan, organization: OrganizationId, circumstances: Circumstances): Promise<void> {
  for (const [slot, { integration, playbook, slot: name }] of Object.entries(slotsOf(plan))) {
    const instance = circumstances.connections[slot] ?? slot
    if (instance === false) continue
    await store.connections.create(systemScope, {
      id: asId<ConnectionId>(slot),
      organization,
      // Two slots may have the same instance, but names of instances must be unique.
      instance: slot,
      integration,
      description: '',
      fields: {},
      secrets: {},
      isDefault: false,
      slots: [`${playbook}.${name}`],
      expiresAt: null,
      remoteAgent: null,
      role: null,
      lastTest: null,
      revision: 1,
      createdAt: circumstances.now,
      createdBy: principal,
      modifiedAt: circumstances.now,
    })
  }
}
