import type { Handler } from '@tocsin/plugin'
import { type Started, searchIdOf } from '../lib/search.ts'

interface Input {
  readonly query: string
  readonly received_after?: string
  readonly received_before?: string
}

/** Starts a search and says which it is. */
export default (async ({ input, http, fail }) => {
  const { query, received_after, received_before } = input
  const { body } = await http.post<Started>('/messages/searches', { query, receivedAfter: received_after, receivedBefore: received_before })
  return { search_id: searchIdOf(body) ?? fail('search_without_id', ''), status: body.status ?? null }
}) satisfies Handler<Input>
