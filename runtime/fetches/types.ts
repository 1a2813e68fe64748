import type { AlertFetch, ConnectionId, FetchFailure, FetchState, Json, Millis } from '../domain/index.ts'

/** A fetch as people see it. */
export interface FetchView extends AlertFetch {
  readonly state: FetchState
  /** When the attempt began that is under way. Null: none is. */
  readonly begunAt: Millis | null
  /** Null: the organization does not exist any more. */
  readonly organizationCode: string | null
  /** The connection's name and integration. Null: it was removed. */
  readonly instance: string | null
  readonly integration: string | null
}

/** What a person enters to make a fetch. */
export interface FetchDraft {
  readonly name: string
  readonly organizationCode: string
  readonly connection: ConnectionId
  /** `<skill>` or `<integration>.<skill>` */
  readonly skill: string
  readonly input: Readonly<Record<string, Json>>
  readonly reading: AlertFetch['reading']
  readonly every: Millis
  readonly overlap: Millis
  readonly enabled: boolean
  /** Fetches alerts from this time on. Null: from now on. */
  readonly since: Millis | null
}

/** What a person changes about a fetch. Absent fields stay as they are. */
export interface FetchChange extends Partial<Omit<FetchDraft, 'organizationCode' | 'reading' | 'since'>> {
  /** The revision that the change is based on. */
  readonly revision: number
  readonly reading?: Partial<AlertFetch['reading']>
  /** Fetches again from this time on. What was fetched before makes no second alert. */
  readonly since?: Millis
}

/** An alert that a fetch would bring. */
interface TriedAlert {
  readonly content: string
  readonly type: string | null
  readonly id: string | null
  readonly createdAtSource: Millis | null
}

/** What one attempt would bring. Nothing is stored. */
export interface Trial {
  readonly found: number
  /** The first items. */
  readonly alerts: readonly TriedAlert[]
  /** What would do harm, in words. */
  readonly warnings: readonly string[]
  /** Why there is nothing. */
  readonly failure: FetchFailure | null
}
