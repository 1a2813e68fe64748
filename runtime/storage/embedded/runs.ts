import { AlertStatus, asId, type CaseUuid, inScope, type JournalRecord, type Run, type RunId, type SessionId } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { ClaimResult, PendingAlert, RunClaim, RunEnd, RunStore } from '../port.ts'
import { addEntry, openCase } from './cases.ts'
import { appendEntry, readEntries } from './journal.ts'
import { type Row, type Sql, scopeFilter, scopeParameter } from './sql.ts'
import type { Synchronous } from './synchronous.ts'

function toRun(row: Row): Run {
  return {
    id: row['id'],
    alert: row['alert'],
    organization: row['organization'],
    type: row['type'],
    attempt: row['attempt'],
    state: row['state'],
    epoch: row['epoch'],
    owner: row['owner'],
    pins: JSON.parse(String(row['pins'])),
    case: row['case_uuid'],
    caseId: row['case_id'],
    startedAt: row['started_at'],
    endedAt: row['ended_at'],
    reason: row['reason'],
    failure: row['failure'] === null ? null : JSON.parse(String(row['failure'])),
  } as Run
}

function readRun(sql: Sql, id: RunId): Run | null {
  const row = sql.get('SELECT * FROM runs WHERE id = ?', id)
  return row ? toRun(row) : null
}

function alive(sql: Sql, session: SessionId): boolean {
  return sql.get("SELECT 1 FROM sessions WHERE id = ? AND state = 'alive'", session) !== undefined
}

/** A run's first life: its record, its case, and the alert's projection, all in the transaction of the claim. */
function begin(sql: Sql, claim: RunClaim): ClaimResult {
  const alert = sql.get(
    `SELECT a.id, a.uuid, a.alert_id, a.organization, a.organization_code, s.status, s.retry_count, s.case_uuid, s.case_id
     FROM alerts a JOIN alert_states s ON s.id = a.id WHERE a.uuid = ?`,
    claim.alert,
  )
  const waiting = alert && (alert['status'] === AlertStatus.created || alert['status'] === AlertStatus.submitted)
  if (!waiting || alert['organization'] !== claim.organization || Number(alert['retry_count']) + 1 !== claim.attempt) return { kind: 'over' }
  let caseUuid = alert['case_uuid'] as CaseUuid | null
  let caseId = alert['case_id'] as string | null
  if (caseUuid === null || caseId === null) {
    const opened = openCase(
      sql,
      { id: claim.organization, code: String(alert['organization_code']) },
      { alertId: String(alert['alert_id']), alertUuid: claim.alert },
      claim.opening,
      claim.at,
    )
    caseUuid = opened.uuid
    caseId = opened.caseId
    const text = `Case opened for alert ${String(alert['alert_id'])}`
    addEntry(sql, caseUuid, { key: `${claim.run}#opened`, at: claim.at, actor: { run: claim.run, step: '' }, body: { kind: 'opened', text } })
  }
  sql.run(
    `INSERT INTO runs (id, alert, organization, type, attempt, state, epoch, owner, pins, case_uuid, case_id, started_at)
     VALUES (?, ?, ?, ?, ?, 'running', 1, ?, ?, ?, ?, ?)`,
    claim.run,
    claim.alert,
    claim.organization,
    claim.type,
    claim.attempt,
    claim.session,
    JSON.stringify(claim.pins),
    caseUuid,
    caseId,
    claim.at,
  )
  const claimed: JournalRecord = { kind: 'claimed', epoch: 1, owner: claim.session, at: claim.at }
  appendEntry(sql, claim.run, { position: 0, epoch: 1, format: 1, records: [claimed] })
  sql.run(
    `UPDATE alert_states SET status = 10, modified_at = ?, investigator = ?, case_uuid = ?, case_id = ?, waiting_since = NULL, completed_at = NULL
     WHERE id = ?`,
    claim.at,
    claim.pins.playbook.name,
    caseUuid,
    caseId,
    Number(alert['id']),
  )
  const run: Run = {
    id: claim.run,
    alert: claim.alert,
    organization: claim.organization,
    type: claim.type,
    attempt: claim.attempt,
    state: 'running',
    epoch: 1,
    owner: claim.session,
    pins: claim.pins,
    case: caseUuid,
    caseId,
    startedAt: claim.at,
    endedAt: null,
    reason: null,
    failure: null,
  }
  return { kind: 'claimed', run, position: 1, journal: [] }
}

/** A later life: the run goes on from its journal, under the next epoch. */
function takeOver(sql: Sql, run: Run, claim: RunClaim): ClaimResult {
  if (run.state !== 'running') return { kind: 'over' }
  if (run.owner !== claim.session && alive(sql, run.owner)) return { kind: 'held' }
  const journal = readEntries(sql, run.id)
  const epoch = run.epoch + 1
  const position = (journal.at(-1)?.position ?? -1) + 1
  sql.run('UPDATE runs SET epoch = ?, owner = ? WHERE id = ?', epoch, claim.session, run.id)
  appendEntry(sql, run.id, { position, epoch, format: 1, records: [{ kind: 'claimed', epoch, owner: claim.session, at: claim.at }] })
  return { kind: 'claimed', run: { ...run, epoch, owner: claim.session }, position: position + 1, journal }
}

function endRun(sql: Sql, end: RunEnd): 'ended' | 'superseded' {
  const { run: id, epoch, position, records, state, reason, failure, at, entries } = end
  const ended: JournalRecord = { kind: 'ended', state, reason, failure, at }
  if (!appendEntry(sql, id, { position, epoch, format: 1, records: [...records, ended] })) return 'superseded'
  const row = sql.get(
    `UPDATE runs SET state = ?, ended_at = ?, reason = ?, failure = ? WHERE id = ? RETURNING alert, attempt, case_uuid`,
    state,
    at,
    reason,
    failure === null ? null : JSON.stringify(failure),
    id,
  )
  if (!row) throw new TocsinError('internal', 'A run ended that was never claimed.')
  for (const entry of entries) addEntry(sql, asId<CaseUuid>(String(row['case_uuid'])), entry)
  sql.run(
    `UPDATE alert_states SET status = ?, modified_at = ?, completed_at = ?
     WHERE id = (SELECT id FROM alerts WHERE uuid = ?) AND status = 10 AND retry_count = ?`,
    state === 'completed' ? AlertStatus.completed : AlertStatus.failed,
    at,
    at,
    String(row['alert']),
    Number(row['attempt']) - 1,
  )
  return 'ended'
}

export function runTable(sql: Sql): Synchronous<RunStore> {
  return {
    claim(scope, claim) {
      if (!inScope(scope, claim.organization)) return { kind: 'over' }
      const run = readRun(sql, claim.run)
      return run ? takeOver(sql, run, claim) : begin(sql, claim)
    },
    end(scope, end) {
      const run = scope.organizations === 'all' ? null : readRun(sql, end.run)
      if (run && !inScope(scope, run.organization))
        throw new TocsinError('organization_forbidden', 'The run belongs to an organization out of reach.')
      return endRun(sql, end)
    },
    get(scope, id) {
      const run = readRun(sql, id)
      return run && inScope(scope, run.organization) ? run : null
    },
    ofAlert(scope, alert) {
      return sql
        .all('SELECT * FROM runs WHERE id >= ? AND id < ? ORDER BY attempt', `${alert}-r`, `${alert}-s`)
        .map(toRun)
        .filter((run) => inScope(scope, run.organization))
    },
    orphans(scope, limit) {
      const rows = sql.all(
        `SELECT r.alert, r.organization, r.type, r.attempt FROM runs r LEFT JOIN sessions s ON s.id = r.owner
         WHERE r.state = 'running' AND (s.id IS NULL OR s.state = 'dead') AND ${scopeFilter('r.organization')} LIMIT ?2`,
        scopeParameter(scope),
        limit,
      )
      return rows.map(
        (row) =>
          ({ uuid: row['alert'], organization: row['organization'], type: row['type'], retryCount: Number(row['attempt']) - 1 }) as PendingAlert,
      )
    },
    // Claims and ends are one transaction each here: no projection can lag.
    settle: () => 0,
  }
}
