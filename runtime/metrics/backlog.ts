import { type Clock, type Millis, systemScope } from '../domain/index.ts'
import type { Store } from '../storage/index.ts'

/** How many waiting alerts and open decisions are counted at most. */
export const most = { alerts: 1_000, decisions: 500 }

/** What waits in an installation. */
export interface Backlog {
  /** At most `most.alerts`. */
  readonly waiting: number
  /** Null: none waits. */
  readonly oldest: Millis | null
  /** At most `most.decisions`. */
  readonly decisions: number
  /** At most `most.decisions`. */
  readonly inDoubt: number
  readonly pauses: number
  readonly failingFetches: number
}

type Read = Pick<Store, 'alerts' | 'decisions' | 'pauses' | 'fetches' | 'ping'>

/**
 * Reads what waits. It takes a bounded time, however much waits.
 * @throws TocsinError `store_unavailable`, also if the store can only be read, as when its disk is full
 */
export async function readBacklog(store: Read, clock: Clock): Promise<Backlog> {
  const { alerts, decisions, pauses, fetches } = store
  const now = clock.now()
  const open = { states: ['open'], after: null, limit: most.decisions } as const
  const [waiting, all, doubtful, standing, failingFetches] = await Promise.all([
    alerts.pending(systemScope, now + 1, most.alerts),
    decisions.list(systemScope, open),
    decisions.list(systemScope, { ...open, kinds: ['in_doubt'] }),
    pauses.standing(systemScope),
    fetches.failing(systemScope),
    store.ping(),
  ])
  const [first] = waiting
  const [oldest] = first ? await alerts.get(systemScope, [first.uuid]) : []
  return {
    waiting: waiting.length,
    oldest: oldest ? Math.max(0, now - oldest.createdAt) : null,
    decisions: all.items.length,
    inDoubt: doubtful.items.length,
    pauses: standing.length,
    failingFetches,
  }
}
