import type { Handler } from '@tocsin/plugin'
import { countOf, found, isAnswer, isDone, largestPage, NoList, statusOf } from '../lib/search.ts'

interface Input {
  readonly search_id: string
  readonly max_items: number
}

/** Checks a search once. If it is finished, reads its messages. */
export default (async ({ input, http, path, fail }) => {
  const { search_id, max_items } = input
  const address = path`/messages/searches/${search_id}`
  const { body } = await http.get<unknown>(address, { query: { limit: Math.min(max_items, largestPage) } })
  if (!isAnswer(body)) return fail('search_not_told', '')
  const status = statusOf(body)
  if (!isDone(body)) return { status, done: false, messages: [], total: countOf(body.meta) ?? 0, truncated: false }
  try {
    return { status, done: true, ...(await found(http, address, body, max_items)) }
  } catch (error) {
    if (error instanceof NoList) fail('search_without_list', '')
    throw error
  }
}) satisfies Handler<Input>
