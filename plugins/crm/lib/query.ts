import type { HandlerCall, Json } from '@tocsin/plugin'
import { longestStatement } from './soql-tokens.ts'

/** A record as the platform answers it: `attributes` (type and address) and the fields that were selected. */
export type CrmRecord = Readonly<Record<string, Json>>

/** An answer that differs so much from what the platform documents that it cannot be used. */
export class OddAnswer extends Error {}

/** The error code of a skill that gets such an answer; declare it under `handler.errors`. */
export const oddAnswer = 'answer_odd'

/** A page of a query's result, and of the children inside a record. */
export interface Page {
  readonly totalSize: number
  /** False while another page follows. */
  readonly done: boolean
  /** A path from the connection's origin; followed without parameters. */
  readonly nextRecordsUrl?: string
  readonly records: readonly CrmRecord[]
}

export interface Result {
  /** As the platform counts; null where it does not say. */
  readonly total: number | null
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
    if (seen.has(next)) throw new OddAnswer('The pages of the result go in a circle: a next page was named twice.')
    seen.add(next)
    page = (await http.get<Page>(next, { base: 'origin' })).body
  }
}

/** Where the next page is; null where none follows. */
export function nextOf({ done, nextRecordsUrl }: Partial<Page>): string | null {
  return done !== true && typeof nextRecordsUrl === 'string' && nextRecordsUrl !== '' ? nextRecordsUrl : null
}

/** A count that came as a number, or as a text of digits; null: it is neither. */
export function countIn(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null
}

/** @throws OddAnswer for an answer that is no page of records: it must not pass for an empty one */
export function rowsOf(page: Partial<Page> | string | null): readonly CrmRecord[] {
  const { records, totalSize } = typeof page === 'object' && page !== null ? page : {}
  if (Array.isArray(records)) {
    if (records.every((record) => typeof record === 'object' && record !== null && !Array.isArray(record))) return records as readonly CrmRecord[]
    throw new OddAnswer("The query's result has an item that is not a record.")
  }
  // A statement that only counts needs no list.
  if (countIn(totalSize) !== null) return []
  throw new OddAnswer("The answer is not a page of a query's result.")
}

/** A field of a record that must be a text. @throws OddAnswer */
export function textIn(record: CrmRecord, field: string): string {
  const value = record[field]
  if (typeof value === 'string' && value !== '') return value
  throw new OddAnswer(`A record of the query's result has no ${field}.`)
}
