import {
  affectsCase,
  type Case,
  type CaseAfter,
  type CaseAlert,
  type CaseChange,
  type CaseOpening,
  type CaseUuid,
  caseAfter,
  continuesCase,
  emptyDesk,
  inScope,
  type Millis,
  mostAlertsOfCase,
  needsAttention,
  noMarks,
  type Organization,
  type OrganizationId,
  type TimelineEntry,
} from '../../../domain/index.ts'
import type { CaseStore, RunClaim } from '../../port/index.ts'
import type { Synchronous } from '../database/index.ts'
import { type Sql, takeNumbers } from '../database/index.ts'
import { announce } from '../webhooks/announce.ts'
import { listCases } from './case-list.ts'
import { toCase } from './case-rows.ts'
import { addMentions, listMentions } from './mentions.ts'
import { addEntry, entriesByKey, readTimeline } from './timeline.ts'
import { CaseSegments } from './words/index.ts'

export function caseByUuid(sql: Sql, uuid: CaseUuid): Case | null {
  const row = sql.get('SELECT * FROM cases WHERE uuid = ?', uuid)
  return row ? toCase(row) : null
}

/**
 * Writes an entry and the changes that it implies for the case. Returns false, and changes nothing, if the
 * case has an entry with that key.
 */
export function recordEntry(sql: Sql, uuid: CaseUuid, change: CaseChange | null, entry: TimelineEntry): boolean {
  const standing = change || affectsCase(entry.body) ? caseByUuid(sql, uuid) : null
  if (!standing) return addEntry(sql, uuid, entry)
  const after = caseAfter(standing, entry, change)
  if (!addEntry(sql, uuid, after.entry)) return false
  applyChange(sql, standing, after)
  return true
}

/**
 * Adds the alert to the open case that the opening may join. If there are several, the case that changed
 * last. Null if there is none.
 */
export function joinCase(sql: Sql, organization: OrganizationId, alert: CaseAlert, { join }: CaseOpening, at: Millis): Case | null {
  if (!join) return null
  const row = sql.get(
    `SELECT * FROM cases WHERE organization = ? AND join_key = ? AND modified_at >= ? AND status <> 'closed' AND json_array_length(alerts) < ?
     ORDER BY modified_at DESC, number DESC LIMIT 1`,
    organization,
    join.key,
    at - join.within,
    mostAlertsOfCase,
  )
  if (!row) return null
  const found = toCase(row)
  const alerts = [...found.alerts, alert]
  const modifiedAt = Math.max(at, found.modifiedAt)
  sql.run('UPDATE cases SET alerts = ?, modified_at = ? WHERE uuid = ?', JSON.stringify(alerts), modifiedAt, found.uuid)
  return { ...found, alerts, modifiedAt }
}

/**
 * Adds an alert that was a duplicate to the case that it points to. Does nothing if the alert is in the case
 * already.
 */
export function continueCase(sql: Sql, uuid: CaseUuid, alert: CaseAlert, { run, at }: Pick<RunClaim, 'run' | 'at'>): void {
  const row = sql.get('SELECT * FROM cases WHERE uuid = ?', uuid)
  if (!row) return
  const { alerts, modifiedAt } = toCase(row)
  if (alerts.some(({ alertUuid }) => alertUuid === alert.alertUuid)) return
  sql.run('UPDATE cases SET alerts = ?, modified_at = ? WHERE uuid = ?', JSON.stringify([...alerts, alert]), Math.max(at, modifiedAt), uuid)
  addEntry(sql, uuid, { key: `${run}#joined`, at, actor: { run, step: '' }, body: { kind: 'joined', text: continuesCase(alert.alertId) } })
}

/** Opens a case for an alert, with the organization's next number. */
export function openCase(sql: Sql, organization: Pick<Organization, 'id' | 'code'>, alert: CaseAlert, opening: CaseOpening, at: Millis): Case {
  const number = takeNumbers(sql, `case ${organization.code}`, 1)
  const caseId = `${organization.code}-${number}`
  // OR FAIL, because the table has triggers: see decision 93.
  sql.run(
    `INSERT OR FAIL INTO cases (uuid, organization, number, case_id, alerts, title, severity, status, disposition, created_at, modified_at, join_key)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'new', 'pending', ?, ?, ?)`,
    opening.uuid,
    organization.id,
    number,
    caseId,
    JSON.stringify([alert]),
    opening.title,
    opening.severity,
    at,
    at,
    opening.join?.key ?? null,
  )
  announce(sql, { type: 'case.opened', subject: opening.uuid }, organization.id, at)
  return {
    uuid: opening.uuid,
    title: opening.title,
    severity: opening.severity,
    organization: organization.id,
    number,
    caseId,
    alerts: [alert],
    status: 'new',
    disposition: 'pending',
    assignee: null,
    summary: null,
    marks: noMarks,
    desk: emptyDesk,
    createdAt: at,
    modifiedAt: at,
  }
}

function applyChange(sql: Sql, standing: Case, { change, marks, desk, entry }: CaseAfter): void {
  const next = { ...standing, ...change }
  sql.run(
    `UPDATE OR FAIL cases SET title = ?, severity = ?, status = ?, disposition = ?, assignee = ?, summary = ?, marks = ?, desk = ?, attention = ?,
       modified_at = ?
     WHERE uuid = ?`,
    next.title,
    next.severity,
    next.status,
    next.disposition,
    next.assignee,
    next.summary,
    JSON.stringify(marks),
    desk === emptyDesk ? null : JSON.stringify(desk),
    needsAttention(marks) ? 1 : 0,
    entry.at,
    next.uuid,
  )
}

/** The `CaseStore` of the port in SQLite. */
export function caseTable(sql: Sql): Synchronous<CaseStore> {
  const segments = new CaseSegments(sql)
  const one: (scope: Parameters<CaseStore['get']>[0], column: 'uuid' | 'case_id', value: string) => Case | null = (scope, column, value) => {
    const row = sql.get(`SELECT * FROM cases WHERE ${column} = ?`, value)
    const found = row ? toCase(row) : null
    return found && inScope(scope, found.organization) ? found : null
  }

  return {
    byCaseId: (scope, caseId) => one(scope, 'case_id', caseId),
    get: (scope, uuid) => one(scope, 'uuid', uuid),
    list: (scope, query) => listCases(sql, segments, scope, query),
    continued(scope, caseIds) {
      const rows = sql.all(
        "SELECT * FROM cases WHERE case_id IN (SELECT value FROM json_each(?)) AND desk ->> '$.into' IS NOT NULL",
        JSON.stringify(caseIds),
      )
      return new Map(
        rows
          .map(toCase)
          .filter(({ organization }) => inScope(scope, organization))
          .flatMap(({ caseId, desk: { into } }) => (into ? [[caseId, into]] : [])),
      )
    },
    timeline(scope, uuid, part) {
      return one(scope, 'uuid', uuid) ? readTimeline(sql, uuid, part) : { entries: [], earlier: null }
    },
    entries(scope, uuid, keys) {
      return one(scope, 'uuid', uuid) ? entriesByKey(sql, uuid, keys) : []
    },
    mentions: (scope, principal, page) => listMentions(sql, scope, principal, page),
    record(scope, uuid, change, entry) {
      const standing = one(scope, 'uuid', uuid)
      if (!standing) return null
      if (!recordEntry(sql, uuid, change, entry)) return standing
      addMentions(sql, standing, entry)
      return caseByUuid(sql, uuid)
    },
  }
}
