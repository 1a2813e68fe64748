import { type Bits, encodeStates, intersect, Page, positionsOf, positionsWith, setBit, termsOfState, type WantedStates } from '../../words/index.ts'
import type { Row, Sql } from '../database/index.ts'
import type { StoredSegment, WordIndex } from './word-index.ts'

/** Which alerts of a segment have which status and which playbook, as a page of terms. */
export interface NewStates {
  readonly segment: number
  readonly firstId: number
  readonly lastId: number
  readonly bytes: Uint8Array
}

/** How many alerts may have changed since their pages were written, in all segments. A search looks them up one by one. */
const mostMoved = 1_024

/** The alerts that have changed since the page of their segment was written. */
class Moved {
  readonly #ids: readonly number[]

  /** @param ids in ascending order */
  constructor(ids: readonly number[]) {
    this.#ids = ids
  }

  static read(sql: Sql): Moved {
    return new Moved(sql.all('SELECT id FROM alert_moves ORDER BY id').map(({ id }) => Number(id)))
  }

  get size(): number {
    return this.#ids.length
  }

  countIn({ firstId, lastId }: Range): number {
    return this.#before(lastId + 1) - this.#before(firstId)
  }

  within({ firstId, lastId }: Range): ReadonlySet<number> {
    return new Set(this.#ids.slice(this.#before(firstId), this.#before(lastId + 1)))
  }

  /** Returns how many ids are smaller. */
  #before(limit: number): number {
    let [from, to] = [0, this.#ids.length]
    while (from < to) {
      const middle = (from + to) >>> 1
      if ((this.#ids[middle] ?? limit) < limit) from = middle + 1
      else to = middle
    }
    return from
  }
}

/** Finds the alerts of segments that have a status or a playbook. */
export class StatePages {
  readonly #sql: Sql
  readonly #index: WordIndex
  readonly #wanted: WantedStates
  readonly #moved: Moved

  constructor(sql: Sql, index: WordIndex, wanted: WantedStates) {
    this.#sql = sql
    this.#index = index
    this.#wanted = wanted
    this.#moved = wanted.length > 0 ? Moved.read(sql) : new Moved([])
  }

  /** Returns those of the alerts that have the wanted states, and those that may have them because they have changed. By position. */
  among(segment: StoredSegment, bits: Bits): readonly number[] {
    if (this.#wanted.length === 0) return positionsOf(bits)
    const found = this.#sql.get('SELECT bytes FROM alert_state_pages WHERE segment = ?', segment.segment)
    // A new segment has its page a moment later.
    if (!found) return positionsOf(bits)
    const page = new Page(found['bytes'] as Uint8Array)
    const left: Bits = bits.slice()
    for (const terms of this.#wanted) intersect(left, positionsWith(page, terms))
    const moved = this.#moved.within(segment)
    if (moved.size > 0) {
      const positions = positionsOf(bits)
      for (const [at, id] of this.#index.ids(segment, positions).entries()) if (moved.has(id)) setBit(left, positions[at] ?? 0)
    }
    return positionsOf(left)
  }
}

interface Range {
  readonly segment: number
  readonly firstId: number
  readonly lastId: number
}

function rangeOf(row: Row): Range {
  return { segment: Number(row['segment']), firstId: Number(row['first_id']), lastId: Number(row['last_id']) }
}

/** Returns the segment whose page should be written next. Null: none needs it. */
function nextDue(sql: Sql): Range | null {
  const [without] = sql.all(
    'SELECT segment, first_id, last_id FROM alert_segments WHERE segment NOT IN (SELECT segment FROM alert_state_pages) ORDER BY segment DESC LIMIT 1',
  )
  if (without) return rangeOf(without)
  const moved = Moved.read(sql)
  if (moved.size < mostMoved) return null
  const ranges = sql.all('SELECT segment, first_id, last_id FROM alert_segments').map(rangeOf)
  const [most] = ranges.map((range) => ({ range, count: moved.countIn(range) })).sort((a, b) => b.count - a.count)
  return most && most.count > 0 ? most.range : null
}

/** Returns the next page to write. Takes a few milliseconds. Null: every page is new enough. */
export function nextStates(sql: Sql, index: WordIndex): NewStates | null {
  const range = nextDue(sql)
  const segment = range && index.segments().find((one) => one.segment === range.segment)
  if (!segment) return null
  const rows = sql.all('SELECT id, status, investigator FROM alert_states WHERE id BETWEEN ? AND ?', segment.firstId, segment.lastId)
  const byId = new Map(rows.map((row) => [Number(row['id']), row]))
  const ids = index.ids(
    segment,
    Array.from({ length: segment.size }, (_, position) => position),
  )
  const terms = ids.map((id) => {
    const row = byId.get(id)
    const playbook = row?.['investigator']
    return termsOfState(Number(row?.['status']), typeof playbook === 'string' ? playbook : null)
  })
  return { segment: segment.segment, firstId: segment.firstId, lastId: segment.lastId, bytes: encodeStates(terms) }
}

/** Writes a page, in the transaction of the caller. Its alerts then count as not changed. */
export function addStates(sql: Sql, { segment, firstId, lastId, bytes }: NewStates): void {
  sql.run('INSERT INTO alert_state_pages (segment, bytes) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET bytes = ?2', segment, bytes)
  sql.run('DELETE FROM alert_moves WHERE id BETWEEN ? AND ?', firstId, lastId)
}
