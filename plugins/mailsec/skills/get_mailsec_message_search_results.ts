import type { Handler } from '@tocsin/plugin'
import { found, largestPage, type SearchAnswer } from '../lib/search.ts'

interface Input {
  readonly search_id: string
  readonly max_items: number
}

/** Looks at a search once, and reads what it found if it is done. */
export default (async ({ input, http, path }) => {
  const { search_id, max_items } = input
  const address = path`/messages/searches/${search_id}`
  const { body } = await http.get<SearchAnswer>(address, { query: { limit: Math.min(max_items, largestPage) } })
  const { status, meta } = body
  if (status !== 'DONE') return { status, done: false, messages: [], total: meta?.totalCount ?? 0, truncated: false }
  return { status, done: true, ...(await found(http, address, body, max_items)) }
}) satisfies Handler<Input>
