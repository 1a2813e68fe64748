import type { Sealed } from '../connections/connection.ts'
import type { OrganizationId, PrincipalId, WebhookId } from '../ids.ts'
import type { Millis } from '../seams.ts'
import type { EventType } from './event.ts'

/** Why nothing is sent to a webhook: somebody said so, or its receiver did (410). */
type WebhookDisabled = 'by_hand' | 'gone'

/** Where somebody is told what happened in an organization. */
export interface Webhook {
  readonly id: WebhookId
  /** Null: of all organizations. Who sees only some does not see it. */
  readonly organization: OrganizationId | null
  readonly url: string
  readonly description: string
  readonly events: readonly EventType[]
  /** Null: it is told. */
  readonly disabled: WebhookDisabled | null
  /** What deliveries are signed with. */
  readonly secret: Sealed
  /** The secret before the last rotation, and until when it signs too. */
  readonly previous: { readonly secret: Sealed; readonly until: Millis } | null
  /** 1 when it is made; rises with every change. */
  readonly revision: number
  readonly createdAt: Millis
  readonly createdBy: PrincipalId
  readonly modifiedAt: Millis
}

/** Whether a webhook is told of such events of an organization. */
export function isTold({ organization, events, disabled }: Webhook, type: EventType, about: OrganizationId): boolean {
  return disabled === null && (organization === null || organization === about) && events.includes(type)
}
