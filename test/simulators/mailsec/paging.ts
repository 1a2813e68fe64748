import type { Reply } from '../faults.ts'
import { badRequest } from './replies.ts'

const defaultLimit = 50
const maxLimit = 200

/** The query parameters of every listing. */
export const pagingNames = ['limit', 'cursor']

/** A row of a listing: the record for filters, and its JSON, which is made once. */
export interface Row<T> {
  readonly value: T
  readonly json: string
}

/** Makes the row of a record. */
export function row<T>(value: T): Row<T> {
  return { value, json: JSON.stringify(value) }
}

/**
 * Returns one page of the matching rows (specification 2.5). A cursor names the next row, so rows
 * that stop matching between two pages do not move others. A cursor is only valid for the listing
 * that it came from.
 */
export function pageOf<T>(rows: readonly Row<T>[], fits: (value: T) => boolean, query: URLSearchParams, path: string): Reply {
  const limit = limitOf(query)
  if (limit === null) return badRequest(`limit must be an integer from 1 to ${maxLimit}.`)
  const listing = listingOf(query, path)
  const start = startOf(query.get('cursor'), listing)
  if (start === null) return badRequest('The cursor is not valid for this listing.')

  const items: string[] = []
  let total = 0
  let next: number | null = null
  for (const [index, row] of rows.entries()) {
    if (!fits(row.value)) continue
    total += 1
    if (index < start) continue
    if (items.length < limit) items.push(row.json)
    else next ??= index
  }
  const cursor = next === null ? null : Buffer.from(`${listing}/${next}`).toString('base64url')
  const meta = { totalCount: total, limit, hasMore: next !== null, nextCursor: cursor }
  return { status: 200, body: `{"meta":${JSON.stringify(meta)},"items":[${items.join(',')}]}` }
}

function limitOf(query: URLSearchParams): number | null {
  const text = query.get('limit')
  if (text === null) return defaultLimit
  const limit = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : Number.NaN
  return limit <= maxLimit ? limit : null
}

/** Identifies a listing by its path and filters. */
function listingOf(query: URLSearchParams, path: string): number {
  let hash = 0x811c9dc5
  const text = [path, ...[...query].filter(([name]) => !pagingNames.includes(name)).map(([name, value]) => `${name}=${value}`)].join('&')
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return hash
}

function startOf(cursor: string | null, listing: number): number | null {
  if (cursor === null) return 0
  const found = /^(\d+)\/(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  return found && Number(found[1]) === listing ? Number(found[2]) : null
}
