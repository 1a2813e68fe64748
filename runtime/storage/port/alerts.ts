import type { Alert, AlertStatus, AlertUuid, ClaimAmong, Millis, NewAlert, OrganizationId, PauseId, Scope, SessionId } from '../../domain/index.ts'
import type { Page } from './page.ts'

export interface InsertedAlert {
  readonly alert: Alert
  /** False when an earlier alert of the same principal has the same idempotency key: then `alert` is that one. */
  readonly fresh: boolean
}

/** Immutable sort keys only, so that paging meets every alert that was there before the first page exactly once. */
type AlertSort = 'created_at' | '-created_at'

export interface AlertQuery {
  readonly organizations?: readonly OrganizationId[]
  /** Folded codes. */
  readonly providers?: readonly string[]
  /** Normalised types. */
  readonly types?: readonly string[]
  readonly statuses?: readonly AlertStatus[]
  /** created at or after. */
  readonly createdFrom?: Millis
  /** created before. */
  readonly createdTo?: Millis
  /** Duplicates of this alert. */
  readonly duplicateOf?: AlertUuid
  /** Case-folded words; an alert fits when each is the beginning of one of its tokens. */
  readonly words?: readonly string[]
  readonly sort: AlertSort
  readonly after: { readonly createdAt: Millis; readonly uuid: AlertUuid } | null
  readonly limit: number
  /** Characters of the content to return with each item. */
  readonly preview: number
}

/** The duplicates of an alert. */
export interface Repeats {
  readonly count: number
  /** The one that was created last; null: there is none. */
  readonly latest: Pick<Alert, 'alertId' | 'createdAt'> | null
}

/** What a worker needs to find an alert that waits for it. */
export interface PendingAlert {
  readonly uuid: AlertUuid
  readonly organization: OrganizationId
  readonly type: string
  readonly retryCount: number
  /** How often a process died while it prepared this attempt. */
  readonly deaths: number
}

/** Which session prepares which attempt of an alert. */
export interface Preparing {
  readonly attempt: number
  readonly session: SessionId
  /** Absent: any company will do. */
  readonly among?: ClaimAmong
}

export interface AlertStore {
  /**
   * Numbers and inserts in order: one counter step for each prefix and one insert a batch. Numbers are unique and rising for
   * `numberedAs`: an alert inserted after another was acknowledged has the larger number. A repeat (same principal and
   * idempotency key) takes no number, whether it races, is in the same batch, or comes later; only a crash between numbering
   * and insert may leave a gap. All in scope, or the whole batch is refused.
   */
  insert(scope: Scope, alerts: readonly NewAlert[]): Promise<readonly InsertedAlert[]>
  get(scope: Scope, uuids: readonly AlertUuid[]): Promise<readonly Alert[]>
  byAlertId(scope: Scope, alertId: string): Promise<Alert | null>
  /** Sorted by creation time, then uuid. `content` of the items is cut to the preview. */
  list(scope: Scope, query: AlertQuery): Promise<Page<Alert>>
  /** 0 -> 5 for those that are still at 0; for those already at 5, notes that they were handed over again. */
  submit(scope: Scope, uuids: readonly AlertUuid[], at: Millis): Promise<void>
  repeats(scope: Scope, first: AlertUuid): Promise<Repeats>
  /**
   * 15 or 20 -> 5, one more retry, handed over `at`, a duplicate no more; none that was due follows by itself any more. Null when not in scope; `retried` is
   * false in any other status.
   */
  retry(scope: Scope, uuid: AlertUuid, at: Millis): Promise<{ readonly retried: boolean; readonly alert: Alert } | null>
  /**
   * 20 -> 5, one more retry, handed over at `now`: of failed alerts whose next attempt is due by then, each once, whoever else asks. The longest due
   * first. For the sweeper, which then hands them over.
   */
  retryDue(scope: Scope, now: Millis, limit: number): Promise<readonly PendingAlert[]>
  /**
   * Alerts with a type that no run has taken: at 0 and created before `before`, or at 5 and last handed over before it. Oldest
   * first. For the sweeper.
   */
  pending(scope: Scope, before: Millis, limit: number): Promise<readonly PendingAlert[]>
  /**
   * Notes that a session prepares an attempt of an alert that has no run yet, because preparing it may kill the process, too. Returns how often a
   * process has died while it prepared this attempt. Keeps the note of another session that is alive. If the deaths call for a stricter company
   * than the caller has, it notes nothing, and the caller must not prepare the alert.
   */
  prepare(scope: Scope, uuid: AlertUuid, preparing: Preparing): Promise<number>
  /** Notes that the session has finished preparing, and that the alert now waits for its run to begin. If the session dies now, no death is counted. */
  prepared(scope: Scope, uuid: AlertUuid, session: SessionId): Promise<void>
  /** A pause keeps an alert that no run has taken from being investigated: it is pending no more, until `release`. */
  hold(scope: Scope, uuid: AlertUuid, pause: PauseId): Promise<void>
  /** The pause that an alert was last held by, and not released from; null: none. It may be over. */
  heldBy(scope: Scope, uuid: AlertUuid): Promise<PauseId | null>
  /** Makes those pending again, since `at`, that were held by pauses which stand no more, and returns them. For the sweeper. */
  release(scope: Scope, at: Millis, limit: number): Promise<readonly PendingAlert[]>
  /** Completes what a crash left between the steps of an insert (an adapter whose insert is one step has nothing to do). Returns how many. */
  repair(scope: Scope, before: Millis): Promise<number>
}
