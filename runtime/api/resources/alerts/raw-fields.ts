import { hash } from 'node:crypto'
import type { Json, Millis } from '../../../domain/index.ts'
import { alertFieldsOf } from '../../../ingest/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { SubmissionSchema } from './submission.ts'

const { alert_provider, organization_code, alert_type } = SubmissionSchema.properties
const pointer = (description: string) => Type.Optional(Type.String({ format: 'pointer', maxLength: 256, description }))

/** The parameters that say what alert a body becomes. Those that end in `_at` are JSON pointers into the body (RFC 6901). */
export const RawQuerySchema = Type.Object({
  organization_code,
  alert_provider,
  alert_type,
  alert_type_at: pointer('Where the body has the type: `/rule/name`. Without a type there, the alert gets alert_type.'),
  idempotency_key_at: pointer('Where the body has what tells one alert of this source from another: `/event/id`.'),
  created_at_source_at: pointer('Where the body says when the source created it: a number or text of seconds or milliseconds, or ISO 8601.'),
})
type RawQuery = Static<typeof RawQuerySchema>

/** What the body of an alert says about it. */
interface RawFields {
  readonly alertType: string | null
  /** The same for two bodies that have the same text or number at `idempotency_key_at`. */
  readonly idempotencyKey: string | null
  readonly createdAtSource: Millis | null
}

/**
 * Reads what the body says about the alert.
 * @param body undefined if it is not JSON
 */
export function rawFieldsOf(query: RawQuery, body: Json | undefined): RawFields {
  const { alert_type: type = null, alert_type_at: typeAt = null, idempotency_key_at: idAt = null, created_at_source_at: createdAt = null } = query
  const fields = alertFieldsOf({ type, typeAt, idAt, createdAt }, body)
  return {
    alertType: fields.type,
    idempotencyKey: fields.id === null ? null : keyOf(query, fields.id),
    createdAtSource: fields.createdAtSource,
  }
}

/** Two organizations, or two providers, may use the same id for different alerts. */
function keyOf({ organization_code, alert_provider }: RawQuery, id: string): string {
  return `raw:${hash('sha256', JSON.stringify([organization_code, alert_provider.toLowerCase(), id]), 'base64url')}`
}
