import type { Delivery, DeliveryId } from '../../../domain/index.ts'

/** A delivery. Its dates are server time. */
export interface DeliveryDocument extends Omit<Delivery, 'id' | 'nextAttemptAt'> {
  readonly _id: DeliveryId
  /** When it was created or last requested again. */
  readonly since: Date
  /** Set while it waits: when it is tried next. While it is leased: when the lease ends. */
  readonly dueAt?: Date
  readonly holder?: string
  readonly endedAt?: Date
}
