import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { PageView, RunDetailsView, RunGraphView, RunStepView, RunUndoView, RunView, RunWritesView } from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'
import { rhythm, slowRhythm } from '../api/rhythm.ts'

const pageSize = 100
/** The most steps of one page, as the API allows. */
const stepPage = 200

const pathOf = (id: string): string => `/platformapi/runs/${encodeURIComponent(id)}`

/** The filters of the list of runs, as the API names them. */
export interface RunFilters {
  readonly state: readonly string[]
  readonly alert_type: readonly string[]
  readonly playbook: readonly string[]
  readonly organization: readonly string[]
  readonly since: string | null
}

export function readRuns({ since, ...several }: RunFilters, cursor: string | null, signal: AbortSignal): Promise<PageView<RunView>> {
  const query = new URLSearchParams({ limit: String(pageSize) })
  for (const [name, values] of Object.entries(several)) for (const value of values) query.append(name, value)
  if (since !== null) query.append('since', since)
  if (cursor !== null) query.append('cursor', cursor)
  return ask('GET', `/platformapi/runs?${query}`, undefined, signal)
}

/** One run. It is read again while it may change. */
export function runQuery(id: string) {
  return queryOptions({
    queryKey: ['run', id],
    queryFn: ({ signal }) => ask<RunDetailsView>('GET', pathOf(id), undefined, signal),
    refetchInterval: ({ state: { data } }) => (data && isOver(data) ? slowRhythm : rhythm()),
  })
}

export function isOver({ state }: Pick<RunDetailsView, 'state'>): boolean {
  return state === 'completed' || state === 'failed'
}

/** Names how far a run has come. */
export function progressOf({ state, decisions, writes }: RunDetailsView): string {
  return [state, decisions.length, writes.length].join(' ')
}

/** What the server must replay a run for. It is read again when the run has made progress, and keeps what it showed until then. */
function replayed(run: RunDetailsView) {
  return {
    key: [run.run_id, progressOf(run)],
    options: { staleTime: slowRhythm, refetchInterval: run.state === 'running' ? slowRhythm : (false as const), placeholderData: keepPreviousData },
  }
}

export interface StepPageView extends PageView<RunStepView> {
  readonly total: number
  readonly note: string | null
  readonly states: Readonly<Partial<Record<RunStepView['state'], number>>>
  readonly inputs: Readonly<Record<string, { readonly value?: unknown; readonly beginning?: string }>> | null
}

/**
 * The steps of a run. Its progress is no part of the key: a reader who has scrolled down keeps the pages that are loaded.
 * @param loops `grouped`: iterations that took the same branches are listed once
 */
export function stepsQuery(run: RunDetailsView, loops: 'grouped' | 'all') {
  const { options } = replayed(run)
  return infiniteQueryOptions({
    ...options,
    queryKey: ['run steps', loops, run.run_id],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ loops, limit: String(stepPage) })
      if (pageParam !== null) query.append('cursor', pageParam)
      return ask<StepPageView>('GET', `${pathOf(run.run_id)}/steps?${query}`, undefined, signal)
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page: StepPageView) => page.next_cursor,
  })
}

export function graphQuery(run: RunDetailsView) {
  const { key, options } = replayed(run)
  return queryOptions({
    ...options,
    queryKey: ['run graph', ...key],
    queryFn: ({ signal }) => ask<RunGraphView>('GET', `${pathOf(run.run_id)}/graph`, undefined, signal),
  })
}

export function writesQuery(run: RunDetailsView) {
  const { key, options } = replayed(run)
  return queryOptions({
    ...options,
    queryKey: ['run writes', ...key],
    queryFn: ({ signal }) => ask<RunWritesView>('GET', `${pathOf(run.run_id)}/writes`, undefined, signal),
  })
}

/** One step with longer values. */
export function stepQuery(run: RunDetailsView, address: string) {
  const { key, options } = replayed(run)
  return queryOptions({
    ...options,
    queryKey: ['run step', address, ...key],
    queryFn: ({ signal }) => ask<RunStepView>('GET', `${pathOf(run.run_id)}/step?${new URLSearchParams({ address })}`, undefined, signal),
  })
}

/** What an undo of a run would do, and the last undo. */
export function undoQuery(id: string) {
  return queryOptions({
    queryKey: ['run undo', id],
    queryFn: ({ signal }) => ask<RunUndoView>('GET', `${pathOf(id)}/undo`, undefined, signal),
    staleTime: 0,
  })
}

export const cancelRun = (id: string, reason: string): Promise<RunDetailsView> => ask('POST', `${pathOf(id)}/cancel`, reason === '' ? {} : { reason })

/** @param plan the digest of the plan that the person saw */
export const undoRun = (id: string, plan: string, reason: string): Promise<RunUndoView> =>
  ask('POST', `${pathOf(id)}/undo`, { plan, ...(reason !== '' && { reason }) })

export const retryAlert = (alert: string): Promise<unknown> => ask('POST', `/platformapi/alerts/${encodeURIComponent(alert)}/retry`, {})
