import type { DeliveryId, EventId, OrganizationId, WebhookId } from '../ids.ts'
import type { Millis } from '../seams.ts'
import type { EventType } from './event.ts'

export const deliveryStates = ['waiting', 'delivered', 'dead'] as const
/** `waiting`: for its first or next attempt. `dead`: given up. */
export type DeliveryState = (typeof deliveryStates)[number]

/** One attempt to deliver. */
export interface DeliveryAttempt {
  readonly at: Millis
  /** The HTTP status of the answer. Null if there was no answer. */
  readonly status: number | null
  /** Why it failed. Never contains the receiver's answer. */
  readonly error: string | null
}

/** One event for one webhook. */
export interface Delivery {
  readonly id: DeliveryId
  readonly webhook: WebhookId
  /** The webhook's organization. */
  readonly organization: OrganizationId | null
  readonly event: EventId
  readonly type: EventType
  /** The body that is sent, byte for byte the same in every attempt. */
  readonly body: string
  readonly createdAt: Millis
  readonly state: DeliveryState
  readonly attempts: number
  readonly lastAttempt: DeliveryAttempt | null
  /** For a waiting delivery: the latest time of its next attempt. */
  readonly nextAttemptAt: Millis | null
}

export type NewDelivery = Pick<Delivery, 'id' | 'webhook' | 'organization' | 'event' | 'type' | 'body' | 'createdAt'>
