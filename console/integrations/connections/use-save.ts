import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { ConnectionAnswer, ConnectionTestView, IntegrationView } from '../../../runtime/api/index.ts'
import { changeConnection, createConnection, testConnection } from '../../api/integrations.ts'
import { changeOf, creationOf, type Draft } from './draft.ts'

/** A saved connection, and the result of its test. Null: it was not tested. */
export interface Saved {
  readonly connection: ConnectionAnswer
  readonly test: ConnectionTestView | null
}

interface SaveNeeds {
  readonly integration: IntegrationView
  readonly standing: ConnectionAnswer | null
  readonly draft: Draft
  readonly pasted: ReadonlySet<string>
  /** The connection is stored, and not tested yet. It is called also after the person has left the page. */
  onStored(): void
  /** Everything is done, and the person is still here. */
  onSaved(saved: Saved): void
}

/** Saves the form once, however often the button is pressed, and tests the connection if asked to. */
export function useSave({ integration, standing, draft, pasted, onStored, onSaved }: SaveNeeds) {
  const queries = useQueryClient()
  const busy = useRef(false)
  const { mutate, reset, error, isPending } = useMutation({
    mutationFn: async (test: boolean): Promise<Saved> => {
      const connection = standing
        ? await changeConnection(standing.id, changeOf(integration, draft, standing, pasted))
        : await createConnection(creationOf(integration, draft, pasted))
      onStored()
      // The connection is saved, whatever becomes of the test. A test that cannot be made is made again from the connection's page.
      return { connection, test: test ? await testConnection(connection.id).catch(() => null) : null }
    },
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['connections'] }),
    onSettled: () => {
      busy.current = false
    },
  })
  const send = (test: boolean): void => {
    if (busy.current) return
    busy.current = true
    mutate(test, { onSuccess: onSaved })
  }
  return { send, reset, error, isPending }
}
