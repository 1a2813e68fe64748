import { Page } from '../../words/index.ts'
import type { Sql } from './sql.ts'

/** What the pages of a segment are about. Each kind has its own range of row ids. */
const kinds = { page: 0, summary: 1, ids: 2, frequent: 3, frequentPage: 4 } as const
type PageKind = keyof typeof kinds
const pagesOfKind = 2 ** 17
const pagesOfSegment = 2 ** 20

function rowOf(segment: number, kind: PageKind, index: number): number {
  return segment * pagesOfSegment + kinds[kind] * pagesOfKind + index
}

/** The pages of all segments of one index, in a table of their own. */
export class SegmentPages {
  readonly #sql: Sql
  readonly #table: 'alert_pages' | 'case_pages'

  constructor(sql: Sql, table: 'alert_pages' | 'case_pages') {
    this.#sql = sql
    this.#table = table
  }

  read(segment: number, kind: PageKind, index: number): Uint8Array {
    return this.#sql.get(`SELECT bytes FROM ${this.#table} WHERE id = ?`, rowOf(segment, kind, index))?.['bytes'] as Uint8Array
  }

  /** Returns a function that reads pages of terms of a segment, each once. */
  of(segment: number): (kind: Exclude<PageKind, 'ids' | 'frequent'>, index: number) => Page {
    const read = new Map<number, Page>()
    return (kind, index) => {
      const row = rowOf(segment, kind, index)
      const page = read.get(row) ?? new Page(this.read(segment, kind, index))
      read.set(row, page)
      return page
    }
  }

  write(segment: number, kind: PageKind, pages: readonly Uint8Array[]): void {
    for (const [index, bytes] of pages.entries())
      this.#sql.run(`INSERT INTO ${this.#table} (id, bytes) VALUES (?, ?)`, rowOf(segment, kind, index), bytes)
  }

  remove(segment: number): void {
    this.#sql.run(`DELETE FROM ${this.#table} WHERE id >= ? AND id < ?`, segment * pagesOfSegment, (segment + 1) * pagesOfSegment)
  }
}
