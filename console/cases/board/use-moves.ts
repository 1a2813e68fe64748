import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { CaseDetailsView, CaseView } from '../../../runtime/api/index.ts'
import { ask } from '../../api/ask.ts'
import { caseWords } from '../../shared/badges.tsx'
import { done, failed } from '../../shared/toasts.tsx'
import { useWho } from '../../shell/who.ts'
import { replacedBy, replacedText } from '../replaced.ts'
import { casePath } from '../requests.ts'
import { takeBack } from '../take-back.ts'
import { type Column, withCase } from './columns.ts'

type Status = CaseView['status']

/** The columns of the board, by status. */
export const boardKey = ['board', 'cases'] as const

/**
 * Returns the function that sets the status of a case. The board shows the move at once, takes it back if the API refuses it, and offers
 * to undo it.
 */
export function useMoves(): (found: CaseView, status: Status) => void {
  const queries = useQueryClient()
  const who = useWho()
  const set = (id: string, status: Status): Promise<CaseDetailsView> => ask('PATCH', casePath(id), { status })
  const again = (): Promise<void> => queries.invalidateQueries({ queryKey: boardKey })
  const { mutate } = useMutation({
    mutationFn: ({ found, status }: { readonly found: CaseView; readonly status: Status }) => set(found.case_id, status),
    onMutate: async ({ found, status }) => {
      await queries.cancelQueries({ queryKey: boardKey })
      const before = queries.getQueriesData<Column>({ queryKey: boardKey })
      for (const [key, column] of before) if (column) queries.setQueryData(key, withCase(column, key[2], { ...found, status }))
      return before
    },
    onSuccess: (answered, { found, status }) => {
      const shown = { status: found.status }
      const before = replacedBy(answered, who.principal_uuid, { status }, shown)
      done({
        text: `${found.case_id} is now: ${caseWords.status(status)}`,
        replaced: replacedText(before, shown),
        undo: () => void takeBack({ id: found.case_id, set: { status }, before }).finally(again),
      })
    },
    onError: (error, { found }, before) => {
      for (const [key, column] of before ?? []) queries.setQueryData(key, column)
      failed(`${found.case_id} was not moved`, error)
    },
    onSettled: again,
  })
  return (found, status) => {
    if (status !== found.status) mutate({ found, status })
  }
}
