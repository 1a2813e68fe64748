import type { BuiltCases, CaseHead, CasePages, Key } from '../../../words/index.ts'
import { type Row, SegmentPages, type Sql } from '../../database/index.ts'

/** A segment has the cases of a range of the list, in that order. It changes only as a whole. */
export interface NewCaseSegment extends BuiltCases {
  /** Its cases, in the order of their keys. */
  readonly uuids: readonly string[]
}

/** A range of the list of cases, in the order of creation. */
export interface CaseRange {
  /** Not included. */
  readonly after: Key
  readonly upTo: Key
}

const uuidsInPage = 128

export const beforeAll: Key = { createdAt: -1, uuid: '' }

export function isAfter(a: Key, b: Key): boolean {
  return a.createdAt > b.createdAt || (a.createdAt === b.createdAt && a.uuid > b.uuid)
}

export function keyOf(row: Row): Key {
  return { createdAt: Number(row['created_at']), uuid: String(row['uuid']) }
}

/** Returns the key of the last case that is in a segment, if it is in none of the noted ones. */
export function sealedUpTo(sql: Sql): Key {
  return keyOf(sql.get('SELECT sealed_at AS created_at, sealed_uuid AS uuid FROM case_index') ?? {})
}

/** The segments that one connection has seen. Their heads stay in memory. */
export class CaseSegments {
  readonly #sql: Sql
  readonly #pages: SegmentPages
  #known: ReadonlyMap<number, CaseHead> = new Map()

  constructor(sql: Sql) {
    this.#sql = sql
    this.#pages = new SegmentPages(sql, 'case_pages')
  }

  /** Returns the segments that there are now, in the order of their cases. */
  all(): readonly CaseHead[] {
    const standing = this.#sql.all('SELECT segment FROM case_segments').map(({ segment }) => Number(segment))
    if (standing.length !== this.#known.size || standing.some((segment) => !this.#known.has(segment))) {
      const read = standing.map((segment) => this.#known.get(segment) ?? this.#read(segment))
      this.#known = new Map(read.sort((a, b) => (isAfter(a.last, b.last) ? 1 : -1)).map((one) => [one.segment, one]))
    }
    return [...this.#known.values()]
  }

  #read(segment: number): CaseHead {
    const row = this.#sql.get('SELECT head FROM case_segments WHERE segment = ?', segment)
    return { ...(JSON.parse(String(row?.['head'])) as Omit<CaseHead, 'segment'>), segment }
  }

  /** Returns the pages of a segment, each read once. */
  pages({ segment }: CaseHead): CasePages {
    const read = this.#pages.of(segment)
    let frequent: string | null = null
    return {
      page: (index) => read('page', index),
      summary: (group) => read('summary', group),
      frequentPage: (index) => read('frequentPage', index),
      frequent: () => {
        frequent ??= Buffer.from(this.#pages.read(segment, 'frequent', 0)).toString()
        return frequent
      },
    }
  }

  /** Returns the cases at these positions. */
  uuids({ segment }: CaseHead, positions: readonly number[]): string[] {
    const read = new Map<number, readonly string[]>()
    return positions.map((position) => {
      const index = Math.floor(position / uuidsInPage)
      const page =
        read.get(index) ??
        Buffer.from(this.#pages.read(segment, 'ids', index))
          .toString()
          .split('\n')
      read.set(index, page)
      return page[position % uuidsInPage] ?? ''
    })
  }
}

/** Adds a segment, in the transaction of the caller. */
export function addCaseSegment(sql: Sql, { head, always, pages, summaries, frequent, frequentPages, uuids }: NewCaseSegment): void {
  const segment = Number(sql.get('SELECT ifnull(max(segment), 0) + 1 AS next FROM case_segments')?.['next'])
  const table = new SegmentPages(sql, 'case_pages')
  table.write(segment, 'page', pages)
  table.write(segment, 'summary', summaries)
  table.write(segment, 'frequent', [frequent])
  table.write(segment, 'frequentPage', frequentPages)
  const idPages = Array.from({ length: Math.ceil(uuids.length / uuidsInPage) }, (_, index) =>
    Buffer.from(uuids.slice(index * uuidsInPage, (index + 1) * uuidsInPage).join('\n')),
  )
  table.write(segment, 'ids', idPages)
  sql.run('INSERT INTO case_segments (segment, head) VALUES (?, ?)', segment, JSON.stringify({ ...head, always }))
}

/** Removes a segment, in the transaction of the caller. */
export function removeCaseSegment(sql: Sql, segment: number): void {
  new SegmentPages(sql, 'case_pages').remove(segment)
  sql.run('DELETE FROM case_segments WHERE segment = ?', segment)
}
