import type { Alert, AlertUuid, Millis, Principal, RunId, SentWrite } from '../domain/index.ts'
import type { TocsinError } from '../errors/index.ts'

/** An alert as a source sent it (specification 2.1). Its shape is checked. Nothing is looked up yet. */
export interface AlertSubmission {
  readonly alertContent: string
  /** As sent. Looked up ignoring case. */
  readonly alertProvider: string
  readonly organizationCode: string
  /** Null if absent: the alert is stored but not investigated. */
  readonly alertType: string | null
  readonly createdAtSource: Millis | null
}

/** One alert of a batch, with its own idempotency key if it has one. */
export interface BatchItem {
  readonly alert: AlertSubmission
  readonly idempotencyKey: string | null
}

/** Counts alerts. */
export interface AlertMeter {
  /** An alert is durable. @param fresh false: it was so before, with the same idempotency key */
  accepted(fresh: boolean): void
}

/** Makes traces of alerts. */
export interface AlertTracer {
  /** A new alert is durable. @param traceparent as in `Ingest.accept` */
  received(alert: Alert, traceparent: string | null): void
}

export interface Accepted {
  readonly alert: Alert
  /**
   * False if the same principal sent this idempotency key and body before. Then `alert` is that earlier
   * alert, as it is now.
   */
  readonly fresh: boolean
}

/** Accepts alerts. When a promise resolves, the alert is durable in the store. */
export interface Ingest {
  /**
   * @param idempotencyKey 1 to 255 printable ASCII characters, or null
   * @param traceparent the header of that name of the request, which nobody has checked. Null: there is none
   * @throws TocsinError `organization_unknown` (also out of the principal's scope), `provider_unknown`,
   * `idempotency_key_reused`, `overloaded`, `store_unavailable`
   */
  accept(principal: Principal, alert: AlertSubmission, idempotencyKey: string | null, traceparent: string | null): Promise<Accepted>
  /**
   * Accepts several alerts. Returns one result for each item, in order. An error of one item does not affect
   * the others. Throws only errors that concern the whole batch.
   * @param traceparent as in `accept`
   */
  acceptBatch(principal: Principal, items: readonly BatchItem[], traceparent: string | null): Promise<readonly (Accepted | TocsinError)[]>
}

/** A write that an earlier attempt of an alert has sent. */
export interface EarlierWrite extends SentWrite {
  readonly run: RunId
}

interface Retried {
  /** As it is now (status 5). */
  readonly alert: Alert
  /** What the new attempt may do again. */
  readonly earlierWrites: readonly EarlierWrite[]
}

/** What callers other than workers may ask about investigations. */
export interface Investigations {
  /**
   * Starts another investigation of an alert whose last one has ended.
   * @throws TocsinError `alert_unknown` (also out of scope), `alert_not_retriable`
   */
  retry(principal: Principal, alert: AlertUuid): Promise<Retried>
  /** Returns the writes of all attempts so far, in order. A retry may repeat them. Changes nothing. */
  earlierWrites(alert: AlertUuid): Promise<readonly EarlierWrite[]>
  /**
   * Resolves with the alert when its investigation has ended, or with null when the signal aborts. Reads the store
   * after it has begun to listen, so it does not miss an end in between.
   * @param isNew whether the caller has just stored the alert. Then the first read comes a moment later, and other reads
   * may show the end only after `shown`
   */
  ended(alert: Alert, signal: AbortSignal, isNew?: boolean): Promise<Alert | null>
  /** Resolves when reads show the end that callers of `ended` were told for this alert. Null: they show it already. Never rejects. */
  shown(alert: AlertUuid): Promise<void> | null
}
