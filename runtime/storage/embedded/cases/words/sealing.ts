import { CaseBuilder, type Key, segmentSize } from '../../../words/index.ts'
import type { Sql } from '../../database/index.ts'
import { movedIn, nextMoved } from './moved.ts'
import { addCaseSegment, type CaseRange, type CaseSegments, keyOf, type NewCaseSegment, removeCaseSegment, sealedUpTo } from './segments.ts'

/** What takes the place of the cases of a range in the tail, or of the segment that had them. */
export interface SealedCases {
  readonly range: CaseRange
  readonly segments: readonly NewCaseSegment[]
  /** The segment that had the cases. Null: they were in the tail. */
  readonly replaces: number | null
  /** Cases that were noted later may have changed since they were read. */
  readonly notedBefore: number
}

/** Writes the index of what cases say, in the transaction of the caller. */
export interface CaseIndex {
  /** Begins to note changes of cases up to a key, and of others of the same time. */
  note(upTo: Key): void
  add(sealed: SealedCases): void
}

/** Stores segments of parts of words of cases. Call its methods in a transaction. */
export function caseIndex(sql: Sql): CaseIndex {
  return {
    note({ createdAt }) {
      sql.run('UPDATE case_index SET noted_at = ?', createdAt)
    },
    add({ range: { after, upTo }, segments, replaces, notedBefore }) {
      // The new ones first, so that no number is used twice.
      for (const segment of segments) addCaseSegment(sql, segment)
      if (replaces === null) sql.run('UPDATE case_index SET sealed_at = ?, sealed_uuid = ?', upTo.createdAt, upTo.uuid)
      else removeCaseSegment(sql, replaces)
      sql.run(
        'DELETE FROM case_moves WHERE id < ? AND (created_at, uuid) > (?, ?) AND (created_at, uuid) <= (?, ?)',
        notedBefore,
        after.createdAt,
        after.uuid,
        upTo.createdAt,
        upTo.uuid,
      )
    },
  }
}

/** Does something in a transaction of its own. Returns whether it was committed. */
interface CaseIndexKeeper {
  note(upTo: Key): boolean
  add(sealed: SealedCases): boolean
}

/** The newest cases of the tail stay there: most change once more, when their run ends. */
const newest = 256
/** How many cases are read between two pauses. */
const casesAtOnce = 256
/** How much the number of cases grows before the tail is measured again. */
const measureEvery = 256
/** After so many steps without work, noted cases are counted. */
const movedEvery = 256

/**
 * Builds segments of what cases say, a little at a time, between the batches of the writer. What is not built when the process ends is
 * built by the next one: until a segment is stored, its cases are in the tail, or in the segment before it.
 */
export class CaseSealing {
  readonly #sql: Sql
  readonly #segments: CaseSegments
  readonly #keeper: CaseIndexKeeper
  #underWay: Generator<void, SealedCases> | null = null
  #measuredAt = Number.NEGATIVE_INFINITY
  #idleSteps = 0

  constructor(sql: Sql, segments: CaseSegments, keeper: CaseIndexKeeper) {
    this.#sql = sql
    this.#segments = segments
    this.#keeper = keeper
  }

  /** Does a part of the work, of a few milliseconds. Returns whether there is more to do. Call it outside of transactions. */
  step(): boolean {
    this.#underWay ??= this.#next()
    if (!this.#underWay) return false
    const { done, value } = this.#underWay.next()
    if (!done) return true
    this.#underWay = null
    if (!this.#keeper.add(value)) return false
    this.#measuredAt = Number.NEGATIVE_INFINITY
    this.#idleSteps = -1
    return true
  }

  #next(): Generator<void, SealedCases> | null {
    const after = sealedUpTo(this.#sql)
    const upTo = this.#mayBeDue() ? this.#due(after) : null
    if (upTo) return this.#keeper.note(upTo) ? built(this.#sql, { after, upTo }, null) : null
    const moved = this.#mayHaveChanged() ? nextMoved(this.#sql, this.#segments) : null
    return moved && built(this.#sql, moved.range, moved.segment)
  }

  /** Cases are never deleted, so that the highest row id tells how many are new. */
  #mayBeDue(): boolean {
    const last = Number(this.#sql.get('SELECT ifnull(max(rowid), 0) AS last FROM cases')?.['last'])
    if (last < this.#measuredAt + measureEvery) return false
    this.#measuredAt = last
    return true
  }

  #mayHaveChanged(): boolean {
    this.#idleSteps = (this.#idleSteps + 1) % movedEvery
    return this.#idleSteps === 0
  }

  /** Returns the last case of the next segment. Null if the tail has too few. */
  #due({ createdAt, uuid }: Key): Key | null {
    const from = 'FROM cases WHERE (created_at, uuid) > (?1, ?2) ORDER BY created_at, uuid'
    const count = this.#sql.get(`SELECT count(*) AS count FROM (SELECT 1 ${from} LIMIT ?3)`, createdAt, uuid, segmentSize + newest)
    if (Number(count?.['count']) < segmentSize + newest) return null
    const last = this.#sql.get(`SELECT created_at, uuid ${from} LIMIT 1 OFFSET ?3`, createdAt, uuid, segmentSize - 1)
    return last ? keyOf(last) : null
  }
}

/** Builds the segments of a range: one, or more if cases came late or say much. */
function* built(sql: Sql, range: CaseRange, replaces: number | null): Generator<void, SealedCases> {
  const notedBefore = movedIn(sql)
  const segments: NewCaseSegment[] = []
  let [builder, uuids, at] = [new CaseBuilder(), [] as string[], range.after]
  for (let more = true; more; ) {
    const rows = sql.all(
      `SELECT uuid, created_at, organization, case_id, title, summary FROM cases
       WHERE (created_at, uuid) > (?, ?) AND (created_at, uuid) <= (?, ?) ORDER BY created_at, uuid LIMIT ?`,
      at.createdAt,
      at.uuid,
      range.upTo.createdAt,
      range.upTo.uuid,
      casesAtOnce,
    )
    for (const row of rows) {
      at = keyOf(row)
      builder.add(at, String(row['organization']), [String(row['case_id']), String(row['title']), String(row['summary'] ?? '')])
      uuids.push(at.uuid)
      if (!builder.isFull) continue
      segments.push({ ...(yield* builder.build()), uuids })
      ;[builder, uuids] = [new CaseBuilder(), []]
    }
    more = rows.length === casesAtOnce
    yield
  }
  if (builder.size > 0) segments.push({ ...(yield* builder.build()), uuids })
  return { range, segments, replaces, notedBefore }
}
