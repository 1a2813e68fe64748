import { type QueryClient, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import type { CaseDetailsView } from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'
import { oneCase } from '../api/queries.ts'
import { failed } from '../shared/toasts.tsx'
import { type CaseFields, casePath } from './requests.ts'

/** A request that changes a case and answers the case after that. */
export interface CaseAct {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  /** Below the path of the case: `/tags`. */
  readonly part?: string
  readonly body?: object
  /** What the case looks like until the answer comes. If the request fails, it is taken back. */
  readonly expect?: Partial<CaseDetailsView>
  /** The title of the message if the request fails. */
  readonly what: string
  /** Handles a refusal instead of a message. Returns whether it did. */
  readonly refused?: (error: unknown) => boolean
}

/** Changes a case: shows the change at once, and takes it back if the API refuses it. */
export function useCaseAct(id: string): UseMutationResult<CaseDetailsView, Error, CaseAct, CaseDetailsView | undefined> {
  const queries = useQueryClient()
  const { queryKey } = oneCase(id)
  return useMutation({
    mutationFn: ({ method, part = '', body }: CaseAct) => ask<CaseDetailsView>(method, casePath(id, part), body),
    onMutate: async ({ expect }) => {
      await queries.cancelQueries({ queryKey })
      const before = queries.getQueryData<CaseDetailsView>(queryKey)
      if (before && expect) queries.setQueryData(queryKey, { ...before, ...expect })
      return before
    },
    onSuccess: (found, { part }) => {
      // The answer to a comment is a timeline entry, not the case.
      if (part !== '/comments') queries.setQueryData(queryKey, found)
    },
    onError: (error, { expect, what, refused }, before) => {
      queries.setQueryData<CaseDetailsView>(queryKey, (now) => now && before && expect && { ...now, ...fieldsBefore(before, expect, now) })
      if (!refused?.(error)) failed(what, error)
    },
    onSettled: () => refreshCase(queries, id),
  })
}

/** Returns the fields that still are as expected, with their values of before. The others show what somebody else has set meanwhile. */
function fieldsBefore(before: CaseDetailsView, expect: Partial<CaseDetailsView>, now: CaseDetailsView): Partial<CaseDetailsView> {
  const fields = Object.keys(expect) as (keyof CaseDetailsView)[]
  const unchanged = fields.filter((field) => JSON.stringify(now[field]) === JSON.stringify(expect[field]))
  return Object.fromEntries(unchanged.map((field) => [field, before[field]]))
}

/** Reads a case again, and the lists that show it. */
export function refreshCase(queries: QueryClient, id: string): void {
  void queries.invalidateQueries({ queryKey: oneCase(id).queryKey })
  void queries.invalidateQueries({ queryKey: ['head', 'cases'] })
}

/** Returns the act that changes fields of a case. */
export function changeOf(fields: CaseFields, what: string): CaseAct {
  return { method: 'PATCH', body: fields, expect: fields, what }
}

/** Returns what somebody has typed since a text was sent: it stays in the field. */
export function typedSince(sent: string, now: string): string {
  return now.startsWith(sent) ? now.slice(sent.length).trimStart() : now
}
