import { idOf } from './org/ids.ts'
import { Refused } from './replies.ts'

/** A page of a result, as the platform returns it. */
export interface Page {
  readonly totalSize: number
  readonly done: boolean
  readonly nextRecordsUrl?: string
  readonly records: readonly object[]
}

interface Cursor {
  readonly records: readonly object[]
  readonly batch: number
}

/** Results with more pages, by the locator that leads to them: `01g…-2000`. */
export class Cursors {
  readonly #open = new Map<string, Cursor>()
  #count = 0

  first(records: readonly object[], batch: number, version: string): Page {
    if (records.length <= batch) return { totalSize: records.length, done: true, records }
    this.#count += 1
    const id = idOf('01g', this.#count)
    this.#open.set(id, { records, batch })
    return this.#page(id, { records, batch }, 0, version)
  }

  /** Returns the page of a locator. Raises INVALID_QUERY_LOCATOR for an unknown one. */
  next(locator: string, version: string): Page {
    const [, id = '', at = ''] = /^([A-Za-z0-9]{18})-(\d+)$/.exec(locator) ?? []
    const cursor = this.#open.get(id)
    const start = Number(at)
    if (!cursor || start <= 0 || start >= cursor.records.length) throw new Refused(400, 'INVALID_QUERY_LOCATOR', 'invalid query locator')
    return this.#page(id, cursor, start, version)
  }

  #page(id: string, { records, batch }: Cursor, start: number, version: string): Page {
    const end = start + batch
    const done = end >= records.length
    const next = done ? {} : { nextRecordsUrl: `/services/data/v${version}/query/${id}-${end}` }
    return { totalSize: records.length, done, ...next, records: records.slice(start, end) }
  }
}
