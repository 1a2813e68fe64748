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

/** A webhook of all organizations is seen and changed by a scope of all only. */
export interface WebhookStore {
  create(scope: Scope, webhook: Webhook): Promise<void>
  get(scope: Scope, id: WebhookId): Promise<Webhook | null>
  /** By id, rising. */
  list(scope: Scope, page: { readonly after: WebhookId | null; readonly limit: number }): Promise<Page<Webhook>>
  /** Of the organization; null: those of all organizations. Disabled ones too. */
  count(scope: Scope, organization: OrganizationId | null): Promise<number>
  /** Those that are not disabled. */
  enabled(scope: Scope): Promise<readonly Webhook[]>
  /** Replaces the webhook whose revision is `next.revision - 1`. */
  revise(scope: Scope, next: Webhook): Promise<'revised' | 'changed'>
  /** With its deliveries. False when it was not there. */
  remove(scope: Scope, id: WebhookId): Promise<boolean>
}

/**
 * Facts that webhooks are to be told of. A fact is marked in the same write that makes it (a decision is opened or closed, a run ends as
 * failed, a case is opened), and only where a webhook is told of such facts; a webhook that another process has made counts a second later.
 */
export interface OutboxStore {
  /** Facts whose mark was not cleared: at most so many of each type, the oldest first. */
  pending(scope: Scope, limit: number): Promise<readonly Fact[]>
  /** Takes the marks away. Those that are gone stay gone. */
  clear(scope: Scope, facts: readonly FactName[]): Promise<void>
}

export interface DeliveryQuery {
  readonly webhook: WebhookId
  readonly states?: readonly DeliveryState[]
  /** Newest first; `after` is the last item's position. */
  readonly after: { readonly createdAt: Millis; readonly id: DeliveryId } | null
  readonly limit: number
}

interface DeliveryLease {
  /** Names the lease: unique to this call. */
  readonly holder: string
  /** So long, in store time, are the deliveries nobody else's. */
  readonly duration: Millis
  readonly limit: number
}

/** A delivery that one process has for a while. */
export interface LeasedDelivery extends Delivery {
  /** Of the lease. */
  readonly holder: string
  /** Store time since it was made, or was last ordered again. */
  readonly age: Millis
}

/** What became of a leased delivery. */
export type DeliveryOutcome =
  | { readonly kind: 'delivered' | 'dead'; readonly attempt: DeliveryAttempt }
  /** To be tried again, in so much store time. */
  | { readonly kind: 'again'; readonly attempt: DeliveryAttempt; readonly delay: Millis }
  /** Not tried: it is due as it was. */
  | { readonly kind: 'released' }

/** Deliveries belong to the organization of their webhook. Time is the store's, but for `createdAt`, which the listing goes by. */
export interface DeliveryStore {
  /** Makes them, due at once. Those of an id that is there stay as they are. */
  add(scope: Scope, deliveries: readonly NewDelivery[]): Promise<void>
  get(scope: Scope, id: DeliveryId): Promise<Delivery | null>
  list(scope: Scope, query: DeliveryQuery): Promise<Page<Delivery>>
  /** Webhooks that have something due. */
  due(scope: Scope): Promise<readonly WebhookId[]>
  /** Takes due deliveries of a webhook, the longest due first: each goes to one lease, until that is settled or has lapsed. */
  lease(scope: Scope, webhook: WebhookId, lease: DeliveryLease): Promise<readonly LeasedDelivery[]>
  /** False when the lease has lapsed and another was taken, or the delivery is gone: then nothing changes. */
  settle(scope: Scope, id: DeliveryId, holder: string, outcome: DeliveryOutcome): Promise<boolean>
  /** Gives up what waits for a webhook, leased or not. Returns how many. */
  abandon(scope: Scope, webhook: WebhookId, attempt: DeliveryAttempt): Promise<number>
  /** Whatever its state: it waits again, due at once, with no attempt counted. Null when it is not there. */
  again(scope: Scope, id: DeliveryId): Promise<Delivery | null>
  /** Removes some of those that have been in the state for longer than `age`. Returns how many, at most `limit`. */
  prune(scope: Scope, state: 'delivered' | 'dead', age: Millis, limit: number): Promise<number>
}
