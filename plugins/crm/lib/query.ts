import type { HandlerCall, Json } from '@tocsin/plugin'
import { longestStatement } from './soql-tokens.ts'

/** A record from the platform: `attributes` (type and URL) and the selected fields. */
export type CrmRecord = Readonly<Record<string, Json>>

/** An answer that differs too much from the platform's documentation to be used. */
export class OddAnswer extends Error {}

/** The error code for such an answer. A skill that uses it must declare it under `handler.errors`. */
export const oddAnswer = 'answer_odd'

/** A page of a query's result, and of the children inside a record. */
export interface Page {
  readonly totalSize: number
  /** False while another page follows. */
  readonly done: boolean
  /** A path from the connection's origin. It is requested without parameters. */
  readonly nextRecordsUrl?: string
  readonly records: readonly CrmRecord[]
}

export interface Result {
  /** The platform's count. Null if it gives none. */
  readonly total: number | null
  readonly records: readonly CrmRecord[]
  /** Whether more records match than were requested. */
  readonly truncated: boolean
}

/** The parts of a handler's call that are needed here. */
export type Caller = Pick<HandlerCall<unknown>, 'http' | 'log'>

/**
 * The most bytes that a statement may have in a URL. URI and headers of a request may have 16,384
 * bytes together, and the access token and the other headers need the rest.
 */
export const longestQuery = longestStatement

/** Returns how many bytes a statement takes in a URL. */
export function encodedLength(soql: string): number {
  return encodeURIComponent(soql).length
}

/**
 * Runs a statement and follows its pages until `max` records are there.
 * @param options.deleted whether to include deleted and archived records
 */
export async function runQuery({ http, log }: Caller, soql: string, max: number, options: { readonly deleted?: boolean } = {}): Promise<Result> {
  const records: CrmRecord[] = []
  const seen = new Set<string>()
  let total: number | null = null
  let { body: page } = await http.get<Page>(options.deleted ? '/queryAll' : '/query', { query: { q: soql } })
  for (let number = 1; ; number += 1) {
    const rows = rowsOf(page)
    records.push(...rows.slice(0, max - records.length))
    total ??= countIn(page.totalSize)
    log.info('page read', { page: number, records: records.length, total })
    const next = nextOf(page)
    if (next === null || records.length >= max) {
      const missing = next !== null || page.done === false || rows.length > max || (rows.length > 0 && (total ?? 0) > records.length)
      return { total: total ?? (missing ? null : records.length), records, truncated: missing }
    }
    if (seen.has(next)) throw new OddAnswer('The pages of the result form a circle: the same next page came twice.')
    seen.add(next)
    page = (await http.get<Page>(next, { base: 'origin' })).body
  }
}

/** Returns the path of the next page, or null if there is none. */
export function nextOf({ done, nextRecordsUrl }: Partial<Page>): string | null {
  return done !== true && typeof nextRecordsUrl === 'string' && nextRecordsUrl !== '' ? nextRecordsUrl : null
}

/** Reads a count from a number or a text of digits. Returns null if it is neither. */
export function countIn(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null
}

/** Returns the records of a page. @throws OddAnswer if the answer is not a page of records, because that must not count as an empty page */
export function rowsOf(page: Partial<Page> | string | null): readonly CrmRecord[] {
  const { records, totalSize } = typeof page === 'object' && page !== null ? page : {}
  if (Array.isArray(records)) {
    if (records.every((record) => typeof record === 'object' && record !== null && !Array.isArray(record))) return records as readonly CrmRecord[]
    throw new OddAnswer("The query's result has an item that is not a record.")
  }
  // SELECT COUNT() has no list.
  if (countIn(totalSize) !== null) return []
  throw new OddAnswer("The answer is not a page of a query's result.")
}

/** Returns the text in a field of a record. @throws OddAnswer if it is missing or not a text */
export function textIn(record: CrmRecord, field: string): string {
  const value = record[field]
  if (typeof value === 'string' && value !== '') return value
  throw new OddAnswer(`A record of the query's result has no ${field}.`)
}
