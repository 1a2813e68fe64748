import {
  AlertStatus,
  asId,
  byOpening,
  type Case,
  type CaseUuid,
  continuesCase,
  deathsAfter,
  type ExecutionEnd,
  inScope,
  type JournalRecord,
  type Millis,
  type OrganizationId,
  type Run,
  type RunId,
  type Scope,
  type SessionId,
  stricterNeeded,
} from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import type { ClaimResult, RunClaim, RunEnd, RunSleep, RunStore, UndoClaim } from '../../port/index.ts'
import { mustReach } from '../../scope-guard.ts'
import { duplicateOf, forgetWindows } from '../alerts/fingerprints.ts'
import { deathsBefore } from '../alerts/preparing.ts'
import { continueCase, joinCase, openCase, recordEntry } from '../cases/cases.ts'
import { addEntry } from '../cases/timeline.ts'
import type { Synchronous } from '../database/index.ts'
import { heldByWhatIsOver, holdsAny, type Sql, scopeFilter, scopeParameter } from '../database/index.ts'
import { appendEntry, readEntries } from '../journal/journal.ts'
import { announce } from '../webhooks/announce.ts'
import { runCanceller } from './run-cancel.ts'
import { listRuns } from './run-list.ts'
import { readRun, toPending, toRun, wakeRun } from './run-rows.ts'
import { openUndo } from './run-undo.ts'
import { sessionState } from './sessions.ts'

/** Returns the case for an alert without one: the open case that it joins, or else a new case. */
function caseFor(sql: Sql, { run, alert, organization, opening, at }: RunClaim, code: string, alertId: string): Case {
  const mine = { alertId, alertUuid: alert }
  const joined = joinCase(sql, organization, mine, opening, at)
  const found = joined ?? openCase(sql, { id: organization, code }, mine, opening, at)
  const body = joined
    ? ({ kind: 'joined', text: continuesCase(alertId) } as const)
    : ({ kind: 'opened', text: `Case opened for alert ${alertId}` } as const)
  addEntry(sql, found.uuid, { key: `${run}#${body.kind}`, at, actor: { run, step: '' }, body })
  return found
}

/** Starts a run: writes the run, its case and the alert's status in the transaction of the claim. */
function begin(sql: Sql, claim: RunClaim): ClaimResult {
  const alert = sql.get(
    `SELECT a.id, a.uuid, a.alert_id, a.organization, a.organization_code, s.status, s.retry_count, s.case_uuid, s.case_id, s.preparing
     FROM alerts a JOIN alert_states s ON s.id = a.id WHERE a.uuid = ?`,
    claim.alert,
  )
  const waiting = alert && (alert['status'] === AlertStatus.created || alert['status'] === AlertStatus.submitted)
  if (!waiting || alert['organization'] !== claim.organization || Number(alert['retry_count']) + 1 !== claim.attempt) return { kind: 'over' }
  if (duplicateOf(sql, claim)) return { kind: 'duplicate' }
  let caseUuid = alert['case_uuid'] as CaseUuid | null
  let caseId = alert['case_id'] as string | null
  if (caseUuid === null || caseId === null) {
    const { uuid, caseId: name } = caseFor(sql, claim, String(alert['organization_code']), String(alert['alert_id']))
    caseUuid = uuid
    caseId = name
  } else continueCase(sql, caseUuid, { alertId: String(alert['alert_id']), alertUuid: claim.alert }, claim)
  const deaths = { inPlace: 0, total: deathsBefore(sql, alert['preparing'], claim.attempt) }
  sql.run(
    `INSERT INTO runs (id, alert, organization, type, attempt, state, epoch, owner, pins, case_uuid, case_id, started_at, deaths_total)
     VALUES (?, ?, ?, ?, ?, 'running', 1, ?, ?, ?, ?, ?, ?)`,
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
    deaths.total,
  )
  const claimed: JournalRecord = { kind: 'claimed', epoch: 1, owner: claim.session, at: claim.at }
  appendEntry(sql, claim.run, { position: 0, epoch: 1, format: 1, records: [claimed] })
  sql.run(
    `UPDATE OR FAIL alert_states SET status = 10, modified_at = ?, investigator = ?, case_uuid = ?, case_id = ?, waiting_since = NULL, held_by = NULL, completed_at = NULL
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
    undo: null,
    state: 'running',
    wakeAt: null,
    epoch: 1,
    owner: claim.session,
    deaths,
    pins: claim.pins,
    case: caseUuid,
    caseId,
    startedAt: claim.at,
    endedAt: null,
    reason: null,
    failure: null,
    retryAt: null,
    cancelled: null,
  }
  return { kind: 'claimed', run, position: 1, journal: [], heldSince: null }
}

/** Returns how the last execution of a run ended. Null if it is still going on. */
function executionEnd(sql: Sql, { state, owner }: Run, session: SessionId | null): ExecutionEnd | null {
  if (state === 'waiting') return 'slept'
  if (owner === session) return 'left'
  const of = sessionState(sql, owner)
  return of === 'alive' ? null : of === 'dead' ? 'died' : 'left'
}

/** Claims an existing run again. It continues from its journal, under the next epoch. */
function takeOver(sql: Sql, run: Run, claim: UndoClaim): ClaimResult {
  if (run.state !== 'waiting' && run.state !== 'running') return { kind: 'over' }
  if (run.state === 'waiting' && (run.wakeAt === null || run.wakeAt > claim.at)) return { kind: 'asleep' }
  const end = executionEnd(sql, run, claim.session)
  if (end === null) return { kind: 'held' }
  const journal = readEntries(sql, run.id)
  const deaths = deathsAfter(run, journal, end)
  const company = stricterNeeded(deaths, claim.among)
  if (company) return { kind: 'apart', company }
  const epoch = run.epoch + 1
  const position = (journal.at(-1)?.position ?? -1) + 1
  const heldSince = (sql.get('SELECT held_since FROM runs WHERE id = ?', run.id)?.['held_since'] ?? null) as Millis | null
  sql.run(
    `UPDATE runs SET state = 'running', wake_at = NULL, woken_at = NULL, held_by = NULL, held_since = NULL, epoch = ?, owner = ?, deaths = ?, deaths_total = ?
     WHERE id = ?`,
    epoch,
    claim.session,
    deaths.inPlace,
    deaths.total,
    run.id,
  )
  const claimed: JournalRecord = { kind: 'claimed', epoch, owner: claim.session, at: claim.at, ...(heldSince !== null && { heldSince }) }
  appendEntry(sql, run.id, { position, epoch, format: 1, records: [claimed] })
  const taken: Run = { ...run, state: 'running', wakeAt: null, epoch, owner: claim.session, deaths }
  return { kind: 'claimed', run: taken, position: position + 1, journal, heldSince }
}

function sleepRun(sql: Sql, { run: id, epoch, position, records, wakeAt, pause, at }: RunSleep): 'slept' | 'superseded' {
  const slept: JournalRecord = { kind: 'slept', until: wakeAt, ...(pause !== undefined && { pause }), at }
  if (!appendEntry(sql, id, { position, epoch, format: 1, records: [...records, slept] })) return 'superseded'
  // If somebody woke the run while it was running, for example to cancel it, the pause does not hold it: it
  // is looked at once more.
  if (pause !== undefined)
    sql.run('UPDATE runs SET held_by = iif(woken_at IS NULL, ?2, held_by), held_since = ifnull(held_since, ?3) WHERE id = ?1', id, pause, at)
  sql.run(
    `UPDATE runs SET state = 'waiting', woken_at = NULL,
       wake_at = CASE WHEN woken_at IS NULL THEN ?2 WHEN ?2 IS NULL THEN woken_at ELSE min(?2, woken_at) END
     WHERE id = ?1`,
    id,
    wakeAt,
  )
  return 'slept'
}

function endRun(sql: Sql, end: RunEnd): 'ended' | 'superseded' {
  const { run: id, epoch, position, records, state, reason, failure, retryAt, at, entries } = end
  const ended: JournalRecord = { kind: 'ended', state, reason, failure, ...(retryAt !== null && { retryAt }), at }
  if (!appendEntry(sql, id, { position, epoch, format: 1, records: [...records, ended] })) return 'superseded'
  // Not RETURNING: SQLite makes a temporary table for it, which costs more than both statements.
  const row = sql.get('SELECT alert, attempt, organization, case_uuid, undo FROM runs WHERE id = ?', id)
  if (!row) throw new TocsinError('internal', 'A run ended that does not exist.')
  sql.run(
    'UPDATE runs SET state = ?, ended_at = ?, reason = ?, failure = ?, retry_at = ? WHERE id = ?',
    state,
    at,
    reason,
    failure === null ? null : JSON.stringify(failure),
    retryAt,
    id,
  )
  if (state === 'failed') announce(sql, { type: 'run.failed', subject: id }, asId<OrganizationId>(String(row['organization'])), at)
  for (const entry of entries) recordEntry(sql, asId<CaseUuid>(String(row['case_uuid'])), null, entry)
  if (row['undo'] !== null) return 'ended'
  sql.run(
    `UPDATE OR FAIL alert_states SET status = ?, modified_at = ?, completed_at = ?, retry_at = ?
     WHERE id = (SELECT id FROM alerts WHERE uuid = ?) AND status = 10 AND retry_count = ?`,
    state === 'completed' ? AlertStatus.completed : AlertStatus.failed,
    at,
    at,
    retryAt,
    String(row['alert']),
    Number(row['attempt']) - 1,
  )
  return 'ended'
}

/** The `RunStore` of the port in SQLite. */
export function runTable(sql: Sql): Synchronous<RunStore> {
  const mustReachRun = (scope: Scope, id: RunId): void => {
    const run = scope.organizations === 'all' ? null : readRun(sql, id)
    mustReach(!run || inScope(scope, run.organization), 'run')
  }

  return {
    claim(scope, claim) {
      if (!inScope(scope, claim.organization)) return { kind: 'over' }
      const run = readRun(sql, claim.run)
      return run ? takeOver(sql, run, claim) : begin(sql, claim)
    },
    openUndo: (scope, opening) => openUndo(sql, scope, opening),
    claimUndo(scope, claim) {
      const run = readRun(sql, claim.run)
      return run?.undo && inScope(scope, run.organization) ? takeOver(sql, run, claim) : { kind: 'over' }
    },
    end(scope, end) {
      mustReachRun(scope, end.run)
      return endRun(sql, end)
    },
    sleep(scope, sleep) {
      mustReachRun(scope, sleep.run)
      return sleepRun(sql, sleep)
    },
    ...runCanceller(sql),
    wake(scope, id, at) {
      mustReachRun(scope, id)
      wakeRun(sql, id, at)
    },
    hold(scope, id, pause, since) {
      mustReachRun(scope, id)
      sql.run(
        `UPDATE runs SET held_by = ?2, held_since = ifnull(held_since, ?3)
         WHERE id = ?1 AND state IN ('waiting', 'running') AND cancelled IS NULL`,
        id,
        pause,
        since,
      )
    },
    release(scope, limit) {
      if (!holdsAny(sql, 'runs')) return 0
      return sql.run(
        `UPDATE runs SET held_by = NULL WHERE id IN (
           SELECT id FROM runs WHERE held_by IN (${heldByWhatIsOver('runs')}) AND ${scopeFilter('organization')} LIMIT ?2)`,
        scopeParameter(scope),
        limit,
      )
    },
    due(scope, now, limit, skip = 0) {
      return (
        sql
          .all(
            `SELECT * FROM runs
           WHERE state = 'waiting' AND held_by IS NULL AND wake_at <= ?2 AND ${scopeFilter('organization')}
           ORDER BY wake_at, id LIMIT ?3 OFFSET ?4`,
            scopeParameter(scope),
            now,
            limit,
            skip,
          )
          .map(toRun)
          // A run that slept has made progress.
          .map((run) => toPending(run, { ...run.deaths, inPlace: 0 }))
      )
    },
    get(scope, id) {
      const run = readRun(sql, id)
      return run && inScope(scope, run.organization) ? run : null
    },
    list: (scope, query) => listRuns(sql, scope, query),
    ofAlert(scope, alert) {
      return sql
        .all('SELECT * FROM runs WHERE id >= ? AND id < ? AND undo IS NULL ORDER BY attempt', `${alert}-r`, `${alert}-s`)
        .map(toRun)
        .filter((run) => inScope(scope, run.organization))
    },
    undosOfAlert(scope, alert) {
      const found = sql.all('SELECT * FROM runs WHERE id >= ? AND id < ? AND undo IS NOT NULL', `${alert}-r`, `${alert}-s`).map(toRun)
      return found.filter((run) => inScope(scope, run.organization)).sort(byOpening)
    },
    orphans(scope, limit) {
      const rows = sql.all(
        `SELECT r.* FROM runs r LEFT JOIN sessions s ON s.id = r.owner
         WHERE r.state = 'running' AND r.held_by IS NULL AND (s.id IS NULL OR s.state != 'alive') AND ${scopeFilter('r.organization')}
         ORDER BY r.epoch LIMIT ?2`,
        scopeParameter(scope),
        limit,
      )
      return rows.map(toRun).map((run) => {
        // The journal is only needed if a process has died in the run. It shows whether the run has made
        // progress since.
        const journal = run.deaths.inPlace > 0 ? readEntries(sql, run.id) : []
        return toPending(run, deathsAfter(run, journal, executionEnd(sql, run, null) ?? 'left'))
      })
    },
    forgetWindows: (scope, before) => forgetWindows(sql, scope, before),
    // A claim or an end is one transaction here, so there is nothing to repair.
    settle: () => 0,
  }
}
