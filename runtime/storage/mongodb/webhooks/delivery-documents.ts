import type { Delivery, DeliveryId } from '../../../domain/index.ts'

/** A delivery. Its dates are those of the server's clock. */
export interface DeliveryDocument extends Omit<Delivery, 'id' | 'nextAttemptAt'> {
  readonly _id: DeliveryId
  /** When it was made, or was last asked for again. */
  readonly since: Date
  /** Present while it waits: when it is tried next. While it is leased: when the lease ends. */
  readonly dueAt?: Date
  readonly holder?: string
  readonly endedAt?: Date
}
