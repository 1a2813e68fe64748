import type { Alert, AlertUuid, Millis, Principal, RunId, SentWrite } from '../domain/index.ts'
import type { TocsinError } from '../errors/index.ts'

/** An alert as a source sent it (specification 2.1), its shape checked and nothing looked up yet. */
export interface AlertSubmission {
  readonly alertContent: string
  /** As it was sent; known without regard to case. */
  readonly alertProvider: string
  readonly organizationCode: string
  /** Null when absent: stored, and not investigated. */
  readonly alertType: string | null
  readonly createdAtSource: Millis | null
}

/** One alert of a batch, with the idempotency key of its own if it has one. */
export interface BatchItem {
  readonly alert: AlertSubmission
  readonly idempotencyKey: string | null
}

export interface Accepted {
  readonly alert: Alert
  /** False when the same principal sent this idempotency key and body before: then `alert` is that first one, as it now stands. */
  readonly fresh: boolean
}

/** Accepting alerts. A resolved promise means that the alert is durable in the store. */
export interface Ingest {
  /**
   * @param idempotencyKey 1 to 255 printable ASCII characters, or null
   * @throws TocsinError `organization_unknown` (also outside the principal's reach), `provider_unknown`, `idempotency_key_reused`,
   *   `overloaded`, `store_unavailable`
   */
  accept(principal: Principal, alert: AlertSubmission, idempotencyKey: string | null): Promise<Accepted>
  /** A result an item, in order: one item's error leaves the others alone. Throws only for what concerns the whole batch. */
  acceptBatch(principal: Principal, items: readonly BatchItem[]): Promise<readonly (Accepted | TocsinError)[]>
}

/** A write that an earlier attempt of an alert has sent. */
export interface EarlierWrite extends SentWrite {
  readonly run: RunId
}

interface Retried {
  /** As it now stands (5). */
  readonly alert: Alert
  /** What the new attempt may do again. */
  readonly earlierWrites: readonly EarlierWrite[]
}

/** What callers may ask of investigations without being workers. */
export interface Investigations {
  /**
   * Starts another investigation, in the name of a principal, of an alert whose last one has ended.
   * @throws TocsinError `alert_unknown` (also out of scope), `alert_not_retriable`
   */
  retry(principal: Principal, alert: AlertUuid): Promise<Retried>
  /**
   * Resolves when the alert's investigation has ended, or when the signal aborts; never rejects for the signal's sake. Looks at
   * the store after it began to listen, so that an end in between is not missed.
   */
  ended(alert: AlertUuid, signal: AbortSignal): Promise<void>
}
