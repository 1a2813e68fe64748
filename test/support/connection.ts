import { asId, type Connection, type PrincipalId } from '../../runtime/domain/index.ts'

/** A connection as it is when it was just made, but for what the test says. */
export function connectionOf(over: Partial<Connection> & Pick<Connection, 'id' | 'integration'>): Connection {
  return {
    organization: null,
    instance: over.integration,
    description: '',
    fields: {},
    secrets: {},
    isDefault: false,
    slots: [],
    expiresAt: null,
    remoteAgent: null,
    role: null,
    lastTest: null,
    revision: 1,
    createdAt: 0,
    createdBy: asId<PrincipalId>('tester'),
    modifiedAt: 0,
    ...over,
  }
}
