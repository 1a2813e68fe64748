import { caseStatuses, dispositions, isObject, type Json, severities } from '../../../domain/index.ts'
import * as typing from '../../../expressions/typing/index.ts'

const { any, boolean, foreign, integer, nullable, objectOf, oneOf, optional, present, text, textOf, typeOfSchema, typeOfValue, union } = typing

/** The fields of specification 2.2, and those that the runtime adds. The compiler reports unknown fields. */
export const alertType: typing.Type = objectOf(
  {
    content: foreign,
    alert_name: text,
    alert_content: text,
    alert_id: text,
    alert_provider: text,
    alert_type: text,
    alert_uuid: textOf({ format: 'uuid' }),
    created_at: integer,
    created_at_source: nullable(integer),
    created_by: text,
    investigation_retry_count: integer,
    organization_code: text,
    organization_uuid: textOf({ format: 'uuid' }),
  },
  'open',
)

export const organizationType: typing.Type = objectOf({ code: text, uuid: textOf({ format: 'uuid' }) })

/** The other fields exist once the run has set them. */
export const caseType: typing.Type = objectOf({
  case_id: text,
  severity: optional(oneOf(...severities)),
  status: optional(oneOf(...caseStatuses)),
  disposition: optional(oneOf(...dispositions)),
})

export const runType: typing.Type = objectOf({ id: text, attempt: integer, now: integer, playbook: text })

/** @param slots the known slots, including implied ones */
export function connectionsType(slots: Iterable<string>): typing.Type {
  const slot = objectOf({ bound: boolean, instance: optional(text) })
  return objectOf(Object.fromEntries([...slots].map((name) => [name, slot])), 'open')
}

/** Returns the type of one declared input. */
export function inputType(declared: Json): typing.Type {
  if (!isObject(declared)) return any
  const { default: standard, required, from: _from, description: _description, ...schema } = declared
  const type = present(typeOfSchema(schema))
  if (standard !== undefined) return union(type, typeOfValue(standard))
  return required === true ? type : optional(type)
}

export function inputsType(declared: Json | undefined): typing.Type {
  const entries = isObject(declared) ? Object.entries(declared) : []
  return objectOf(Object.fromEntries(entries.map(([name, input]) => [name, inputType(input)])), 'open')
}
