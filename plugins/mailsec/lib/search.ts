import type { HandlerCall, Json } from '@tocsin/plugin'

/** What a look at a search is answered with. Before it is done the list, and what is told of it, may be absent. */
export interface SearchAnswer {
  /** `DONE`, or any other word: not yet. */
  readonly status: string
  readonly meta?: { readonly totalCount?: number | null; readonly hasMore?: boolean } | null
  readonly items?: readonly Json[] | null
}

/** Messages of one request. */
export const largestPage = 100

/** The messages of a search that is done, `max` at most. @param first what the look that found it done was answered with */
export async function found(
  http: HandlerCall<unknown>['http'],
  address: string,
  { meta, items }: SearchAnswer,
  max: number,
): Promise<{ readonly messages: readonly Json[]; readonly total: number; readonly truncated: boolean }> {
  const first = items ?? []
  const more = meta?.hasMore === true && first.length < max
  const options = { query: { limit: Math.min(max, largestPage) } }
  const messages = more ? await http.getAll(address, { ...options, paginate: 'manifest', max }) : first.slice(0, max)
  const total = meta?.totalCount ?? messages.length
  return { messages, total, truncated: total > messages.length || (meta?.hasMore === true && !more) }
}
