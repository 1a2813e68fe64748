import { type Case, emptyDesk, noMarks } from '../../../domain/index.ts'
import type { Row } from '../database/index.ts'

export function toCase(row: Row): Case {
  return {
    uuid: row['uuid'],
    organization: row['organization'],
    number: row['number'],
    caseId: row['case_id'],
    alerts: JSON.parse(String(row['alerts'])),
    title: row['title'],
    severity: row['severity'],
    status: row['status'],
    disposition: row['disposition'],
    assignee: row['assignee'],
    summary: row['summary'],
    marks: row['marks'] === null ? noMarks : JSON.parse(String(row['marks'])),
    desk: row['desk'] === null ? emptyDesk : JSON.parse(String(row['desk'])),
    createdAt: row['created_at'],
    modifiedAt: row['modified_at'],
  } as Case
}
