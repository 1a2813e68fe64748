import type { BuiltSegment, Key, Pages, SegmentHead } from '../../words/index.ts'
import { type Row, SegmentPages, type Sql } from '../database/index.ts'

/** A segment as this store has it: alerts whose row ids follow each other. */
export interface StoredSegment extends SegmentHead {
  readonly firstId: number
  readonly lastId: number
}

export interface NewSegment extends BuiltSegment {
  /** The row ids of its alerts, in the order of their keys. */
  readonly ids: readonly number[]
}

const idsInPage = 512

/** The segments of the index, as far as one connection has seen them. They never change, so their heads stay in memory: about 12 bytes per alert. */
export class WordIndex {
  readonly #sql: Sql
  readonly #pages: SegmentPages
  readonly #segments: StoredSegment[] = []

  constructor(sql: Sql) {
    this.#sql = sql
    this.#pages = new SegmentPages(sql, 'alert_pages')
  }

  segments(): readonly StoredSegment[] {
    const known = this.#segments.at(-1)?.segment ?? 0
    for (const row of this.#sql.all('SELECT segment, first_id, last_id, head FROM alert_segments WHERE segment > ? ORDER BY segment', known)) {
      const [segment, firstId, lastId] = [Number(row['segment']), Number(row['first_id']), Number(row['last_id'])]
      this.#segments.push({ ...(JSON.parse(String(row['head'])) as BuiltSegment['head']), segment, firstId, lastId })
    }
    return this.#segments
  }

  /** Returns the pages of a segment, each read once. */
  pages({ segment }: StoredSegment): Pages {
    const read = this.#pages.of(segment)
    return { page: (index) => read('page', index), summary: (group) => read('summary', group) }
  }

  /** Returns the row ids of the alerts at these positions. */
  ids({ segment }: StoredSegment, positions: readonly number[]): number[] {
    const read = new Map<number, DataView>()
    return positions.map((position) => {
      const index = Math.floor(position / idsInPage)
      let page = read.get(index)
      if (!page) {
        const { buffer, byteOffset, byteLength } = this.#pages.read(segment, 'ids', index)
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
  const table = new SegmentPages(sql, 'alert_pages')
  table.write(segment, 'page', pages)
  table.write(segment, 'summary', summaries)
  const idPages = Array.from({ length: Math.ceil(ids.length / idsInPage) }, (_, index) => ids.slice(index * idsInPage, (index + 1) * idsInPage))
  table.write(
    segment,
    'ids',
    idPages.map((part) => new Uint8Array(new Float64Array(part).buffer)),
  )
  const [firstId, lastId] = [Math.min(...ids), Math.max(...ids)]
  sql.run('INSERT INTO alert_segments (segment, first_id, last_id, head) VALUES (?, ?, ?, ?)', segment, firstId, lastId, JSON.stringify(head))
  sql.run('DELETE FROM alert_tail WHERE id <= ?', lastId)
}

export function keyOf(row: Row): Key {
  return { createdAt: Number(row['created_at']), uuid: String(row['uuid']) }
}
