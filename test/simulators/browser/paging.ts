import { hash } from 'node:crypto'
import type { Reply } from '../faults.ts'
import { badRequest, json } from './replies.ts'

const defaultLimit = 100
const maxLimit = 200

/** The query parameters of every listing. `nextToken` and `offset` exclude each other. */
export const pagingNames = ['limit', 'nextToken', 'offset']

/** Returns one page of the matching rows. A token is only valid for the listing that it came from. */
export function pageOf<T>(rows: readonly T[], query: URLSearchParams, path: string): Reply {
  const limit = integerOf(query.get('limit') ?? String(defaultLimit))
  if (limit === null || limit < 1 || limit > maxLimit) return badRequest(`limit must be an integer from 1 to ${maxLimit}.`)
  if (query.has('nextToken') && query.has('offset')) return badRequest('nextToken cannot be used in conjunction with offset.')
  const listing = listingOf(query, path)
  const token = query.get('nextToken')
  const start = token === null ? integerOf(query.get('offset') ?? '0') : startOf(token, listing)
  if (start === null) return badRequest(token === null ? 'offset must be an integer from 0.' : 'nextToken is not valid for this listing.')

  const end = start + limit
  const moreResults = end < rows.length
  const nextToken = moreResults ? Buffer.from(`${listing}/${end}`).toString('base64url') : null
  return json({ result: rows.slice(start, end), paging: { moreResults, nextToken } })
}

function integerOf(text: string): number | null {
  return /^(0|[1-9]\d{0,8})$/.test(text) ? Number(text) : null
}

/** Identifies a listing: its path and filters. */
function listingOf(query: URLSearchParams, path: string): string {
  const filters = [...query].filter(([name]) => !pagingNames.includes(name)).map(([name, value]) => `${name}=${value}`)
  return hash('sha256', [path, ...filters].join('&'), 'hex').slice(0, 8)
}

function startOf(token: string, listing: string): number | null {
  const found = /^([0-9a-f]{8})\/(\d+)$/.exec(Buffer.from(token, 'base64url').toString('latin1'))
  return found && found[1] === listing ? Number(found[2]) : null
}
