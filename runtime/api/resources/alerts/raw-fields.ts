import { hash } from 'node:crypto'
import type { Json, Millis } from '../../../domain/index.ts'
import { partAt } from '../../../json/index.ts'
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
 * Reads what the body says about the alert. What is missing, or has another form, counts as not said: the alert must not be lost because
 * its source has changed.
 * @param body undefined if it is not JSON
 */
export function rawFieldsOf(query: RawQuery, body: Json | undefined): RawFields {
  const at = (place: string | undefined): string | null => (place === undefined || body === undefined ? null : textOf(partAt(body, place)))
  const type = at(query.alert_type_at)
  const key = at(query.idempotency_key_at)
  const created = at(query.created_at_source_at)
  return {
    alertType: type !== null && canBeType(type) ? type : (query.alert_type ?? null),
    idempotencyKey: key === null || key === '' ? null : keyOf(query, key),
    createdAtSource: created === null ? null : timeOf(created),
  }
}

function textOf(value: Json | undefined): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : null
}

/** Returns whether a text may be sent as `alert_type`. */
function canBeType(text: string): boolean {
  return text.length <= 200 && text.isWellFormed() && !/\p{Cc}/u.test(text) && text.trim() !== ''
}

/** Two organizations, or two providers, may use the same id for different alerts. */
function keyOf({ organization_code, alert_provider }: RawQuery, id: string): string {
  return `raw:${hash('sha256', JSON.stringify([organization_code, alert_provider.toLowerCase(), id]), 'base64url')}`
}

/** Below this, a number is in seconds. In milliseconds it would be a time before March 1973. */
const leastMillis = 100_000_000_000

function timeOf(text: string): Millis | null {
  const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : /^\d{1,16}(\.\d{1,9})?$/.test(text) ? epochOf(Number(text)) : Number.NaN
  return Number.isSafeInteger(time) ? time : null
}

function epochOf(number: number): Millis {
  return Math.floor(number < leastMillis ? number * 1_000 : number)
}
