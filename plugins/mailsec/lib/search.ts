import type { HandlerCall, Json } from '@tocsin/plugin'

/** The answer about a search. Before the search is done, the list and its counts may be missing. */
export interface SearchAnswer {
  /** `DONE` when it is finished. Any other value, or none, means not yet. */
  readonly status?: unknown
  readonly meta?: { readonly totalCount?: unknown; readonly hasMore?: unknown } | null
  readonly items?: unknown
}

/** Returns whether an answer is about a search: it has a status. */
export function isAnswer(body: unknown): body is SearchAnswer {
  return typeof body === 'object' && body !== null && 'status' in body
}

/** Returns the platform's status of a search, or null if it gives none. */
export function statusOf({ status }: SearchAnswer): string | null {
  return typeof status === 'string' && status !== '' ? status : null
}

/** Returns whether a search is finished. The vendor specifies the word DONE. We also accept it in lower case. */
export function isDone(answer: SearchAnswer): boolean {
  return statusOf(answer)?.toUpperCase() === 'DONE'
}

/** The answer to the start of a search. The vendor does not specify the name of the id. */
export interface Started {
  readonly id?: string
  readonly jobId?: string
  readonly searchId?: string
  readonly status?: string | null
}

/** Returns the id of the search, or null if the answer has none. */
export function searchIdOf(started: Started | null): string | null {
  const { id, jobId, searchId } = started ?? {}
  return [id, jobId, searchId].find((each) => typeof each === 'string' && each !== '') ?? null
}

/** The most messages of one request. */
export const largestPage = 100

/** A finished search has no list of messages. That must not count as an empty result. */
export class NoList extends Error {}

export interface Found {
  readonly messages: readonly Json[]
  /** Null if the platform does not say. */
  readonly total: number | null
  readonly truncated: boolean
}

/**
 * Returns the messages of a finished search, at most `max`. The third argument is the answer that says that the search is finished.
 * @throws NoList
 */
export async function found(http: HandlerCall<unknown>['http'], address: string, { meta, items }: SearchAnswer, max: number): Promise<Found> {
  const first = (items ?? []) as readonly Json[]
  if (!Array.isArray(first)) throw new NoList('The search is finished, but the answer has no list of messages.')
  const promised = meta?.hasMore === true
  const more = promised && first.length < max
  const options = { query: { limit: Math.min(max, largestPage) } }
  const messages = more ? await http.getAll(address, { ...options, paginate: 'manifest', max }) : first.slice(0, max)
  const total = countOf(meta) ?? (promised ? null : messages.length)
  return { messages, total, truncated: (total ?? 0) > messages.length || first.length > max || (promised && !more) }
}

/** Reads the count from a number or a text of digits. Returns null if there is none. */
export function countOf(meta: SearchAnswer['meta']): number | null {
  const count = typeof meta?.totalCount === 'string' && /^\d{1,15}$/.test(meta.totalCount) ? Number(meta.totalCount) : meta?.totalCount
  return typeof count === 'number' && Number.isSafeInteger(count) ? count : null
}
