import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import type { RunDetailsView, RunStepView } from '../../runtime/api/index.ts'
import { useAddress } from '../shared/address.ts'
import { progressOf, stepsQuery } from './queries.ts'

/** A chosen step is looked for among this many steps. */
const mostLookedThrough = 3_000
/** The next page is asked for when this many rows are left below the last one in view. */
const ahead = 40

interface Steps {
  readonly steps: readonly RunStepView[]
  /** How many there are, loaded or not. */
  readonly total: number
  readonly note: string | null
  /** Nothing was read so far. */
  readonly pending: boolean
  readonly error: Error | null
  readonly loops: 'grouped' | 'all'
  /** The index of the chosen step. -1 if it is not loaded. */
  readonly at: number
  /** Call with the last row in view. */
  readonly show: (last: number) => void
}

/** The steps of a run, page by page: as many as somebody scrolls to, and on until the chosen one. */
export function useSteps(run: RunDetailsView, chosen: string | null): Steps {
  const { get, set } = useAddress()
  const loops = get('loops') === 'all' ? 'all' : 'grouped'
  const query = useInfiniteQuery(stepsQuery(run, loops))
  const { data, error, hasNextPage, isFetching, isPlaceholderData, fetchNextPage, refetch } = query
  const steps = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data])
  const at = chosen === null ? -1 : steps.findIndex(({ address }) => address === chosen)
  const complete = data !== undefined && !isPlaceholderData && !hasNextPage

  const progress = progressOf(run)
  const read = useRef(progress)
  useEffect(() => {
    if (read.current === progress) return
    read.current = progress
    void refetch()
  }, [progress, refetch])

  const missing = chosen !== null && at < 0
  const search = missing && hasNextPage && steps.length < mostLookedThrough
  useEffect(() => {
    if (search && !isFetching) void fetchNextPage()
  }, [search, isFetching, fetchNextPage])

  // An address may name an iteration that is grouped with another one. Whoever groups the loops again after that means it.
  const ungrouped = useRef<string | null>(null)
  const hidden = missing && complete && loops === 'grouped' && isIteration(chosen)
  useEffect(() => {
    if (!hidden || ungrouped.current === chosen) return
    ungrouped.current = chosen
    set({ loops: 'all' })
  }, [hidden, chosen, set])

  return {
    steps,
    total: data?.pages[0]?.total ?? 0,
    note: data?.pages[0]?.note ?? null,
    pending: data === undefined && error === null,
    error,
    loops,
    at,
    show: (last) => {
      if (hasNextPage && !isFetching && last >= steps.length - ahead) void fetchNextPage()
    },
  }
}

/** Ids of steps never begin with a digit, so a number is an iteration. */
function isIteration(address: string | null): boolean {
  return address !== null && /\/\d+(\/|$)/.test(address)
}
