import {
  type AlertFetch,
  type ConnectionId,
  type FetchAttempt,
  type FetchId,
  type FetchState,
  newFetchState,
  type OrganizationId,
  type PrincipalId,
} from '../../../../runtime/domain/index.ts'
import { noon, uuid } from '../fixtures.ts'

/** Returns an enabled fetch. Its texts would be paths in an update of MongoDB. */
export function newFetch(organization: OrganizationId, parts: Partial<AlertFetch> = {}): AlertFetch {
  return {
    id: uuid<FetchId>(),
    organization,
    name: '$name',
    connection: uuid<ConnectionId>(),
    skill: 'list_detections',
    input: { $since: '$since', '': [null, { 'a.b': '{{ since.iso }}', 'nul\0': '\0' }] },
    reading: { items: '/detections', provider: '$EDR', type: '$type', typeAt: null, idAt: '/id', createdAt: '/at' },
    every: 60_000,
    overlap: 0,
    enabled: true,
    principal: uuid<PrincipalId>(),
    revision: 1,
    createdAt: noon,
    createdBy: uuid<PrincipalId>(),
    modifiedAt: noon,
    ...parts,
  }
}

const ended: FetchAttempt = { endedAt: noon + 9, since: noon, until: noon + 8, found: 3, fresh: 1, repeated: 1, changed: 1, failure: null }

/** The state after an attempt that fetched everything. */
export const fetched: FetchState = { since: noon + 8, failures: 0, halvings: 0, last: ended, fetchedAt: noon + 9 }
/** The state after an attempt that failed. */
export const failed: FetchState = {
  ...newFetchState(noon),
  failures: 1,
  halvings: 1,
  last: { ...ended, failure: { code: '$code', message: '$message', remedy: null } },
}
