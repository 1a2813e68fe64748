import type { Sealed } from '../connections/connection.ts'
import type { OrganizationId, PrincipalId, WebhookId } from '../ids.ts'
import type { Millis } from '../seams.ts'
import type { EventType } from './event.ts'

/** Why nothing is sent to a webhook: a person disabled it, or its receiver answered 410. */
type WebhookDisabled = 'by_hand' | 'gone'

/** An address that is told what happens in an organization. */
export interface Webhook {
  readonly id: WebhookId
  /** Null: for all organizations. A principal that sees only some organizations does not see it. */
  readonly organization: OrganizationId | null
  readonly url: string
  readonly description: string
  readonly events: readonly EventType[]
  /** Null if it is enabled. */
  readonly disabled: WebhookDisabled | null
  /** The secret that signs deliveries. */
  readonly secret: Sealed
  /** The secret before the last rotation, and until when deliveries are signed with it too. */
  readonly previous: { readonly secret: Sealed; readonly until: Millis } | null
  /** 1 when the webhook is created. Rises with every change. */
  readonly revision: number
  readonly createdAt: Millis
  readonly createdBy: PrincipalId
  readonly modifiedAt: Millis
}

/** Returns whether a webhook is told about events of this type in an organization. */
export function isTold({ organization, events, disabled }: Webhook, type: EventType, about: OrganizationId): boolean {
  return disabled === null && (organization === null || organization === about) && events.includes(type)
}
