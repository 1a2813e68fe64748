import { type Delivery, deliveryStates, eventTypes } from '../../../domain/index.ts'
import type { WebhookView } from '../../../notify/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { nullable, oneOf, Time, Uuid } from '../../schemas.ts'

const Url = Type.String({
  minLength: 1,
  maxLength: 2_000,
  format: 'line',
  description: 'https://… It may contain a secret of the receiver. Reading the webhook shows it again.',
})
const Events = Type.Array(oneOf(eventTypes), {
  minItems: 1,
  maxItems: eventTypes.length,
  uniqueItems: true,
  description: 'The events that it receives.',
})
const Description = { format: 'text', maxLength: 500 } as const
const organization = 'The organization whose events it receives. Null: all organizations, which needs a key of all organizations.'

export const NewWebhookSchema = Type.Object(
  {
    url: Url,
    events: Events,
    organization_code: Type.Optional(nullable(Type.String({ maxLength: 256, description: `${organization} Absent: the same as null.` }))),
    description: Type.String({ ...Description, default: '' }),
    enabled: Type.Boolean({ default: true }),
  },
  { additionalProperties: false },
)

export const WebhookChangeSchema = Type.Object(
  {
    revision: Type.Integer({ minimum: 1, description: 'The revision that you read before the change.' }),
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    description: Type.Optional(Type.String(Description)),
    enabled: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

const fields = {
  id: Uuid,
  organization_code: nullable(Type.String({ description: organization })),
  url: Type.String(),
  events: Type.Array(Type.String()),
  description: Type.String(),
  enabled: Type.Boolean(),
  disabled_because: nullable(Type.String({ description: '`by_hand`, or `gone`: its receiver answered 410.' })),
  previous_secret_until: nullable(Type.Integer({ description: 'Until when the previous secret stays valid, in epoch milliseconds.' })),
  revision: Type.Integer(),
  created_at: Time,
  created_by: Uuid,
  modified_at: Time,
}

export const WebhookSchema = Type.Object(fields, { $id: 'Webhook', description: 'An address that receives events.' })
export const WebhookWithSecretSchema = Type.Object(
  { ...fields, secret: Type.String({ description: 'The key of the signatures. It is shown here and never again.' }) },
  { $id: 'WebhookWithSecret', description: 'A webhook with its new secret.' },
)

export const WebhookTestSchema = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the receiver answered with 2xx.' }),
    status: nullable(Type.Integer({ description: 'Null: it did not answer.' })),
    error: nullable(Type.String()),
    took: Type.Integer({ description: 'Milliseconds.' }),
  },
  { $id: 'WebhookTest' },
)

export const DeliverySchema = Type.Object(
  {
    id: Type.String(),
    event_id: Type.String({ description: 'The webhook-id header. It is the same in every attempt.' }),
    type: Type.String(),
    state: oneOf(deliveryStates),
    attempts: Type.Integer(),
    last_attempt_at: nullable(Time),
    last_status: nullable(Type.Integer({ description: 'Null: the receiver did not answer.' })),
    last_error: nullable(Type.String()),
    next_attempt_at: nullable(Type.Integer({ description: 'Epoch milliseconds. Null: there are no more attempts.' })),
    created_at: Time,
    body: Type.String({ description: 'Exactly what is sent.' }),
  },
  { $id: 'Delivery', description: 'One event for one webhook.' },
)

export function webhookView(webhook: WebhookView): Static<typeof WebhookSchema> {
  const { id, organizationCode, url, events, description, disabled, previousUntil, revision, createdAt, createdBy, modifiedAt } = webhook
  return {
    id,
    organization_code: organizationCode,
    url,
    events: [...events],
    description,
    enabled: disabled === null,
    disabled_because: disabled,
    previous_secret_until: previousUntil,
    revision,
    created_at: createdAt,
    created_by: createdBy,
    modified_at: modifiedAt,
  }
}

export function deliveryView({
  id,
  event,
  type,
  state,
  attempts,
  lastAttempt,
  nextAttemptAt,
  createdAt,
  body,
}: Delivery): Static<typeof DeliverySchema> {
  return {
    id,
    event_id: event,
    type,
    state,
    attempts,
    last_attempt_at: lastAttempt?.at ?? null,
    last_status: lastAttempt?.status ?? null,
    last_error: lastAttempt?.error ?? null,
    next_attempt_at: nextAttemptAt,
    created_at: createdAt,
    body,
  }
}
