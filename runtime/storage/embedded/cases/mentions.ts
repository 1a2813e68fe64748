import type { Case, PrincipalId, Scope, TimelineEntry } from '../../../domain/index.ts'
import type { CaseMention, Page } from '../../port/index.ts'
import { type Sql, scopeFilter, scopeParameter } from '../database/index.ts'

/** Stores whom a comment mentions, if it mentions anybody. */
export function addMentions(sql: Sql, { uuid, organization }: Case, { key, at, body }: TimelineEntry): void {
  if (body.kind !== 'comment') return
  for (const { principal } of body.mentions ?? [])
    sql.run(
      'INSERT INTO mentions (principal, at, case_uuid, key, organization) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
      principal,
      at,
      uuid,
      key,
      organization,
    )
}

export function listMentions(
  sql: Sql,
  scope: Scope,
  principal: PrincipalId,
  { after, limit }: { readonly after: CaseMention | null; readonly limit: number },
): Page<CaseMention> {
  const rows = sql.all(
    `SELECT at, case_uuid, key FROM mentions WHERE ${scopeFilter('organization')} AND principal = ?2
       AND (?3 IS NULL OR (at, case_uuid, key) < (?3, ?4, ?5))
     ORDER BY at DESC, case_uuid DESC, key DESC LIMIT ?6`,
    scopeParameter(scope),
    principal,
    after?.at ?? null,
    after?.case ?? null,
    after?.key ?? null,
    limit + 1,
  )
  const items = rows.map((row) => ({ at: row['at'], case: row['case_uuid'], key: row['key'] }) as CaseMention)
  return { items: items.slice(0, limit), more: items.length > limit }
}
