import type { Millis, Run, RunDeaths, RunId } from '../../../domain/index.ts'
import type { PendingRun } from '../../port/index.ts'
import type { Row, Sql } from '../database/index.ts'

export function toRun(row: Row): Run {
  return {
    id: row['id'],
    alert: row['alert'],
    organization: row['organization'],
    type: row['type'],
    attempt: row['attempt'],
    undo: row['undo'] === null ? null : JSON.parse(String(row['undo'])),
    state: row['state'],
    wakeAt: row['wake_at'],
    epoch: row['epoch'],
    owner: row['owner'],
    deaths: { inPlace: row['deaths'], total: row['deaths_total'] },
    pins: JSON.parse(String(row['pins'])),
    case: row['case_uuid'],
    caseId: row['case_id'],
    startedAt: row['started_at'],
    endedAt: row['ended_at'],
    reason: row['reason'],
    failure: row['failure'] === null ? null : JSON.parse(String(row['failure'])),
    retryAt: row['retry_at'],
    cancelled: row['cancelled'] === null ? null : JSON.parse(String(row['cancelled'])),
  } as Run
}

/** @param deaths what the deaths would be if the run were claimed now */
export function toPending({ id: run, alert: uuid, organization, type, attempt }: Run, deaths: RunDeaths): PendingRun {
  return { run, uuid, organization, type, retryCount: attempt - 1, deaths }
}

export function readRun(sql: Sql, id: RunId): Run | null {
  const row = sql.get('SELECT * FROM runs WHERE id = ?', id)
  return row ? toRun(row) : null
}

/** Makes a waiting run due at `at`, unless it is due sooner. A running run remembers it until it sleeps. */
export function wakeRun(sql: Sql, id: RunId, at: Millis): void {
  sql.run("UPDATE runs SET wake_at = min(ifnull(wake_at, ?2), ?2) WHERE id = ?1 AND state = 'waiting'", id, at)
  sql.run("UPDATE runs SET woken_at = min(ifnull(woken_at, ?2), ?2) WHERE id = ?1 AND state = 'running'", id, at)
}
