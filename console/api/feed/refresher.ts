import type { Query, QueryClient } from '@tanstack/react-query'
import type { FeedChangeView } from '../../../runtime/api/index.ts'
import { concerns } from './matches.ts'

/** How long the first hint waits for others, and the shortest time between two refreshes, in milliseconds. */
const first = 100
const between = 1_000

/** Reads again what hints name. Hints that come close together are one refresh. While the page is hidden, they wait. */
export class Refresher {
  readonly #queries: QueryClient
  #changes: FeedChangeView[] = []
  #all = false
  #timer: ReturnType<typeof setTimeout> | null = null
  #last = 0

  constructor(queries: QueryClient) {
    this.#queries = queries
  }

  changed(changes: readonly FeedChangeView[]): void {
    this.#changes.push(...changes)
    // Reading everything again is cheaper than remembering a flood of hints.
    if (this.#changes.length > 1_000) this.everything()
    this.#soon()
  }

  everything(): void {
    this.#all = true
    this.#changes = []
    this.#soon()
  }

  /** Call this when the page is shown again. */
  shown(): void {
    if (this.#all || this.#changes.length > 0) this.#soon()
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#changes = []
    this.#all = false
  }

  #soon(): void {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = null
        if (!document.hidden) this.#refresh()
      },
      Math.max(first, this.#last + between - Date.now()),
    )
  }

  #refresh(): void {
    const [all, changes] = [this.#all, this.#changes]
    this.#all = false
    this.#changes = []
    this.#last = Date.now()
    let busy = false
    const wanted = (query: Query): boolean => {
      const { queryKey, state } = query
      // Pages that somebody scrolled through stay as they are: the head of the list shows what is new.
      if (queryKey[0] === 'pages' || queryKey[0] === 'me') return false
      if (!all && !changes.some((change) => concerns(change, queryKey, state.data))) return false
      // An answer on its way may miss the change. Wait for it and then read again: to cancel it could mean that a slow answer never arrives.
      if (state.fetchStatus === 'fetching' && query.isActive()) busy = true
      return true
    }
    void this.#queries.invalidateQueries({ predicate: wanted }, { cancelRefetch: false })
    if (!busy) return
    if (all) this.everything()
    else this.changed(changes)
  }
}
