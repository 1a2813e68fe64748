import type { QueryClient } from '@tanstack/react-query'
import type { SignedInView } from '../../../runtime/api/index.ts'
import { me } from '../../api/me.ts'
import { sessionIsOver } from '../../api/session.ts'
import { forgetPerson } from './forget-person.ts'

/** Shows the pages of whoever is signed in now. Nobody may see what another person's key has read. Ends when the pages are read anew. */
export async function become(queries: QueryClient, who: SignedInView): Promise<void> {
  const before = queries.getQueryData(me.queryKey)
  if (before?.principal_uuid !== who.principal_uuid) forgetPerson(queries)
  queries.setQueryData(me.queryKey, who)
  sessionIsOver(false)
  if (before) await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== me.queryKey[0] })
}
