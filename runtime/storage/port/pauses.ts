import type { Millis, Pause, PauseAct, PauseId, Scope } from '../../domain/index.ts'
import type { Page } from './page.ts'

export interface PauseQuery {
  /** True: those that stand; false: those that are over; absent: both. */
  readonly standing?: boolean
  /** Newest first; `after` is the last item's position. */
  readonly after: { readonly pausedAt: Millis; readonly id: PauseId } | null
  readonly limit: number
}

/** What is paused, and what was: none is ever removed. A scope sees those of its organizations and those that concern all; only a scope of all begins and ends the latter. */
export interface PauseStore {
  /** Begins it, unless one of the same target stands. Returns what stands. */
  begin(scope: Scope, pause: Pause): Promise<Pause>
  /** Ends it; one that is over stays as it was. Null: there is none in scope. */
  end(scope: Scope, id: PauseId, resumed: PauseAct): Promise<Pause | null>
  /** All that stand. Sees every pause whose `begin` was answered before it was asked. */
  standing(scope: Scope): Promise<readonly Pause[]>
  get(scope: Scope, id: PauseId): Promise<Pause | null>
  list(scope: Scope, query: PauseQuery): Promise<Page<Pause>>
}
