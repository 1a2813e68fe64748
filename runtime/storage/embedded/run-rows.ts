import type { Run } from '../../domain/index.ts'
import type { PendingAlert } from '../port.ts'
import type { Row } from './sql.ts'

export function toRun(row: Row): Run {
  return {
    id: row['id'],
    alert: row['alert'],
    organization: row['organization'],
    type: row['type'],
    attempt: row['attempt'],
    state: row['state'],
    wakeAt: row['wake_at'],
    epoch: row['epoch'],
    owner: row['owner'],
    // Runs of before there were sub-playbooks have pinned none.
    pins: { playbooks: {}, ...JSON.parse(String(row['pins'])) },
    case: row['case_uuid'],
    caseId: row['case_id'],
    startedAt: row['started_at'],
    endedAt: row['ended_at'],
    reason: row['reason'],
    failure: row['failure'] === null ? null : JSON.parse(String(row['failure'])),
  } as Run
}

export function toPending(row: Row): PendingAlert {
  return { uuid: row['alert'], organization: row['organization'], type: row['type'], retryCount: Number(row['attempt']) - 1 } as PendingAlert
}
