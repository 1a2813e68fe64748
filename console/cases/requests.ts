import { queryOptions } from '@tanstack/react-query'
import type { CaseView, PageView, PersonView } from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'

export type CaseFields = Partial<Pick<CaseView, 'status' | 'severity' | 'disposition' | 'assignee'>>

const pageSize = 100

/** The filters of a list, by the names that the API gives them. */
export type CaseFilters = Readonly<Record<string, string | readonly string[] | null>>

export function casePath(id: string, part = ''): string {
  return `/platformapi/cases/${encodeURIComponent(id)}${part}`
}

/** Reads a page of the list of cases. */
export function readCases(filters: CaseFilters, cursor: string | null, signal: AbortSignal): Promise<PageView<CaseView>> {
  const query = new URLSearchParams({ limit: String(pageSize) })
  for (const [name, value] of Object.entries(filters))
    for (const one of value === null ? [] : typeof value === 'string' ? [value] : value) query.append(name, one)
  if (cursor !== null) query.set('cursor', cursor)
  return ask('GET', `/platformapi/cases?${query}`, undefined, signal)
}

/** Who may see a case, and so can be mentioned in a comment: at most 100 people whose names begin so. */
export function peopleOf(id: string, begin = '') {
  const path = casePath(id, `/people${begin === '' ? '' : `?${new URLSearchParams({ q: begin })}`}`)
  return queryOptions({
    queryKey: ['case people', id, begin],
    queryFn: ({ signal }) => ask<{ readonly items: readonly PersonView[] }>('GET', path, undefined, signal),
    staleTime: 60_000,
  })
}
