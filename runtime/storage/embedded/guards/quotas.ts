import { largestQuota, longestQuota, type Millis, type QuotaUse, reaches } from '../../../domain/index.ts'
import type { QuotaStore } from '../../port/index.ts'
import { mustReach } from '../../scope-guard.ts'
import type { Synchronous } from '../database/index.ts'
import { ownerOf, type Sql } from '../database/index.ts'

/** The `QuotaStore` of the port in SQLite. */
export function quotaTable(sql: Sql): Synchronous<QuotaStore> {
  const use = (owner: string, skill: string, per: Millis): QuotaUse => {
    const row = sql.get(
      'SELECT count(*) AS calls, min(at) AS since FROM quota_calls WHERE owner = ? AND skill = ? AND at > ?',
      owner,
      skill,
      sql.now - per,
    )
    return { calls: Number(row?.['calls'] ?? 0), since: typeof row?.['since'] === 'number' ? row['since'] : null }
  }
  /** Deletes calls that no quota needs any more. Usually there is nothing to delete. */
  const forget = (owner: string, skill: string): void => {
    sql.run('DELETE FROM quota_calls WHERE at <= ?', sql.now - longestQuota)
    sql.run(
      `DELETE FROM quota_calls WHERE owner = ?1 AND skill = ?2
         AND at < (SELECT at FROM quota_calls WHERE owner = ?1 AND skill = ?2 ORDER BY at DESC LIMIT 1 OFFSET ?3)`,
      owner,
      skill,
      largestQuota - 1,
    )
  }

  return {
    count(scope, { organization, skill, key, quota, anyway }) {
      mustReach(reaches(scope, organization), 'quota')
      const owner = ownerOf(organization)
      const standing = use(owner, skill, quota.per)
      const there = sql.get('SELECT at FROM quota_calls WHERE owner = ? AND skill = ? AND key = ?', owner, skill, key)
      const again = there !== undefined && Number(there['at']) > sql.now - quota.per
      const counted = again || anyway || standing.calls < quota.calls
      if (counted) {
        sql.run(
          'INSERT INTO quota_calls (owner, skill, key, at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET at = max(at, ?4)',
          owner,
          skill,
          key,
          sql.now,
        )
        forget(owner, skill)
      }
      return { counted, ...standing }
    },
    usage(scope, organization, spans) {
      return spans.map(({ skill, per }) => (reaches(scope, organization) ? use(ownerOf(organization), skill, per) : { calls: 0, since: null }))
    },
  }
}
