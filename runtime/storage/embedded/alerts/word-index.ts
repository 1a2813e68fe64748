import { type BuiltSegment, type Key, Page, type Pages, type SegmentHead } from '../../words/index.ts'
import type { Row, Sql } from '../database/index.ts'

/** A segment as this store has it: alerts whose row ids follow each other. */
export interface StoredSegment extends SegmentHead {
  readonly firstId: number
  readonly lastId: number
}

export interface NewSegment extends BuiltSegment {
  /** The row ids of its alerts, in the order of their keys. */
  readonly ids: readonly number[]
}

/** What the pages of a segment are about. Each kind has its own range of row ids. */
const kinds = { page: 0, summary: 1, ids: 2 } as const
const pagesOfKind = 2 ** 17
const pagesOfSegment = 2 ** 20
const idsInPage = 512

function rowOf(segment: number, kind: keyof typeof kinds, index: number): number {
  return segment * pagesOfSegment + kinds[kind] * pagesOfKind + index
}

/** The segments of the index, as far as one connection has seen them. They never change, so their heads stay in memory: about 12 bytes per alert. */
export class WordIndex {
  readonly #sql: Sql
  readonly #segments: StoredSegment[] = []

  constructor(sql: Sql) {
    this.#sql = sql
  }

  segments(): readonly StoredSegment[] {
    const known = this.#segments.at(-1)?.segment ?? 0
    for (const row of this.#sql.all('SELECT segment, first_id, last_id, head FROM alert_segments WHERE segment > ? ORDER BY segment', known)) {
      const [segment, firstId, lastId] = [Number(row['segment']), Number(row['first_id']), Number(row['last_id'])]
      this.#segments.push({ ...(JSON.parse(String(row['head'])) as BuiltSegment['head']), segment, firstId, lastId })
    }
    return this.#segments
  }

  #read(row: number): Uint8Array {
    return this.#sql.get('SELECT bytes FROM alert_pages WHERE id = ?', row)?.['bytes'] as Uint8Array
  }

  /** Returns the pages of a segment, each read once. */
  pages({ segment }: StoredSegment): Pages {
    const read = new Map<number, Page>()
    const get = (row: number): Page => {
      const page = read.get(row) ?? new Page(this.#read(row))
      read.set(row, page)
      return page
    }
    return { page: (index) => get(rowOf(segment, 'page', index)), summary: (group) => get(rowOf(segment, 'summary', group)) }
  }

  /** Returns the row ids of the alerts at these positions. */
  ids({ segment }: StoredSegment, positions: readonly number[]): number[] {
    const read = new Map<number, DataView>()
    return positions.map((position) => {
      const index = Math.floor(position / idsInPage)
      let page = read.get(index)
      if (!page) {
        const { buffer, byteOffset, byteLength } = this.#read(rowOf(segment, 'ids', index))
        page = new DataView(buffer, byteOffset, byteLength)
        read.set(index, page)
      }
      return page.getFloat64((position % idsInPage) * 8, true)
    })
  }
}

/** Adds a segment, and removes its alerts from the tail. Both in the transaction of the caller. */
export function addSegment(sql: Sql, { head, pages, summaries, ids }: NewSegment): void {
  const segment = Number(sql.get('SELECT ifnull(max(segment), 0) + 1 AS next FROM alert_segments')?.['next'])
  const write = (kind: keyof typeof kinds, index: number, bytes: Uint8Array): void => {
    sql.run('INSERT INTO alert_pages (id, bytes) VALUES (?, ?)', rowOf(segment, kind, index), bytes)
  }
  for (const [index, bytes] of pages.entries()) write('page', index, bytes)
  for (const [group, bytes] of summaries.entries()) write('summary', group, bytes)
  for (let index = 0; index * idsInPage < ids.length; index += 1)
    write('ids', index, new Uint8Array(new Float64Array(ids.slice(index * idsInPage, (index + 1) * idsInPage)).buffer))
  const [firstId, lastId] = [Math.min(...ids), Math.max(...ids)]
  sql.run('INSERT INTO alert_segments (segment, first_id, last_id, head) VALUES (?, ?, ?, ?)', segment, firstId, lastId, JSON.stringify(head))
  sql.run('DELETE FROM alert_tail WHERE id <= ?', lastId)
}

export function keyOf(row: Row): Key {
  return { createdAt: Number(row['created_at']), uuid: String(row['uuid']) }
}
