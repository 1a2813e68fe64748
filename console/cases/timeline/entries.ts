import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CaseDetailsView, PageView, TimelineEntryView } from '../../../runtime/api/index.ts'
import { ask } from '../../api/ask.ts'
import { casePath } from '../requests.ts'

/** The latest entries that the page has seen, oldest first, and the cursor to those before them. */
interface Seen {
  readonly latest: readonly TimelineEntryView[]
  /** Null: there are no earlier entries. */
  readonly earlier: string | null
}

/**
 * Adds the latest entries of a case to those that the page has seen. The API returns only a limited number of them, so new
 * ones push old ones out. The page keeps what it has shown.
 * @returns `seen` if nothing is new; `read` alone if entries between the two are missing
 */
export function following(seen: Seen, read: Seen): Seen {
  const first = read.latest[0]
  if (first === undefined) return seen.latest.length === 0 ? seen : read
  const from = seen.latest.findIndex(({ id }) => id === first.id)
  if (from < 0) return read
  const latest = [...seen.latest.slice(0, from), ...read.latest]
  const same = latest.length === seen.latest.length && latest.every((entry, index) => entry === seen.latest[index])
  return same ? seen : { latest, earlier: seen.earlier }
}

export interface TimelineEntries {
  /** Latest first. */
  readonly entries: readonly TimelineEntryView[]
  /** Whether the API has earlier entries. */
  readonly more: boolean
  /** How many pages of earlier entries have been read. */
  readonly pages: number
  readonly reading: boolean
  readonly failed: boolean
  /** Reads the next page of earlier entries. */
  readEarlier(): void
}

/** The entries of a case, with the earlier ones that the page has read. New entries do not take those away. */
export function useTimelineEntries({ case_id, timeline, timeline_earlier }: CaseDetailsView): TimelineEntries {
  const read = { latest: timeline, earlier: timeline_earlier }
  const [kept, keep] = useState({ case_id, seen: read })
  const seen = kept.case_id === case_id ? following(kept.seen, read) : read
  if (seen !== kept.seen) keep({ case_id, seen })
  const earlier = useInfiniteQuery({
    queryKey: ['earlier entries', case_id, seen.earlier],
    queryFn: ({ pageParam, signal }) =>
      ask<PageView<TimelineEntryView>>('GET', casePath(case_id, `/timeline?limit=100&cursor=${encodeURIComponent(pageParam)}`), undefined, signal),
    initialPageParam: seen.earlier ?? '',
    getNextPageParam: (page) => page.next_cursor,
    enabled: false,
  })
  return {
    entries: [...seen.latest.toReversed(), ...(earlier.data?.pages.flatMap(({ items }) => items) ?? [])],
    more: seen.earlier !== null && (earlier.data === undefined || earlier.hasNextPage),
    pages: earlier.data?.pages.length ?? 0,
    reading: earlier.isFetching,
    failed: earlier.isError,
    readEarlier: () => void (earlier.data === undefined ? earlier.refetch() : earlier.fetchNextPage()),
  }
}
