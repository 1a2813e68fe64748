import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { ask } from '../ask.ts'
import { serverIsAway } from '../away.ts'
import { me } from '../me.ts'
import { FeedConnection, type FeedStatus } from './connection.ts'
import { Refresher } from './refresher.ts'

let status: FeedStatus = 'closed'
const listeners = new Set<() => void>()

/** Returns whether changes show at once. If not, pages ask from time to time. */
export function isLive(): boolean {
  return status === 'live'
}

/** Returns the state of the feed. */
export function useFeedStatus(): FeedStatus {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => status,
  )
}

/** How long a server may take to answer that sends no more signs of life, in milliseconds. */
const patience = 5_000

/** Finds out whether a server that has fallen silent answers. A stopped one takes requests and never answers. */
async function findOut(): Promise<void> {
  await ask('GET', '/platformapi/version', undefined, AbortSignal.timeout(patience)).catch(() => serverIsAway(true))
}

/**
 * Keeps the page's data up to date with the feed, as long as the component is shown.
 * @param reads whether the key may read anything; without that there is no feed
 */
export function useFeed(queries: QueryClient, reads: boolean): void {
  useEffect(() => {
    if (!reads) return
    const refresher = new Refresher(queries)
    const connection = new FeedConnection({
      status(next) {
        status = next
        if (next === 'live') serverIsAway(false)
        for (const listener of listeners) listener()
        // Queries ask more often while there is no feed.
        if (next === 'offline') refresher.everything()
      },
      changed: (changes) => refresher.changed(changes),
      missed: () => refresher.everything(),
      silent: () => void findOut(),
      refused: () => void queries.refetchQueries({ queryKey: me.queryKey }),
    })
    const shown = (): void => refresher.shown()
    document.addEventListener('visibilitychange', shown)
    return () => {
      document.removeEventListener('visibilitychange', shown)
      connection.close()
      refresher.stop()
    }
  }, [queries, reads])
}
