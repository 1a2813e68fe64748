import { infiniteQueryOptions, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import type { CaseDetailsView, DecisionView, PageView, RunDetailsView, RunStepView, SignedInView } from '../../runtime/api/index.ts'
import { ask } from './ask.ts'
import { Refused } from './refused.ts'

/** How often data that may change is refreshed, in milliseconds. */
const rhythm = 5_000
/** How often data is refreshed that takes the server longer to answer, in milliseconds. */
const slowRhythm = 30_000
const pageSize = 50
/** The most steps of a run that are shown. */
const mostSteps = 200

/** Selects the decisions of a list. */
export interface DecisionFilter {
  readonly state: 'open' | 'all'
  readonly kind: DecisionView['kind'] | 'any'
}

export const me = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => ask<SignedInView>('GET', '/console/me', undefined, signal),
  staleTime: Number.POSITIVE_INFINITY,
})

export function decisionList({ state, kind }: DecisionFilter) {
  return infiniteQueryOptions({
    queryKey: ['decisions', state, kind],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: String(pageSize) })
      if (state === 'open') query.append('state', 'open')
      if (kind !== 'any') query.append('kind', kind)
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

/** Retries requests without an answer, but not refused requests. Asks who is signed in when a key is refused. */
export function createQueries(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError(error, { queryKey }) {
        if (error instanceof Refused && error.problem.status === 401 && queryKey[0] !== 'me') void client.resetQueries({ queryKey: me.queryKey })
      },
    }),
    defaultOptions: { queries: { retry: (times, error) => times < 2 && !(error instanceof Refused && refusedForGood(error)) } },
  })
  return client
}

function refusedForGood({ problem: { status } }: Refused): boolean {
  return status >= 400 && status < 500
}
