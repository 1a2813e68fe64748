import type { Scope } from '../../../domain/index.ts'
import type { CaseQuery } from '../../port/index.ts'
import { type WantedCases, wantedCases } from './find.ts'

/**
 * Returns what the segments must find for a query. The caller checks all conditions of the query.
 * @param direction that of a list in the order of creation: then only the cases behind `query.after` are wanted. Null: another order
 */
export function wantedByQuery(scope: Scope, query: CaseQuery, direction: 1 | -1 | null): WantedCases {
  const { words = [], organizations, after, createdFrom = 0, createdTo = Number.MAX_SAFE_INTEGER } = query
  return wantedCases(
    words,
    scope.organizations === 'all' ? organizations : scope.organizations,
    after && direction === 1 ? Math.max(createdFrom, after.key) : createdFrom,
    after && direction === -1 ? Math.min(createdTo, after.key) : createdTo,
  )
}
