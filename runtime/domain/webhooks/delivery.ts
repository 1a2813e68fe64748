import type { DeliveryId, EventId, OrganizationId, WebhookId } from '../ids.ts'
import type { Millis } from '../seams.ts'
import type { EventType } from './event.ts'

export const deliveryStates = ['waiting', 'delivered', 'dead'] as const
/** `waiting`: for its first attempt or the next. `dead`: given up. */
export type DeliveryState = (typeof deliveryStates)[number]

/** One try to deliver. */
export interface DeliveryAttempt {
  readonly at: Millis
  /** The HTTP status that was answered; null: none was. */
  readonly status: number | null
  /** Why it did not succeed. Never holds what the receiver answered. */
  readonly error: string | null
}

/** One event for one webhook. */
export interface Delivery {
  readonly id: DeliveryId
  readonly webhook: WebhookId
  /** The webhook's. */
  readonly organization: OrganizationId | null
  readonly event: EventId
  readonly type: EventType
  /** What is sent, byte by byte the same in every attempt. */
  readonly body: string
  readonly createdAt: Millis
  readonly state: DeliveryState
  readonly attempts: number
  readonly lastAttempt: DeliveryAttempt | null
  /** Of a waiting one: when it is tried next, at the latest. */
  readonly nextAttemptAt: Millis | null
}

export type NewDelivery = Pick<Delivery, 'id' | 'webhook' | 'organization' | 'event' | 'type' | 'body' | 'createdAt'>
