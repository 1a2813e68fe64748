import type { FetchAnswer } from '../../../runtime/api/index.ts'
import { ask } from '../../api/ask.ts'
import { useAct, useChange } from '../use-pages.ts'

/** The list of fetches in the API. */
export const fetchesPath = '/platformapi/fetches'

/** What can be done with a fetch at once: begin its next attempt, and enable or disable it. */
export function useFetchActs({ id, revision }: FetchAnswer) {
  const now = useAct(
    () => ask<FetchAnswer>('POST', `${fetchesPath}/${id}/now`),
    ({ name }) => `The next attempt of ${name} begins within ten seconds`,
    'The fetch was not asked to begin',
  )
  const enable = useAct(
    (enabled: boolean) => ask<FetchAnswer>('PATCH', `${fetchesPath}/${id}`, { revision, enabled }),
    ({ enabled }) => (enabled ? 'The fetch is enabled. It goes on where it was' : 'The fetch is disabled'),
    'The fetch was not changed',
  )
  return { now, enable }
}

/** Removes a fetch. Its alerts stay. */
export function useRemoval({ id, name }: FetchAnswer) {
  return useChange(
    () => ask<undefined>('DELETE', `${fetchesPath}/${id}`),
    () => `Removed: ${name}`,
  )
}
