import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { PageView } from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'
import { wholeList } from '../api/whole-list.ts'
import { done, failed } from '../shared/toasts.tsx'

const pageSize = 100

/** A list of the API, loaded page by page. */
export interface Pages<Row> {
  readonly rows: readonly Row[]
  readonly pending: boolean
  readonly error: Error | null
  /** Loads the next page. Null: there is none. */
  readonly more: (() => void) | null
}

/**
 * Reads a list of the API.
 * @param path with its filters, without `limit` and `cursor`
 * @param every says how often it is read again, in milliseconds; absent: only after a change
 */
export function usePages<Row>(
  path: string,
  { every = false, enabled = true }: { every?: (() => number) | false; enabled?: boolean } = {},
): Pages<Row> {
  const { data, error, isPending, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['settings', path],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: String(pageSize), ...(pageParam !== null && { cursor: pageParam }) })
      return ask<PageView<Row>>('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`, undefined, signal)
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: every,
    enabled,
  })
  return {
    rows: data?.pages.flatMap(({ items }) => items) ?? [],
    pending: isPending && enabled,
    error,
    more: hasNextPage ? () => void fetchNextPage() : null,
  }
}

/** Reads a list of the API to its end, for people to choose from. */
export function useChoices<Row>(path: string, { enabled = true }: { readonly enabled?: boolean } = {}): Omit<Pages<Row>, 'more'> {
  const { data, error, isPending } = useQuery({
    queryKey: ['settings', path, 'whole'],
    queryFn: ({ signal }) => wholeList<Row>(path, signal),
    enabled,
  })
  return { rows: data ?? [], pending: isPending && enabled, error }
}

/**
 * A change of the settings. Afterwards all settings are read again.
 * @param said what the message says after it; null: the page itself shows it
 */
export function useChange<Given, Answer>(act: (given: Given) => Promise<Answer>, said: ((answer: Answer, given: Given) => string) | null) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: (answer, given) => {
      if (said) done({ text: said(answer, given) })
      // Nobody waits for that: the secret of a new key shows at once.
      void queries.invalidateQueries({ queryKey: ['settings'] })
    },
  })
}

/** Like `useChange` for a change without a form: a refusal becomes a message, too. */
export function useAct<Given, Answer>(act: (given: Given) => Promise<Answer>, said: (answer: Answer, given: Given) => string, what: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: (answer, given) => done({ text: said(answer, given) }),
    onError: (error) => failed(what, error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['settings'] }),
  })
}
