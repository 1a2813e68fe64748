import type { Alert } from '../../../domain/index.ts'
import type { Row } from '../database/index.ts'

/** The columns of an alert from both tables: what the source sent, and what the investigation changed. */
export const alertColumns = `a.id, a.uuid, a.organization, a.organization_code, a.provider, a.numbered_as, a.sequence, a.alert_id, a.type, a.name,
  a.created_at, a.created_at_source, a.created_by, a.idempotency_key, a.idempotency_digest,
  s.status, s.retry_count, s.modified_at, s.investigator, s.case_uuid, s.case_id, s.completed_at,
  s.duplicate_of, (SELECT f.alert_id FROM alerts f WHERE f.uuid = s.duplicate_of) AS duplicate_of_id`

export const alertTables = 'alerts a JOIN alert_states s ON s.id = a.id'

export function toAlert(row: Row): Alert {
  return {
    uuid: row['uuid'],
    organization: row['organization'],
    organizationCode: row['organization_code'],
    provider: row['provider'],
    numberedAs: row['numbered_as'],
    type: row['type'],
    content: row['content'],
    name: row['name'],
    createdAt: row['created_at'],
    createdAtSource: row['created_at_source'],
    createdBy: row['created_by'],
    idempotency: row['idempotency_key'] === null ? null : { key: row['idempotency_key'], digest: row['idempotency_digest'] },
    sequence: row['sequence'],
    alertId: row['alert_id'],
    status: row['status'],
    retryCount: row['retry_count'],
    modifiedAt: row['modified_at'],
    investigator: row['investigator'],
    case: row['case_uuid'],
    caseId: row['case_id'],
    completedAt: row['completed_at'],
    duplicateOf: row['duplicate_of'] === null ? null : { alertId: row['duplicate_of_id'], alertUuid: row['duplicate_of'] },
  } as unknown as Alert
}
