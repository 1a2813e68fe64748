import type { Scope } from '../../../domain/index.ts'
import type { AlertConditions, AlertPosition } from '../../port/index.ts'
import { foundBy, merge, type Source, TermSearch, type WantedStates, wantedOf } from '../../words/index.ts'
import type { Row, Sql } from '../database/index.ts'
import { limitsOf } from './alert-conditions.ts'
import { StatePages } from './state-pages.ts'
import { keyOf, type StoredSegment, type WordIndex } from './word-index.ts'

/** Returns the rows of these alerts that match, in the order of the list. */
type Load = (ids: readonly number[]) => readonly Row[]

export interface WordSearch {
  readonly scope: Scope
  readonly conditions: AlertConditions
  readonly after: AlertPosition | null
  readonly direction: 1 | -1
  readonly limit: number
  /** If other conditions leave few alerts: their row ids. */
  readonly among: readonly number[] | null
  /** The statuses and playbooks that `load` wants. */
  readonly states: WantedStates
  readonly load: Load
}

type Answer = readonly Row[] | null

/** How many alerts are looked up at once, the first time and at most. */
const [lookedUpFirst, lookedUpAtOnce] = [128, 1_024]

/** Looks up alerts a few at a time, more each time. Null when all are looked up. */
function lookUp(ids: readonly number[], load: Load): () => Answer {
  let [from, count] = [0, lookedUpFirst]
  return () => {
    if (from >= ids.length) return null
    const rows = load(ids.slice(from, from + count))
    from += count
    count = Math.min(count * 2, lookedUpAtOnce)
    return rows
  }
}

/** Calls `begin` at the first call, and what it returned at each. */
function later(begin: () => () => Answer): () => Answer {
  let begun: (() => Answer) | null = null
  return () => {
    begun ??= begin()
    return begun()
  }
}

/** Lists the alerts that have the words, and the properties that are in the index, and pass `load`. */
export function searchWords(sql: Sql, index: WordIndex, search: WordSearch): readonly Row[] {
  const { direction, limit } = search
  const among = search.among && new Set(search.among)
  const tail = tailSource(sql, search, among)
  const merging = merge(
    [...segmentSources(index, search, among, new StatePages(sql, index, search.states)), ...(tail ? [tail] : [])],
    keyOf,
    direction,
    limit,
  )
  let step = merging.next(null)
  while (!step.done) step = merging.next(step.value.next())
  return step.value
}

function segmentSources(index: WordIndex, search: WordSearch, among: ReadonlySet<number> | null, states: StatePages): Source<Answer>[] {
  const { scope, conditions, after, direction, load } = search
  const wanted = wantedOf(scope, conditions, after, direction)
  const terms = new TermSearch(wanted)
  const find = (segment: StoredSegment): (() => Answer) => {
    const bits = foundBy(terms, segment, index.pages(segment))
    if (!bits) return () => null
    const positions = states.among(segment, bits)
    const ids = index.ids(segment, direction === 1 ? positions : positions.toReversed())
    return lookUp(among ? ids.filter((id) => among.has(id)) : ids, load)
  }
  return index
    .segments()
    .filter(({ first, last }) => first.createdAt <= wanted.to && last.createdAt >= wanted.from)
    .filter(({ firstId, lastId }) => !search.among || search.among.some((id) => id >= firstId && id <= lastId))
    .map((segment) => ({ bound: direction === 1 ? segment.first : segment.last, next: later(() => find(segment)) }))
}

/** The alerts that are in no segment yet. */
function tailSource(sql: Sql, { scope, conditions, after, direction, load }: WordSearch, among: ReadonlySet<number> | null): Source<Answer> | null {
  const row = sql.get('SELECT min(created_at) AS first, max(created_at) AS last FROM alert_tail')
  if (typeof row?.['first'] !== 'number') return null
  const needles = [...(conditions.words ?? []).map((word) => ` ${word}`), ...(conditions.contains?.words ?? []).map((word) => ` ${word} `)]
  const [comparison, order] = direction === 1 ? (['>', 'ASC'] as const) : (['<', 'DESC'] as const)
  const { from, to, afterAt = null, afterUuid = null } = limitsOf(scope, conditions, after, comparison)
  const find = (): (() => Answer) => {
    const rows = sql.all(
      `SELECT id FROM alert_tail WHERE created_at >= ?1 AND created_at < ?2 AND (?3 IS NULL OR (created_at, uuid) ${comparison} (?3, ?4))
         ${needles.map((_, number) => `AND instr(words, ?${number + 5}) > 0`).join(' ')} ORDER BY created_at ${order}, uuid ${order}`,
      from,
      to,
      afterAt,
      afterUuid,
      ...needles,
    )
    const ids = rows.map((found) => Number(found['id']))
    return lookUp(among ? ids.filter((id) => among.has(id)) : ids, load)
  }
  const bound = direction === 1 ? { createdAt: row['first'], uuid: '' } : { createdAt: Number(row['last']), uuid: '\uffff' }
  return { bound, next: later(find) }
}
