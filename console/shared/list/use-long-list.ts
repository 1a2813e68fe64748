import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { PageView } from '../../../runtime/api/index.ts'
import { rhythm } from '../../api/rhythm.ts'

interface LongListOptions<Row> {
  /** Identifies the list and its filters. */
  readonly key: readonly unknown[]
  /** Reads a page. `cursor` is null for the first one. */
  readonly read: (cursor: string | null, signal: AbortSignal) => Promise<PageView<Row>>
  readonly idOf: (row: Row) => string
}

/** A list that is loaded page by page while somebody scrolls. */
interface LongList<Row> {
  /** Identifies the list, its filters, and how often it was loaded from its beginning. */
  readonly of: string
  readonly rows: readonly Row[]
  readonly pending: boolean
  readonly error: Error | null
  readonly more: { readonly has: boolean; readonly loading: boolean; load(): void }
  /** How many rows the server has before the first one that is loaded. Infinity: more than a page. */
  readonly fresh: number
  /** Loads the list again from its beginning, with the new rows. */
  showFresh(): void
}

/**
 * Reads a list of any length. Loaded pages are not read again, so that nothing moves while somebody reads. The first page is read
 * again from time to time: rows that changed are replaced in place, and rows that are new are counted.
 */
export function useLongList<Row>({ key, read, idOf }: LongListOptions<Row>): LongList<Row> {
  const queries = useQueryClient()
  const [shown, setShown] = useState(0)
  const pagesKey = useMemo(() => ['pages', ...key], [key])
  const pages = useInfiniteQuery({
    queryKey: pagesKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
  const head = useQuery({
    queryKey: ['head', ...key],
    queryFn: ({ signal }) => read(null, signal),
    refetchInterval: rhythm,
    enabled: pages.data !== undefined,
  })
  const loaded = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data])
  const latest = useMemo(() => new Map(head.data?.items.map((row) => [idOf(row), row])), [head.data, idOf])
  const rows = useMemo(() => (latest.size === 0 ? loaded : loaded.map((row) => latest.get(idOf(row)) ?? row)), [loaded, latest, idOf])
  const fresh = useMemo(() => {
    const begins = pages.data?.pages[0]
    if (!head.data || !begins) return 0
    const known = new Set(begins.items.map(idOf))
    const firstKnown = head.data.items.findIndex((row) => known.has(idOf(row)))
    if (firstKnown !== -1) return firstKnown
    return head.data.next_cursor === null ? head.data.items.length : Number.POSITIVE_INFINITY
  }, [head.data, pages.data, idOf])
  return {
    of: JSON.stringify([key, shown]),
    rows,
    pending: pages.isPending,
    error: pages.error ?? head.error,
    more: {
      has: pages.hasNextPage,
      loading: pages.isFetchingNextPage,
      load: () => void pages.fetchNextPage({ cancelRefetch: false }),
    },
    fresh,
    showFresh: () => {
      setShown((times) => times + 1)
      void queries.resetQueries({ queryKey: pagesKey })
    },
  }
}
