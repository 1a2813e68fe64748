import type { HandlerCall, Json } from '@tocsin/plugin'

/** What a look at a search is answered with. Before it is done the list, and what is told of it, may be absent. */
export interface SearchAnswer {
  /** `DONE`, or any other word: not yet. */
  readonly status: string
  readonly meta?: { readonly totalCount?: number | null; readonly hasMore?: boolean } | null
  readonly items?: readonly Json[] | null
}

/** What the start of a search is answered with. How the job is called is not specified. */
export interface Started {
  readonly id?: string
  readonly jobId?: string
  readonly searchId?: string
  readonly status?: string | null
}

/** The job's id; null where the answer names none. */
export function searchIdOf({ id, jobId, searchId }: Started): string | null {
  return [id, jobId, searchId].find((each) => typeof each === 'string' && each !== '') ?? null
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
