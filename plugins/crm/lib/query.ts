import type { HandlerCall, Json } from '@tocsin/plugin'
import { longestStatement } from './soql-tokens.ts'

/** A record as the platform answers it: `attributes` (type and address) and the fields that were selected. */
export type CrmRecord = Readonly<Record<string, Json>>

/** A page of a query's result, and of the children inside a record. */
export interface Page {
  readonly totalSize: number
  readonly done: boolean
  /** A path from the connection's origin; followed without parameters. */
  readonly nextRecordsUrl?: string
  readonly records: readonly CrmRecord[]
}

export interface Result {
  /** As the platform counts. */
  readonly total: number
  readonly records: readonly CrmRecord[]
  /** More matched than were asked for. */
  readonly truncated: boolean
}

/** What of a handler's call is needed here. */
export type Caller = Pick<HandlerCall<unknown>, 'http' | 'log'>

/**
 * URI and headers of a request may have 16,384 bytes together; the rest is for the access token and the other headers.
 */
export const longestQuery = longestStatement

/** Bytes of a statement in an address. */
export function encodedLength(soql: string): number {
  return encodeURIComponent(soql).length
}

/**
 * Runs a statement and follows its pages until `max` records are there.
 * @param options.deleted with deleted and archived records
 */
export async function runQuery({ http, log }: Caller, soql: string, max: number, options: { readonly deleted?: boolean } = {}): Promise<Result> {
  const records: CrmRecord[] = []
  let total: number | undefined
  let { body: page } = await http.get<Page>(options.deleted ? '/queryAll' : '/query', { query: { q: soql } })
  for (let number = 1; ; number += 1) {
    const rows = rowsOf(page)
    records.push(...rows.slice(0, max - records.length))
    total ??= page.totalSize
    log.info('page read', { page: number, records: records.length, total: total ?? null })
    const more = page.done === false && page.nextRecordsUrl !== undefined
    if (!more || records.length >= max) {
      const all = total ?? records.length
      return { total: all, records, truncated: more || rows.length > max || (rows.length > 0 && all > records.length) }
    }
    page = (await http.get<Page>(page.nextRecordsUrl ?? '', { base: 'origin' })).body
  }
}

/** @throws Error for an answer that is no page: it must not pass for an empty one */
function rowsOf({ records, totalSize }: Partial<Page>): readonly CrmRecord[] {
  if (Array.isArray(records)) return records as readonly CrmRecord[]
  // A statement that only counts needs no list.
  if (typeof totalSize === 'number') return []
  throw new Error("The answer is no page of a query's result.")
}
