import { asId, type Connection, type PrincipalId } from '../../runtime/domain/index.ts'

/** Builds a new connection, with the fields that the test changes. */
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
