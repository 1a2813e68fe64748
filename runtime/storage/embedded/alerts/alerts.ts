import {
  type Alert,
  AlertStatus,
  type AlertUuid,
  asId,
  endedStatuses,
  foldCode,
  inScope,
  type NewAlert,
  normaliseType,
  type OrganizationId,
  type PauseId,
  type Scope,
  stricterNeeded,
} from '../../../domain/index.ts'
import type { AlertStore, InsertedAlert, PendingAlert } from '../../port/index.ts'
import { mustReach } from '../../scope-guard.ts'
import type { Synchronous } from '../database/index.ts'
import { heldByWhatIsOver, holdsAny, type Row, type Sql, scopeFilter, scopeParameter, takeNumbers } from '../database/index.ts'
import { sessionState } from '../runs/sessions.ts'
import { alertLists } from './alert-list.ts'
import { alertColumns, alertTables, toAlert } from './alert-rows.ts'
import { deathsBefore, markOf } from './preparing.ts'

const select = `SELECT ${alertColumns}, a.content FROM ${alertTables}`

function toPending(row: Row, deaths = 0): PendingAlert {
  return {
    uuid: asId<AlertUuid>(String(row['uuid'])),
    organization: asId<OrganizationId>(String(row['organization'])),
    type: String(row['type_key']),
    retryCount: Number(row['retry_count']),
    deaths,
  }
}

/** The `AlertStore` of the port in SQLite. */
export function alertTable(sql: Sql): Synchronous<AlertStore> {
  const lists = alertLists(sql)
  const one = (scope: Scope, column: 'uuid' | 'alert_id', value: string): Alert | null => {
    const row = sql.get(`${select} WHERE a.${column} = ?`, value)
    const alert = row ? toAlert(row) : null
    return alert && inScope(scope, alert.organization) ? alert : null
  }
  const earlier = ({ createdBy, idempotency }: NewAlert): Alert | null => {
    if (!idempotency) return null
    const row = sql.get(`${select} WHERE a.created_by = ? AND a.idempotency_key = ?`, createdBy, idempotency.key)
    return row ? toAlert(row) : null
  }

  return {
    insert(scope, alerts) {
      for (const { organization } of alerts) mustReach(inScope(scope, organization), 'alert')
      const counts = new Map<string, number>()
      const firstOf = new Map<string, NewAlert>()
      // Find repeats before taking numbers, so that they take none.
      const plan = alerts.map((alert) => {
        const slot = alert.idempotency ? `${alert.createdBy} ${alert.idempotency.key}` : null
        const standing = earlier(alert) ?? (slot === null ? undefined : firstOf.get(slot)) ?? null
        if (standing) return { alert, standing }
        if (slot !== null) firstOf.set(slot, alert)
        counts.set(alert.numberedAs, (counts.get(alert.numberedAs) ?? 0) + 1)
        return { alert, standing: null }
      })
      const next = new Map([...counts].map(([key, count]) => [key, takeNumbers(sql, `alert ${key}`, count)]))
      const inserted = new Map<AlertUuid, Alert>()
      return plan.map(({ alert, standing }): InsertedAlert => {
        if (standing) return { alert: inserted.get(standing.uuid) ?? (standing as Alert), fresh: false }
        const sequence = next.get(alert.numberedAs)!
        next.set(alert.numberedAs, sequence + 1)
        const numbered = insertOne(sql, alert, sequence)
        inserted.set(alert.uuid, numbered)
        return { alert: numbered, fresh: true }
      })
    },
    get(scope, uuids) {
      const found = uuids.map((uuid) => one(scope, 'uuid', uuid))
      return found.filter((alert) => alert !== null)
    },
    names: (scope, uuids) =>
      sql
        .all(
          `SELECT a.uuid, a.organization, a.alert_id, a.name, s.case_id FROM ${alertTables}
           WHERE a.uuid IN (SELECT value FROM json_each(?2)) AND ${scopeFilter('a.organization')}`,
          scopeParameter(scope),
          JSON.stringify(uuids),
        )
        .map((row) => ({
          uuid: asId<AlertUuid>(String(row['uuid'])),
          organization: asId<OrganizationId>(String(row['organization'])),
          alertId: String(row['alert_id']),
          name: String(row['name']),
          caseId: row['case_id'] === null ? null : String(row['case_id']),
        })),
    byAlertId: (scope, alertId) => one(scope, 'alert_id', alertId),
    list: lists.list,
    tally: lists.tally,
    submit(scope, uuids, at) {
      // A fast worker may already have claimed an alert. Then waiting_since is NULL, and nothing changes.
      sql.run(
        `UPDATE OR FAIL alert_states SET modified_at = iif(status = 0, ?3, modified_at), status = 5, waiting_since = max(waiting_since, ?3)
         WHERE id IN (SELECT a.id FROM json_each(?2) u CROSS JOIN alerts a ON a.uuid = u.value WHERE ${scopeFilter('a.organization')})
           AND +status IN (0, 5) AND waiting_since IS NOT NULL`,
        scopeParameter(scope),
        JSON.stringify(uuids),
        at,
      )
    },
    retry(scope, uuid, at) {
      const alert = one(scope, 'uuid', uuid)
      if (!alert) return null
      if (!endedStatuses.includes(alert.status)) return { retried: false, alert }
      sql.run(
        `UPDATE OR FAIL alert_states SET status = 5, retry_count = retry_count + 1, modified_at = ?2, waiting_since = ?2, completed_at = NULL, retry_at = NULL,
           duplicate_of = NULL
         WHERE id = (SELECT id FROM alerts WHERE uuid = ?1)`,
        uuid,
        at,
      )
      return { retried: true, alert: one(scope, 'uuid', uuid) ?? alert }
    },
    retryDue(scope, now, limit) {
      const due = sql.all(
        `SELECT s.id, a.uuid, a.organization, a.type_key, s.retry_count + 1 AS retry_count FROM alert_states s JOIN alerts a ON a.id = s.id
         WHERE s.retry_at <= ?2 AND s.status = 20 AND ${scopeFilter('a.organization')} ORDER BY s.retry_at LIMIT ?3`,
        scopeParameter(scope),
        now,
        limit,
      )
      for (const row of due)
        sql.run(
          `UPDATE OR FAIL alert_states SET status = 5, retry_count = retry_count + 1, modified_at = ?2, waiting_since = ?2, completed_at = NULL, retry_at = NULL
           WHERE id = ?1`,
          Number(row['id']),
          now,
        )
      return due.map((row) => toPending(row))
    },
    repeats(scope, first) {
      const found = { scope: scopeParameter(scope), first }
      const duplicates = `FROM alert_states s JOIN alerts a ON a.id = s.id
        WHERE s.duplicate_of = :first AND (:scope IS NULL OR a.organization IN (SELECT value FROM json_each(:scope)))`
      const [counted] = sql.allNamed(`SELECT count(*) AS count ${duplicates}`, found)
      const [latest] = sql.allNamed(`SELECT a.alert_id, a.created_at ${duplicates} ORDER BY a.created_at DESC, a.uuid DESC LIMIT 1`, found)
      return {
        count: Number(counted?.['count']),
        latest: latest ? { alertId: String(latest['alert_id']), createdAt: Number(latest['created_at']) } : null,
      }
    },
    pending(scope, before, limit) {
      return sql
        .all(
          `SELECT a.uuid, a.organization, a.type_key, s.retry_count, s.preparing FROM alert_states s CROSS JOIN alerts a ON a.id = s.id
           WHERE s.waiting_since < ?2 AND ${scopeFilter('a.organization')} ORDER BY s.waiting_since LIMIT ?3`,
          scopeParameter(scope),
          before,
          limit,
        )
        .map((row) => toPending(row, deathsBefore(sql, row['preparing'], Number(row['retry_count']) + 1)))
    },
    prepare(scope, uuid, { attempt, session, among }) {
      const row = sql.get(
        `SELECT s.id, s.status, s.retry_count, s.preparing FROM alert_states s JOIN alerts a ON a.id = s.id WHERE a.uuid = ?2 AND ${scopeFilter('a.organization')}`,
        scopeParameter(scope),
        uuid,
      )
      if (!row) return 0
      const deaths = deathsBefore(sql, row['preparing'], attempt)
      const standing = markOf(row['preparing'])
      if (stricterNeeded({ inPlace: deaths, total: deaths }, among)) return deaths
      const by = standing?.attempt === attempt ? standing.session : null
      const others = by !== null && by !== session && sessionState(sql, by) === 'alive'
      const waits = row['status'] === AlertStatus.created || row['status'] === AlertStatus.submitted
      if (waits && !others && Number(row['retry_count']) + 1 === attempt)
        sql.run('UPDATE alert_states SET preparing = ?2 WHERE id = ?1', Number(row['id']), JSON.stringify({ attempt, session, deaths }))
      return deaths
    },
    prepared(scope, uuid, session) {
      sql.run(
        `UPDATE alert_states SET preparing = json_set(preparing, '$.session', NULL)
         WHERE id = (SELECT id FROM alerts WHERE uuid = ?2 AND ${scopeFilter('organization')}) AND preparing ->> '$.session' = ?3`,
        scopeParameter(scope),
        uuid,
        session,
      )
    },
    hold(scope, uuid, pause) {
      sql.run(
        `UPDATE alert_states SET waiting_since = NULL, held_by = ?3
         WHERE id = (SELECT id FROM alerts WHERE uuid = ?2 AND ${scopeFilter('organization')}) AND waiting_since IS NOT NULL`,
        scopeParameter(scope),
        uuid,
        pause,
      )
    },
    heldBy(scope, uuid) {
      const row = sql.get(
        `SELECT s.held_by FROM alert_states s JOIN alerts a ON a.id = s.id WHERE a.uuid = ?2 AND ${scopeFilter('a.organization')}`,
        scopeParameter(scope),
        uuid,
      )
      return typeof row?.['held_by'] === 'string' ? asId<PauseId>(row['held_by']) : null
    },
    release(scope, at, limit) {
      if (!holdsAny(sql, 'alert_states')) return []
      const rows = sql.all(
        `SELECT s.id, a.uuid, a.organization, a.type_key, s.retry_count, s.status, s.preparing FROM alert_states s CROSS JOIN alerts a ON a.id = s.id
         WHERE s.held_by IN (${heldByWhatIsOver('alert_states')}) AND ${scopeFilter('a.organization')} ORDER BY s.id LIMIT ?2`,
        scopeParameter(scope),
        limit,
      )
      // An alert that was claimed in spite of the pause no longer waits.
      for (const { id } of rows)
        sql.run(
          'UPDATE alert_states SET held_by = NULL, waiting_since = iif(status IN (0, 5), ifnull(waiting_since, ?2), NULL) WHERE id = ?1',
          Number(id),
          at,
        )
      return rows
        .filter(({ status }) => status === AlertStatus.created || status === AlertStatus.submitted)
        .map((row) => toPending(row, deathsBefore(sql, row['preparing'], Number(row['retry_count']) + 1)))
    },
    // An insert is one transaction here, so a crash leaves nothing to repair.
    repair: () => 0,
  }
}

function insertOne(sql: Sql, alert: NewAlert, sequence: number): Alert {
  const { tokens, ...kept } = alert
  const alertId = `${alert.numberedAs}-${sequence}`
  const id = sql.insert(
    `INSERT INTO alerts (uuid, organization, organization_code, provider, provider_folded, numbered_as, sequence, alert_id, type, type_key, content,
       name, created_at, created_at_source, created_by, idempotency_key, idempotency_digest)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    alert.uuid,
    alert.organization,
    alert.organizationCode,
    alert.provider,
    foldCode(alert.provider),
    alert.numberedAs,
    sequence,
    alertId,
    alert.type,
    alert.type === null ? null : normaliseType(alert.type),
    alert.content,
    alert.name,
    alert.createdAt,
    alert.createdAtSource,
    alert.createdBy,
    alert.idempotency?.key ?? null,
    alert.idempotency?.digest ?? null,
  )
  sql.run(
    'INSERT INTO alert_states (id, status, retry_count, modified_at, waiting_since) VALUES (?, 0, 0, ?, ?)',
    id,
    alert.createdAt,
    alert.type === null ? null : alert.createdAt,
  )
  sql.run('INSERT INTO alert_tail (id, created_at, uuid, words) VALUES (?, ?, ?, ?)', id, alert.createdAt, alert.uuid, ` ${tokens.join(' ')} `)
  return {
    ...kept,
    sequence,
    alertId,
    status: AlertStatus.created,
    retryCount: 0,
    modifiedAt: alert.createdAt,
    investigator: null,
    case: null,
    caseId: null,
    completedAt: null,
    duplicateOf: null,
  }
}
