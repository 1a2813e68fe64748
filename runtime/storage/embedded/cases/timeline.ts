import type { CaseUuid, TimelineEntry } from '../../../domain/index.ts'
import { fitting } from '../../page-size.ts'
import type { TimelinePage, TimelinePart } from '../../port/index.ts'
import { beginningOf, bodyText } from '../../timeline-text.ts'
import type { Row, Sql } from '../database/index.ts'

/** Writes an entry that does not change its case. Returns false if the case already has an entry with that key. */
export function addEntry(sql: Sql, uuid: CaseUuid, { key, at, actor, body }: TimelineEntry): boolean {
  return (
    sql.run(
      'INSERT INTO timeline (case_uuid, key, at, actor, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
      uuid,
      key,
      at,
      JSON.stringify(actor),
      bodyText(body),
    ) > 0
  )
}

function toEntry(row: Row | undefined): TimelineEntry[] {
  if (!row) return []
  return [{ key: String(row['key']), at: Number(row['at']), actor: JSON.parse(String(row['actor'])), body: JSON.parse(String(row['body'])) }]
}

/** Returns the latest entries that fit. Reads their sizes first, because a body may have megabytes. */
export function readTimeline(sql: Sql, uuid: CaseUuid, { kinds, before, limit, characters }: TimelinePart): TimelinePage {
  const places = sql.all(
    `SELECT id, at, octet_length(body) AS size FROM timeline
     WHERE case_uuid = ?1 AND (?2 IS NULL OR (at, id) < (?2, ?3))
       AND (?4 IS NULL OR EXISTS (SELECT 1 FROM json_each(?4) WHERE substr(timeline.body, 1, length(value)) = value))
     ORDER BY at DESC, id DESC LIMIT ?5`,
    uuid,
    before?.at ?? null,
    before?.order ?? null,
    kinds ? JSON.stringify(kinds.map(beginningOf)) : null,
    limit + 1,
  )
  const sizes = places.map(({ size }) => Number(size))
  const taken = places.slice(0, fitting(sizes, limit, characters))
  const entries = taken.flatMap(({ id }) => toEntry(sql.get('SELECT key, at, actor, body FROM timeline WHERE id = ?', id ?? null)))
  const last = taken.at(-1)
  const earlier = last && taken.length < places.length ? { at: Number(last['at']), order: Number(last['id']) } : null
  return { entries: entries.reverse(), earlier }
}

/** Returns the entries with these keys. */
export function entriesByKey(sql: Sql, uuid: CaseUuid, keys: readonly string[]): TimelineEntry[] {
  const rows = sql.all(
    'SELECT key, at, actor, body FROM timeline WHERE case_uuid = ? AND key IN (SELECT value FROM json_each(?))',
    uuid,
    JSON.stringify(keys),
  )
  return rows.flatMap(toEntry)
}
