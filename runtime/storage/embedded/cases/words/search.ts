import { foldCase, type Scope } from '../../../../domain/index.ts'
import type { CaseQuery } from '../../../port/index.ts'
import { type CaseHead, casesWith, type Key, merge, type Source, type WantedCases, wantedByQuery } from '../../../words/index.ts'
import { mostFew, type Row, type Sql } from '../../database/index.ts'
import { beforeAll, type CaseSegments, keyOf, sealedUpTo } from './segments.ts'

/** Reads the keys of the cases that pass all conditions, in the order of the list. */
export interface CaseReader {
  among(uuids: readonly string[]): readonly Row[]
  /** Those that no segment has, and perhaps others of the same time. */
  tail(sealed: Key): readonly Row[]
  /** Those that were noted. */
  moved(): readonly Row[]
}

export interface CaseSearch {
  readonly scope: Scope
  readonly query: CaseQuery
  readonly read: CaseReader
}

/** How many cases are looked up at once, the first time and at most. */
const [lookedUpFirst, lookedUpAtOnce] = [128, 1_024]
/** A tail with more cases than this, as there is while the index is built for the first time, is not read for other orders. */
const longestTail = 10_000

/** Returns the keys of the cases of a page, in the order of creation. */
export function searchInOrder(sql: Sql, index: CaseSegments, { scope, query, read }: CaseSearch, direction: 1 | -1): readonly string[] {
  const wanted = wantedByQuery(scope, query, direction)
  const sealed = sealedUpTo(sql)
  const sources: Source<readonly Row[] | null>[] = [once(endOf(direction), read.moved)]
  const newest: Key = { createdAt: Number.MAX_SAFE_INTEGER, uuid: '' }
  if (wanted.to >= sealed.createdAt) sources.push(once(direction === 1 ? { ...sealed, uuid: '' } : newest, () => read.tail(sealed)))
  for (const segment of index.all()) {
    if (segment.first.createdAt > wanted.to || segment.last.createdAt < wanted.from) continue
    let next: (() => readonly Row[] | null) | null = null
    sources.push({
      bound: direction === 1 ? segment.first : segment.last,
      next() {
        next ??= lookUp(index, segment, wanted, direction, read)
        return next()
      },
    })
  }
  const merging = merge(sources, keyOf, direction, query.limit + 1)
  let step = merging.next(null)
  while (!step.done) step = merging.next(step.value.next())
  return step.value.map(({ uuid }) => String(uuid))
}

/** Before each key of a list. */
function endOf(direction: 1 | -1): Key {
  return direction === 1 ? beforeAll : { createdAt: Number.MAX_SAFE_INTEGER, uuid: '\uffff' }
}

function once(bound: Key, read: () => readonly Row[]): Source<readonly Row[] | null> {
  let done = false
  return {
    bound,
    next() {
      if (done) return null
      done = true
      return read()
    },
  }
}

/** Looks up the cases of a segment a few at a time, more each time. Null when all are looked up. */
function lookUp(index: CaseSegments, segment: CaseHead, wanted: WantedCases, direction: 1 | -1, read: CaseReader): () => readonly Row[] | null {
  const positions = casesWith(segment, index.pages(segment), wanted)
  const uuids = index.uuids(segment, direction === 1 ? positions : positions.reverse())
  let [from, count] = [0, lookedUpFirst]
  return () => {
    if (from >= uuids.length) return null
    const rows = read.among(uuids.slice(from, from + count))
    from += count
    count = Math.min(count * 2, lookedUpAtOnce)
    return rows
  }
}

/** Returns all cases that may match, in any order. Null: so many that following another order takes less time. */
export function searchAll(sql: Sql, index: CaseSegments, { scope, query }: Omit<CaseSearch, 'read'>): readonly string[] | null {
  const { words = [] } = query
  const sealed = sealedUpTo(sql)
  const ofTail = 'FROM cases WHERE created_at >= ?1'
  const inTail = sql.get(`SELECT count(*) AS count FROM (SELECT 1 ${ofTail} LIMIT ?2)`, sealed.createdAt, longestTail)
  if (Number(inTail?.['count']) === longestTail) return null
  const found = new Set<string>()
  const wanted = wantedByQuery(scope, query, null)
  for (const segment of index.all().toReversed()) {
    if (segment.first.createdAt > wanted.to || segment.last.createdAt < wanted.from) continue
    const positions = casesWith(segment, index.pages(segment), wanted)
    if (found.size + positions.length > mostFew) return null
    for (const uuid of index.uuids(segment, positions)) found.add(uuid)
  }
  const folded = JSON.stringify(words.map(foldCase))
  const beside = [
    ...sql.all(`SELECT uuid ${ofTail} AND case_says(?2, case_id, title, summary)`, sealed.createdAt, folded),
    ...sql.all('SELECT uuid FROM case_moves'),
  ]
  for (const { uuid } of beside) found.add(String(uuid))
  return found.size > mostFew ? null : [...found]
}
