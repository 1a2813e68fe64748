import type { Handler, Json } from '@tocsin/plugin'
import { pauseBefore } from '../lib/backoff.ts'

interface Input {
  readonly query: string
  readonly received_after?: string
  readonly received_before?: string
  readonly max_items: number
  readonly wait_seconds: number
}

interface Look {
  readonly status: string
  readonly meta?: { readonly totalCount?: number; readonly hasMore?: boolean }
  readonly items?: readonly Json[]
}

const largestPage = 100

/** Starts a search, looks at it ever more seldom until it is done, and reads what it found. */
export default (async ({ input, http, log, sleep, path, fail }) => {
  const { query, received_after, received_before, max_items, wait_seconds } = input
  const search = { query, receivedAfter: received_after, receivedBefore: received_before }
  const search_id = (await http.post<{ readonly id: string }>('/messages/searches', search)).body.id
  const address = path`/messages/searches/${search_id}`
  const options = { query: { limit: Math.min(max_items, largestPage) } }

  let left = wait_seconds * 1_000
  for (let looks = 0; ; looks += 1) {
    const pause = pauseBefore(looks, left)
    if (pause === null) return fail('search_not_done', `It is the search ${search_id}, looked at ${looks} times in ${wait_seconds} s.`)
    await sleep(pause)
    left -= pause
    const { status, meta, items = [] } = (await http.get<Look>(address, options)).body
    if (status !== 'DONE') {
      log.info('the search goes on', { search: search_id, status, looks: looks + 1, seconds_left: Math.ceil(left / 1_000) })
      continue
    }
    const all = meta?.hasMore === true && items.length < max_items
    const messages = all ? await http.getAll(address, { ...options, paginate: 'manifest', max: max_items }) : items.slice(0, max_items)
    const total = meta?.totalCount ?? messages.length
    return { search_id, status, messages, total, truncated: total > messages.length, looks: looks + 1 }
  }
}) satisfies Handler<Input>
