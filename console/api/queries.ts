import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { CaseDetailsView, DecisionView, PageView, RunDetailsView, RunStepView } from '../../runtime/api/index.ts'
import { ask } from './ask.ts'
import { rhythm, slowRhythm } from './rhythm.ts'

const pageSize = 200
/** The most steps of a run that are shown. */
const mostSteps = 200

/** Selects the decisions of a list. Open ones are sorted by deadline, others by when they were asked. */
export interface DecisionFilter {
  readonly state: 'open' | 'all'
  readonly kind: DecisionView['kind'] | 'any'
  /** The code of an organization. Null: all. */
  readonly organization: string | null
}

export function decisionList({ state, kind, organization }: DecisionFilter) {
  return infiniteQueryOptions({
    queryKey: ['decisions', state, kind, organization],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: String(pageSize) })
      if (state === 'open') query.append('sort', 'deadline')
      if (kind !== 'any') query.append('kind', kind)
      if (organization !== null) query.append('organization', organization)
      if (pageParam !== null) query.append('cursor', pageParam)
      return ask<PageView<DecisionView>>('GET', `/platformapi/decisions?${query}`, undefined, signal)
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: rhythm,
  })
}

export const decisionPath = (id: string): string => `/platformapi/decisions/${encodeURIComponent(id)}`

export function oneDecision(id: string) {
  return queryOptions({
    queryKey: ['decision', id],
    queryFn: ({ signal }) => ask<DecisionView>('GET', decisionPath(id), undefined, signal),
    refetchInterval: rhythm,
  })
}

export function oneRun(id: string) {
  return queryOptions({
    queryKey: ['run', id],
    queryFn: ({ signal }) => ask<RunDetailsView>('GET', `/platformapi/runs/${encodeURIComponent(id)}`, undefined, signal),
    refetchInterval: rhythm,
  })
}

/** The steps that a run has reached. They are read again when the run has made progress. */
export function stepsOfRun({ run_id: id, state, decisions }: RunDetailsView) {
  return queryOptions({
    queryKey: ['steps', id, state, decisions.map((decision) => decision.id).join()],
    queryFn: ({ signal }) =>
      ask<PageView<RunStepView>>('GET', `/platformapi/runs/${encodeURIComponent(id)}/steps?loops=grouped&limit=${mostSteps}`, undefined, signal),
    staleTime: slowRhythm,
    refetchInterval: state === 'running' ? slowRhythm : false,
  })
}

export function oneCase(id: string) {
  return queryOptions({
    queryKey: ['case', id],
    queryFn: ({ signal }) => ask<CaseDetailsView>('GET', `/platformapi/cases/${encodeURIComponent(id)}`, undefined, signal),
    refetchInterval: rhythm,
  })
}
