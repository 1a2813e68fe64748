import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { SignedInView } from '../../../runtime/api/index.ts'
import { ask } from '../../api/ask.ts'
import { me } from '../../api/me.ts'
import { Refused } from '../../api/refused.ts'
import { sessionIsOver } from '../../api/session.ts'
import { done } from '../../shared/toasts.tsx'
import { become } from './become.ts'

const channel = new BroadcastChannel('tocsin.session')

/** Tells the other windows of this browser that somebody has signed in or out. All windows have the same cookie. */
export function tellOtherWindows(): void {
  channel.postMessage('changed')
}

/** Follows the other windows. Without that, a page would show one name while its changes are recorded under another one. */
export function useOtherWindows(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const changed = (): void => void follow(queries)
    channel.addEventListener('message', changed)
    return () => channel.removeEventListener('message', changed)
  }, [queries])
}

async function follow(queries: QueryClient): Promise<void> {
  const before = queries.getQueryData(me.queryKey)
  try {
    const now = await ask<SignedInView>('GET', '/console/me')
    const shown = become(queries, now)
    if (before && before.principal_uuid !== now.principal_uuid)
      done({ text: `You are ${now.name} here now, because somebody has signed in with another key in this browser.` })
    await shown
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    // Nobody is signed in, or Tocsin does not say who is. Then this page must not go on under a name that may be wrong.
    if (before) sessionIsOver(true)
  }
}
