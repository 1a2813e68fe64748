import type { Handler } from '@tocsin/plugin'
import { pauseBefore } from '../lib/backoff.ts'
import { found, isAnswer, isDone, largestPage, NoList, type Started, searchIdOf, statusOf } from '../lib/search.ts'

interface Input {
  readonly query: string
  readonly received_after?: string
  readonly received_before?: string
  readonly wait: boolean
  readonly wait_seconds: number
  readonly max_items: number
}

/** Starts a search and returns its id. With `wait`, it polls at growing intervals until the search is finished, and returns the messages. */
export default (async ({ input, http, log, sleep, path, fail }) => {
  const { query, received_after, received_before, wait, wait_seconds, max_items } = input
  const search = { query, receivedAfter: received_after, receivedBefore: received_before }
  const { body: started } = await http.post<Started>('/messages/searches', search)
  const search_id = searchIdOf(started) ?? fail('search_without_id', '')
  if (!wait) return { search_id, status: started?.status ?? null, done: false, messages: [], truncated: false, looks: 0 }

  const address = path`/messages/searches/${search_id}`
  const options = { query: { limit: Math.min(max_items, largestPage) } }
  let left = wait_seconds * 1_000
  for (let looks = 0; ; looks += 1) {
    const pause = pauseBefore(looks, left)
    if (pause === null) return fail('search_not_done', `Tocsin checked the search ${search_id} ${looks} times in ${wait_seconds} s.`)
    await sleep(pause)
    left -= pause
    const { body } = await http.get<unknown>(address, options)
    if (!isAnswer(body)) return fail('search_not_told', `The search is ${search_id}.`)
    const status = statusOf(body)
    if (!isDone(body)) {
      log.info('the search is not finished', { search: search_id, status, looks: looks + 1, seconds_left: Math.ceil(left / 1_000) })
      continue
    }
    try {
      return { search_id, status, done: true, ...(await found(http, address, body, max_items)), looks: looks + 1 }
    } catch (error) {
      if (error instanceof NoList) fail('search_without_list', '')
      throw error
    }
  }
}) satisfies Handler<Input>
