import type {
  Alert,
  AlertStatus,
  AlertUuid,
  CaseUuid,
  ClaimAmong,
  Millis,
  NewAlert,
  OrganizationId,
  PauseId,
  Scope,
  SessionId,
} from '../../domain/index.ts'
import type { Page } from './page.ts'

export interface InsertedAlert {
  readonly alert: Alert
  /**
   * False if the same principal sent an earlier alert with the same idempotency key. `alert` is then the
   * earlier one.
   */
  readonly fresh: boolean
}

/**
 * Alerts are sorted by a time that never changes. So paging returns each alert that existed before the first
 * page exactly once.
 */
type AlertSort = 'created_at' | '-created_at'

/** A text that the content of an alert must contain. ASCII letters match in either case. */
export interface ContainedText {
  readonly text: string
  /** The search words of the text. The alert must have each of them as a whole token. */
  readonly words: readonly string[]
}

/** The position of an alert in a list. */
export interface AlertPosition {
  readonly createdAt: Millis
  readonly uuid: AlertUuid
}

/** Which alerts a list or a count includes. Absent conditions include every alert. */
export interface AlertConditions {
  readonly organizations?: readonly OrganizationId[]
  /** Provider codes in lower case. */
  readonly providers?: readonly string[]
  /** Normalised types. */
  readonly types?: readonly string[]
  readonly statuses?: readonly AlertStatus[]
  /** False: only alerts with a type whose investigation has not ended. True: only alerts at 15 or 20. */
  readonly finished?: boolean
  /** Names of playbooks: the one of the latest run. */
  readonly playbooks?: readonly string[]
  /** Only alerts of this case, and the duplicates of these. */
  readonly case?: CaseUuid
  /** Only alerts created at this time or later. */
  readonly createdFrom?: Millis
  /** Only alerts created before this time. */
  readonly createdTo?: Millis
  /** Only duplicates of this alert. */
  readonly duplicateOf?: AlertUuid
  /** Search words in lower case. An alert matches if each word is the beginning of one of the alert's tokens. */
  readonly words?: readonly string[]
  readonly contains?: ContainedText
}

export interface AlertQuery extends AlertConditions {
  readonly sort: AlertSort
  readonly after: AlertPosition | null
  readonly limit: number
  /** How many characters of the content each item has. */
  readonly preview: number
}

/** A part of a count: how many of the alerts that were examined match. */
export interface AlertTally {
  readonly matching: number
  /** The position of the last examined alert. Null if there were fewer than `examine`. */
  readonly next: AlertPosition | null
}

/** The duplicates of an alert. */
export interface Repeats {
  readonly count: number
  /** The duplicate that was created last. Null if there are no duplicates. */
  readonly latest: Pick<Alert, 'alertId' | 'createdAt'> | null
}

/** Identifies an alert that waits for a worker. */
export interface PendingAlert {
  readonly uuid: AlertUuid
  readonly organization: OrganizationId
  readonly type: string
  readonly retryCount: number
  /** How often a process died while it prepared this attempt. */
  readonly deaths: number
}

/** How an alert and its case are named, and whom they belong to. */
export type AlertNames = Pick<Alert, 'uuid' | 'organization' | 'alertId' | 'name' | 'caseId'>

/** Which session prepares which attempt of an alert. */
export interface Preparing {
  readonly attempt: number
  readonly session: SessionId
  /** The company that this process offers. Absent: it can offer any company. */
  readonly among?: ClaimAmong
}

export interface AlertStore {
  /**
   * Numbers the alerts in the given order and inserts them. A batch takes one counter step for each prefix,
   * and one insert.
   * Numbers are unique and ascending for each `numberedAs`: an alert inserted after another was acknowledged
   * has the higher number. A repeat (same principal and idempotency key) takes no number. It may come in the
   * same batch, at the same time, or later. Only a crash between numbering and insert can leave a gap.
   * @param sent a store of one process may call it at once. A call that is then made in the same lane comes after
   * the insert, and maybe in the same commit. If the insert fails, such a call does not find the alerts. `numbered`
   * resolves with the result, maybe right before the alerts are durable
   * @throws TocsinError `organization_forbidden` if one alert is out of scope; none is inserted then
   */
  insert(scope: Scope, alerts: readonly NewAlert[], sent?: (numbered: Promise<readonly InsertedAlert[]>) => void): Promise<readonly InsertedAlert[]>
  get(scope: Scope, uuids: readonly AlertUuid[]): Promise<readonly Alert[]>
  /** Returns the names of alerts, without reading their content. */
  names(scope: Scope, uuids: readonly AlertUuid[]): Promise<readonly AlertNames[]>
  byAlertId(scope: Scope, alertId: string): Promise<Alert | null>
  /**
   * Sorts by creation time, then by UUID, both in the direction of `query.sort`. `content` is cut to
   * `query.preview` characters.
   */
  list(scope: Scope, query: AlertQuery): Promise<Page<Alert>>
  /**
   * Counts the matching alerts among the next `examine` alerts of the scope, the organizations and the time
   * range, newest first. One call takes a bounded time, however many alerts there are. To count on, pass `next`
   * as `after`. A store that finds alerts by an index may examine only those that it finds.
   */
  tally(scope: Scope, conditions: AlertConditions, after: AlertPosition | null, examine: number): Promise<AlertTally>
  /**
   * Changes status 0 to 5, and records `at` as the time of the latest handover, unless a later one is recorded.
   * Alerts that a run has taken do not change.
   */
  submit(scope: Scope, uuids: readonly AlertUuid[], at: Millis): Promise<void>
  repeats(scope: Scope, first: AlertUuid): Promise<Repeats>
  /**
   * Starts another attempt of an ended alert: changes status 15 or 20 to 5, adds one retry, and records `at`
   * as the time of the handover. The alert is no longer a duplicate, and a scheduled automatic retry is
   * dropped. Returns `retried: false` if the status is neither 15 nor 20. Null if the alert is out of scope.
   */
  retry(scope: Scope, uuid: AlertUuid, at: Millis): Promise<{ readonly retried: boolean; readonly alert: Alert } | null>
  /**
   * Starts the automatic retries that are due at `now`: changes status 20 to 5, adds one retry, and records
   * `now` as the time of the handover. Returns the alerts, those due longest first. Concurrent calls never
   * return the same retry twice. For the sweeper, which then hands the alerts over.
   */
  retryDue(scope: Scope, now: Millis, limit: number): Promise<readonly PendingAlert[]>
  /**
   * Returns alerts with a type that no run has taken and no pause holds: at status 0 and created before
   * `before`, or at 5 and last handed over before `before`. Oldest first. For the sweeper.
   */
  pending(scope: Scope, before: Millis, limit: number): Promise<readonly PendingAlert[]>
  /**
   * Notes that a session prepares an attempt of an alert that has no run yet. Preparing can kill the process
   * too. Returns how often a process has died while it prepared this attempt. The note of another live
   * session is kept. If the deaths call for a stricter company than the caller offers, nothing is noted, and
   * the caller must not prepare the alert.
   */
  prepare(scope: Scope, uuid: AlertUuid, preparing: Preparing): Promise<number>
  /**
   * Notes that the session has finished preparing, and that the alert now waits for its run. If the session
   * dies after that, no death is counted.
   */
  prepared(scope: Scope, uuid: AlertUuid, session: SessionId): Promise<void>
  /**
   * Records that a pause stops the investigation of an alert that no run has taken. The alert is not pending
   * until `release`.
   */
  hold(scope: Scope, uuid: AlertUuid, pause: PauseId): Promise<void>
  /**
   * Returns the pause that holds the alert. The pause may have ended already. Null if no pause has held the
   * alert since the last `release`.
   */
  heldBy(scope: Scope, uuid: AlertUuid): Promise<PauseId | null>
  /**
   * Makes alerts pending again whose pause has ended. They count as handed over at `at`. Returns them. For
   * the sweeper.
   */
  release(scope: Scope, at: Millis, limit: number): Promise<readonly PendingAlert[]>
  /**
   * Completes inserts that a crash interrupted. Returns how many: none if the adapter inserts in one step. Also starts the upkeep of the
   * index of words, and does not wait for it.
   */
  repair(scope: Scope, before: Millis): Promise<number>
}
