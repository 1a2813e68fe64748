import { queryOptions } from '@tanstack/react-query'
import type { AlertDetailsView, AlertItemView, PageView, RetryPreviewView } from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'
import { rhythm, slowRhythm } from '../api/rhythm.ts'
import { wholeList } from '../api/whole-list.ts'
import { hasWord } from '../shared/search/has-word.ts'

/** How many alerts the first page has, and each later one. The first is small, so that it shows soon. */
const firstPage = 200
const furtherPage = 1_000
/** The parameters of the address that are filters of the API, under the same names. */
export const filterNames = [
  ...(['q', 'status', 'organization', 'provider', 'playbook', 'type', 'finished', 'case', 'contains', 'duplicate_of'] as const),
  ...(['created_from', 'created_to'] as const),
] as const

/**
 * Returns the filters that the address has, as the API's query. `since` is a number of hours before now. A search without a word is left out:
 * the API would refuse it, and the field says so.
 */
export function filtersOf(address: URLSearchParams, now: number): URLSearchParams {
  const filters = new URLSearchParams()
  for (const name of filterNames)
    for (const value of address.getAll(name)) if (name === 'q' ? hasWord(value) : value !== '') filters.append(name, value)
  const since = Number(address.get('since') ?? '')
  if (since > 0) filters.set('created_from', String(now - since * 3_600_000))
  return filters
}

export function readAlerts(
  filters: URLSearchParams,
  {
    cursor,
    sort,
    limit = cursor === null ? firstPage : furtherPage,
  }: { readonly cursor: string | null; readonly sort: string; readonly limit?: number },
  signal?: AbortSignal,
): Promise<PageView<AlertItemView>> {
  const query = new URLSearchParams(filters)
  query.set('limit', String(limit))
  query.set('sort', sort)
  if (cursor !== null) query.set('cursor', cursor)
  return ask('GET', `/platformapi/alerts?${query}`, undefined, signal)
}

export function alertCount(filters: URLSearchParams) {
  return queryOptions({
    queryKey: ['alert count', filters.toString()],
    queryFn: ({ signal }) =>
      ask<{ readonly count: number; readonly exact: boolean }>('GET', `/platformapi/alerts/count?${filters}`, undefined, signal),
    refetchInterval: slowRhythm,
    placeholderData: (before) => before,
  })
}

const alertPath = (id: string): string => `/platformapi/alerts/${encodeURIComponent(id)}`

export function oneAlert(id: string) {
  return queryOptions({
    queryKey: ['alert', id],
    queryFn: ({ signal }) => ask<AlertDetailsView>('GET', alertPath(id), undefined, signal),
    refetchInterval: rhythm,
  })
}

/** Says what a retry of an alert may repeat. */
export function retryPreview(id: string, signal?: AbortSignal): Promise<RetryPreviewView> {
  return ask('GET', `${alertPath(id)}/retry`, undefined, signal)
}

export function retryAlert(id: string): Promise<unknown> {
  return ask('POST', `${alertPath(id)}/retry`)
}

/** The codes that a filter offers. */
export function codes(of: 'organizations' | 'providers', enabled: boolean) {
  return queryOptions({
    queryKey: ['codes', of],
    queryFn: async ({ signal }) => (await wholeList<{ readonly code: string }>(`/platformapi/${of}`, signal)).map(({ code }) => code),
    staleTime: 60_000,
    enabled,
  })
}
