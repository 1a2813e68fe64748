import { propertyTerm, SegmentBuilder, segmentSize } from '../../words/index.ts'
import type { Sql } from '../database/index.ts'
import { addStates, type NewStates, nextStates } from './state-pages.ts'
import { addSegment, keyOf, type NewSegment, WordIndex } from './word-index.ts'

/** How many bytes of words a segment has at most, so that building it takes little memory. One alert may have more. */
const mostBytes = 4 * 1024 * 1024
/** How many alerts are read between two pauses. */
const alertsAtOnce = 256
/** How much the tail grows before it is measured again. */
const measureEvery = 256
/** After so many steps without work, changed alerts are counted, although none is new. */
const statesEvery = 256

/** Adds built segments to the index of words. */
export interface SegmentTable {
  add(segment: NewSegment): void
  addStates(states: NewStates): void
}

/** Stores what was built, each in one transaction. Returns whether it did. */
interface SegmentKeeper {
  add(segment: NewSegment): boolean
  addStates(states: NewStates): boolean
}

/** Stores segments of words and pages of states. Call its methods in a transaction. */
export function segmentTable(sql: Sql): SegmentTable {
  return { add: (segment) => addSegment(sql, segment), addStates: (states) => addStates(sql, states) }
}

/**
 * Builds segments of the words in the tail, a little at a time, between the batches of the writer. A segment takes about 100 ms in total.
 * What is not built when the process ends is built by the next one: the tail keeps the words until their segment is stored.
 */
export class Sealing {
  readonly #sql: Sql
  readonly #index: WordIndex
  readonly #keeper: SegmentKeeper
  #underWay: Generator<void, NewSegment> | null = null
  #measuredAt = Number.NEGATIVE_INFINITY
  #idleSteps = 0

  constructor(sql: Sql, keeper: SegmentKeeper) {
    this.#sql = sql
    this.#index = new WordIndex(sql)
    this.#keeper = keeper
  }

  /** Does a part of the work, of a few milliseconds. Returns whether there is more to do. Call it outside of transactions. */
  step(): boolean {
    if (!this.#underWay) {
      if (!this.#mayBeDue()) return this.#mayHaveChanged() && this.#writeStates()
      const ids = this.#due()
      if (!ids) return this.#writeStates()
      this.#underWay = built(this.#sql, ids)
    }
    const { done, value } = this.#underWay.next()
    if (!done) return true
    this.#underWay = null
    return this.#again(this.#keeper.add(value))
  }

  #writeStates(): boolean {
    const states = nextStates(this.#sql, this.#index)
    return states !== null && this.#again(this.#keeper.addStates(states))
  }

  /** If something was stored, the next step looks again for work. If not, only when more alerts have arrived. */
  #again(stored: boolean): boolean {
    if (stored) this.#measuredAt = Number.NEGATIVE_INFINITY
    return stored
  }

  /** Measuring takes time, so it waits until enough alerts have arrived. */
  #mayBeDue(): boolean {
    const newest = Number(this.#sql.get('SELECT ifnull(max(id), 0) AS newest FROM alert_tail')?.['newest'])
    if (newest < this.#measuredAt + measureEvery) return false
    this.#measuredAt = newest
    return true
  }

  /** Alerts of segments may change while no new ones arrive: when a long pause ends, or when many runs end late. */
  #mayHaveChanged(): boolean {
    this.#idleSteps = (this.#idleSteps + 1) % statesEvery
    return this.#idleSteps === 0
  }

  /** Returns the alerts of the next segment, in the order of their keys. Null if there are too few. */
  #due(): readonly number[] | null {
    // Mostly there are too few. To count them takes much less time than to read them.
    const tail = this.#sql.get(
      'SELECT count(*) AS alerts, sum(octet_length(words)) AS bytes FROM (SELECT words FROM alert_tail ORDER BY id LIMIT ?)',
      segmentSize,
    )
    if (Number(tail?.['alerts']) < segmentSize && Number(tail?.['bytes']) < mostBytes) return null
    const rows = this.#sql.all('SELECT id, created_at, uuid, octet_length(words) AS bytes FROM alert_tail ORDER BY id LIMIT ?', segmentSize)
    let [count, bytes] = [0, 0]
    while (count < rows.length && bytes < mostBytes) {
      bytes += Number(rows[count]?.['bytes'])
      count += 1
    }
    return rows
      .slice(0, count)
      .map((row) => ({ ...keyOf(row), id: Number(row['id']) }))
      .sort((a, b) => a.createdAt - b.createdAt || (a.uuid < b.uuid ? -1 : 1))
      .map(({ id }) => id)
  }
}

function* built(sql: Sql, ids: readonly number[]): Generator<void, NewSegment> {
  const builder = new SegmentBuilder()
  for (let from = 0; from < ids.length; from += alertsAtOnce) {
    const rows = sql.all(
      `SELECT t.created_at, t.uuid, t.words, a.organization, a.provider_folded, a.type_key
       FROM json_each(?) j CROSS JOIN alert_tail t ON t.id = j.value CROSS JOIN alerts a ON a.id = t.id ORDER BY j.key`,
      JSON.stringify(ids.slice(from, from + alertsAtOnce)),
    )
    for (const row of rows) {
      const terms = String(row['words']).split(' ').filter(Boolean)
      terms.push(propertyTerm('organization', String(row['organization'])), propertyTerm('provider', String(row['provider_folded'])))
      if (row['type_key'] !== null) terms.push(propertyTerm('type', String(row['type_key'])))
      builder.add(keyOf(row), terms)
    }
    yield
  }
  return { ...(yield* builder.build()), ids }
}
