import type {
  Delivery,
  DeliveryAttempt,
  DeliveryId,
  DeliveryState,
  Fact,
  FactName,
  Millis,
  NewDelivery,
  OrganizationId,
  Scope,
  Webhook,
  WebhookId,
} from '../../domain/index.ts'
import type { Page } from './page.ts'

/** Only a scope of all organizations sees and changes a webhook of all organizations. */
export interface WebhookStore {
  create(scope: Scope, webhook: Webhook): Promise<void>
  get(scope: Scope, id: WebhookId): Promise<Webhook | null>
  /** Sorts by id, ascending. */
  list(scope: Scope, page: { readonly after: WebhookId | null; readonly limit: number }): Promise<Page<Webhook>>
  /**
   * Returns how many webhooks an organization has, including disabled ones. `null` counts the webhooks of all
   * organizations.
   */
  count(scope: Scope, organization: OrganizationId | null): Promise<number>
  /** Returns the webhooks that are not disabled. */
  enabled(scope: Scope): Promise<readonly Webhook[]>
  /**
   * Replaces the webhook whose revision is `next.revision - 1`. Returns `changed` if the revision is another
   * one, or the webhook is missing or out of scope.
   */
  revise(scope: Scope, next: Webhook): Promise<'revised' | 'changed'>
  /** Removes a webhook and its deliveries. Returns false if there is no such webhook in scope. */
  remove(scope: Scope, id: WebhookId): Promise<boolean>
}

/**
 * The facts that webhooks still have to be told. A fact is marked in the same write that makes it a fact: a
 * decision is opened or closed, a run fails, or a case is opened. It is marked only if a webhook wants such
 * facts. A webhook that another process created counts after one second.
 */
export interface OutboxStore {
  /** Returns facts that are still marked: the oldest `limit` of each type. */
  pending(scope: Scope, limit: number): Promise<readonly Fact[]>
  /** Removes the marks of these facts. Marks that are already removed are ignored. */
  clear(scope: Scope, facts: readonly FactName[]): Promise<void>
}

export interface DeliveryQuery {
  readonly webhook: WebhookId
  readonly states?: readonly DeliveryState[]
  /** The position of the last item of the previous page. Newest first: sorts by creation time, then id, descending. */
  readonly after: { readonly createdAt: Millis; readonly id: DeliveryId } | null
  readonly limit: number
}

interface DeliveryLease {
  /** Names the lease. Unique to this call. */
  readonly holder: string
  /** How long only the holder may settle the deliveries, in store time. */
  readonly duration: Millis
  readonly limit: number
}

/** A delivery that one process has leased. */
export interface LeasedDelivery extends Delivery {
  /** The holder of the lease. */
  readonly holder: string
  /** How long ago the delivery was created or last requested again, in store time. */
  readonly age: Millis
}

/** How an attempt on a leased delivery ended. */
export type DeliveryOutcome =
  | { readonly kind: 'delivered' | 'dead'; readonly attempt: DeliveryAttempt }
  /** The delivery will be tried again after `delay`, in store time. */
  | { readonly kind: 'again'; readonly attempt: DeliveryAttempt; readonly delay: Millis }
  /** Nothing was tried. The delivery is due at once. */
  | { readonly kind: 'released' }

/**
 * Deliveries belong to the organization of their webhook. Times are store time, except `createdAt`, by which
 * lists are sorted.
 */
export interface DeliveryStore {
  /**
   * Adds deliveries that are due at once. A delivery whose id is stored already does not change.
   * @throws TocsinError `organization_forbidden`
   */
  add(scope: Scope, deliveries: readonly NewDelivery[]): Promise<void>
  get(scope: Scope, id: DeliveryId): Promise<Delivery | null>
  list(scope: Scope, query: DeliveryQuery): Promise<Page<Delivery>>
  /** Returns the webhooks that have deliveries due. */
  due(scope: Scope): Promise<readonly WebhookId[]>
  /**
   * Leases due deliveries of a webhook, those due longest first. No other lease gets them until this one is
   * settled or expires.
   */
  lease(scope: Scope, webhook: WebhookId, lease: DeliveryLease): Promise<readonly LeasedDelivery[]>
  /**
   * Records the outcome of a leased delivery. Returns false and changes nothing if the lease expired and
   * another was taken, or the delivery is gone.
   */
  settle(scope: Scope, id: DeliveryId, holder: string, outcome: DeliveryOutcome): Promise<boolean>
  /** Gives up everything that waits for a webhook, leased or not. Returns how many. */
  abandon(scope: Scope, webhook: WebhookId, attempt: DeliveryAttempt): Promise<number>
  /**
   * Makes a delivery wait again, whatever its state: due at once, with no attempts counted. Returns it. Null
   * if there is no such delivery in scope.
   */
  again(scope: Scope, id: DeliveryId): Promise<Delivery | null>
  /**
   * Removes deliveries that have been in the state for at least `age`, in store time. Returns how many: at
   * most `limit`.
   */
  prune(scope: Scope, state: 'delivered' | 'dead', age: Millis, limit: number): Promise<number>
}
