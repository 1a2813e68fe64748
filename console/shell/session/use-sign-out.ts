import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { ask } from '../../api/ask.ts'
import { me } from '../../api/me.ts'
import { failed } from '../../shared/toasts.tsx'
import { forgetPerson } from './forget-person.ts'
import { tellOtherWindows } from './other-windows.ts'

/** Signs out. The next person must not see the data of this one. */
export function useSignOut(): UseMutationResult<undefined, Error, void> {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => ask<undefined>('POST', '/console/sign-out'),
    onSuccess: () => {
      forgetPerson(queries)
      tellOtherWindows()
      return queries.resetQueries({ queryKey: me.queryKey })
    },
    onError: (error) => failed('You are still signed in', error),
  })
}
