import type { Key } from '../../../words/index.ts'
import type { Sql } from '../../database/index.ts'
import { beforeAll, type CaseRange, type CaseSegments, isAfter, keyOf } from './segments.ts'

/** How many cases may be noted before the segment that has most of them is built again. A search looks them up one by one. */
const mostMoved = 1_024
/** With more segments, more may be noted, because each segment has a smaller part of them. */
const mostMovedOfSegment = 16

/** Returns a number that is higher than that of each case noted so far, and not higher than that of any later one. */
export function movedIn(sql: Sql): number {
  return Number(sql.get("SELECT ifnull(max(seq), 0) + 1 AS next FROM sqlite_sequence WHERE name = 'case_moves'")?.['next'])
}

/** Returns the segment that should be built again, and the range of its cases. Null: none needs it. */
export function nextMoved(sql: Sql, index: CaseSegments): { readonly segment: number; readonly range: CaseRange } | null {
  const segments = index.all()
  const count = Number(sql.get('SELECT count(*) AS count FROM case_moves')?.['count'])
  if (segments.length === 0 || count < Math.max(mostMoved, segments.length * mostMovedOfSegment)) return null
  const moved = sql.all('SELECT created_at, uuid FROM case_moves ORDER BY created_at, uuid').map(keyOf)
  let [after, at, most]: [Key, number, number] = [beforeAll, 0, 0]
  let found: ReturnType<typeof nextMoved> = null
  for (const { segment, last } of segments) {
    let own = 0
    for (; at < moved.length && !isAfter(moved[at] ?? last, last); at += 1) own += 1
    if (own > most) {
      most = own
      found = { segment, range: { after, upTo: last } }
    }
    after = last
  }
  return found
}
