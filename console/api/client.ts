import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { me } from './me.ts'
import { Refused } from './refused.ts'
import { sessionIsOver } from './session.ts'

/**
 * Retries requests without an answer, but not refused requests. If a key is refused while somebody works, the page stays as it is and asks
 * for a key.
 */
export function createQueries(): QueryClient {
  // Before the next click: otherwise a button of a busy page would take two clicks before it shows that it has sent something.
  notifyManager.setScheduler(queueMicrotask)
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        // The server may be on this machine, although the browser has no network.
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (times, error) => times < 2 && !(error instanceof Refused && refusedForGood(error)),
      },
      // By default, what somebody does without a network is kept, and sent when the network is back: an approval, perhaps hours later.
      mutations: { networkMode: 'always' },
    },
  })
  return client

  function onError(error: Error): void {
    // Before anybody has signed in, the page shows the form anyway.
    if (error instanceof Refused && error.problem.status === 401 && client.getQueryData(me.queryKey)) sessionIsOver(true)
  }
}

function refusedForGood({ problem: { status } }: Refused): boolean {
  return status >= 400 && status < 500
}
