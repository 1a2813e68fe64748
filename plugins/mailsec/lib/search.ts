import type { HandlerCall, Json } from '@tocsin/plugin'

/** What a look at a search is answered with. Before it is done the list, and what is told of it, may be absent. */
export interface SearchAnswer {
  /** `DONE`, or any other word, or none: not yet. */
  readonly status?: unknown
  readonly meta?: { readonly totalCount?: unknown; readonly hasMore?: unknown } | null
  readonly items?: unknown
}

/** Whether an answer is one about a search: it says how far the search is. */
export function isAnswer(body: unknown): body is SearchAnswer {
  return typeof body === 'object' && body !== null && 'status' in body
}

/** The platform's word for how far a search is; null where it has none. */
export function statusOf({ status }: SearchAnswer): string | null {
  return typeof status === 'string' && status !== '' ? status : null
}

/** Whether a search is finished; the word is specified, its case need not be. */
export function isDone(answer: SearchAnswer): boolean {
  return statusOf(answer)?.toUpperCase() === 'DONE'
}

/** What the start of a search is answered with. How the job is called is not specified. */
export interface Started {
  readonly id?: string
  readonly jobId?: string
  readonly searchId?: string
  readonly status?: string | null
}

/** The job's id; null where the answer names none. */
export function searchIdOf(started: Started | null): string | null {
  const { id, jobId, searchId } = started ?? {}
  return [id, jobId, searchId].find((each) => typeof each === 'string' && each !== '') ?? null
}

/** Messages of one request. */
export const largestPage = 100

/** A search that is done, and whose answer has no list of messages: that must not pass for one that found none. */
export class NoList extends Error {}

export interface Found {
  readonly messages: readonly Json[]
  /** Null where the platform does not say. */
  readonly total: number | null
  readonly truncated: boolean
}

/**
 * The messages of a search that is done, `max` at most.
 * @param first what the look that found it done was answered with
 * @throws NoList
 */
export async function found(http: HandlerCall<unknown>['http'], address: string, { meta, items }: SearchAnswer, max: number): Promise<Found> {
  const first = (items ?? []) as readonly Json[]
  if (!Array.isArray(first)) throw new NoList('The search is done, and the answer has no list of messages.')
  const promised = meta?.hasMore === true
  const more = promised && first.length < max
  const options = { query: { limit: Math.min(max, largestPage) } }
  const messages = more ? await http.getAll(address, { ...options, paginate: 'manifest', max }) : first.slice(0, max)
  const total = countOf(meta) ?? (promised ? null : messages.length)
  return { messages, total, truncated: (total ?? 0) > messages.length || first.length > max || (promised && !more) }
}

/** A count as a number, or in digits; null where there is none. */
export function countOf(meta: SearchAnswer['meta']): number | null {
  const count = typeof meta?.totalCount === 'string' && /^\d{1,15}$/.test(meta.totalCount) ? Number(meta.totalCount) : meta?.totalCount
  return typeof count === 'number' && Number.isSafeInteger(count) ? count : null
}
