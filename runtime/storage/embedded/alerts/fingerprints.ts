import { AlertStatus, type CaseUuid, type Millis, placeInWindow, repeatedEntry, type Scope } from '../../../domain/index.ts'
import type { RunClaim } from '../../port/index.ts'
import { addEntry } from '../cases/timeline.ts'
import { type Row, type Sql, scopeFilter, scopeParameter } from '../database/index.ts'

/**
 * Returns whether the alert of a claim is a duplicate, and ends it if so. If not, the alert becomes the first
 * of a new window, unless it is older than the stored window.
 */
export function duplicateOf(sql: Sql, claim: RunClaim): boolean {
  const { fingerprint, organization, type, attempt, alert } = claim
  if (!fingerprint || attempt > 1) return false
  const mine = sql.get('SELECT id, created_at FROM alerts WHERE uuid = ?', alert)
  const createdAt = Number(mine?.['created_at'])
  const first = sql.get(
    `SELECT f.created_at, a.uuid, a.alert_id, s.status, s.retry_at, s.case_uuid, s.case_id, s.duplicate_of
     FROM fingerprints f JOIN alerts a ON a.uuid = f.alert JOIN alert_states s ON s.id = a.id
     WHERE f.organization = ? AND f.type = ? AND f.digest = ?`,
    organization,
    type,
    fingerprint.digest,
  )
  const place = first ? placeInWindow(Number(first['created_at']), createdAt, fingerprint.within) : 'after'
  if (place === 'before') return false
  // A failed alert with an automatic retry has not failed for good.
  const lost = first?.['status'] === AlertStatus.failed && first['retry_at'] === null
  const stands = first && !lost && first['duplicate_of'] === null && first['case_uuid'] !== null
  if (place === 'inside' && stands) {
    endAsDuplicate(sql, claim, Number(mine?.['id']), first)
    return true
  }
  sql.run(
    `INSERT INTO fingerprints (organization, type, digest, alert, created_at, closes_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
     ON CONFLICT DO UPDATE SET alert = ?4, created_at = ?5, closes_at = ?6`,
    organization,
    type,
    fingerprint.digest,
    alert,
    createdAt,
    createdAt + fingerprint.within,
  )
  return false
}

function endAsDuplicate(sql: Sql, { at, pins }: RunClaim, id: number, first: Row): void {
  const of = { alertId: first['alert_id'], alertUuid: first['uuid'] } as Parameters<typeof repeatedEntry>[0]
  addEntry(sql, first['case_uuid'] as CaseUuid, repeatedEntry(of, at))
  sql.run(
    `UPDATE OR FAIL alert_states SET status = 15, modified_at = ?2, completed_at = ?2, waiting_since = NULL, investigator = ?3, case_uuid = ?4, case_id = ?5,
       duplicate_of = ?6
     WHERE id = ?1`,
    id,
    at,
    pins.playbook.name,
    first['case_uuid'] ?? null,
    first['case_id'] ?? null,
    of.alertUuid,
  )
}

export function forgetWindows(sql: Sql, scope: Scope, before: Millis): number {
  return sql.run(`DELETE FROM fingerprints WHERE closes_at < ?2 AND ${scopeFilter('organization')}`, scopeParameter(scope), before)
}
