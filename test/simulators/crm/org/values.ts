import { invalidField, Refused } from '../replies.ts'
import type { Field } from './field.ts'
import { idFrom } from './ids.ts'
import type { Org } from './org.ts'
import type { Row, Value } from './row.ts'
import { fieldNamed, type ObjectType, objectNamed } from './schema.ts'

export type Change = 'create' | 'update'

/**
 * Returns the values that a body sets, checked as the platform checks them. Raises
 * JSON_PARSER_ERROR, INVALID_FIELD, INVALID_FIELD_FOR_INSERT_UPDATE, REQUIRED_FIELD_MISSING,
 * DUPLICATE_VALUE, MALFORMED_ID, INVALID_CROSS_REFERENCE_KEY, STRING_TOO_LONG, and the error for
 * restricted values.
 *
 * @param forbidden the field that the address already names
 * @param id the id of the record to change
 */
export function valuesOf(org: Org, object: ObjectType, body: string, change: Change, forbidden = 'Id', id: string | null = null): Row {
  const given = objectIn(body)
  const values: Record<string, Value> = {}
  for (const [name, value] of Object.entries(given)) {
    if (name === 'attributes') continue
    if (name.toLowerCase() === 'id' || name.toLowerCase() === forbidden.toLowerCase()) {
      throw invalidField(`The ${fieldNamed(object, name)?.name ?? name} field should not be specified in the sobject data.`)
    }
    const field = fieldNamed(object, name)
    if (!field) throw invalidField(`No such column '${name}' on sobject of type ${object.name}`)
    if (!(change === 'create' ? field.createable : field.updateable)) {
      throw new Refused(
        400,
        'INVALID_FIELD_FOR_INSERT_UPDATE',
        `Unable to create/update fields: ${field.name}. Please check the security settings of this field and verify that it is read/write for your profile or permission set.`,
        [field.name],
      )
    }
    values[field.name] = checked(org, object, field, value, id)
  }
  const missing = object.fields
    .filter(({ name, required }) => required && (change === 'create' ? (values[name] ?? null) === null : values[name] === null))
    .map(({ name }) => name)
  if (missing.length > 0) throw new Refused(400, 'REQUIRED_FIELD_MISSING', `Required fields are missing: [${missing.join(', ')}]`, missing)
  return values
}

function objectIn(body: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    throw parserError('Unexpected character or end of input')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw parserError('Can only deserialize an object')
  return { ...value }
}

function parserError(message: string): Refused {
  return new Refused(400, 'JSON_PARSER_ERROR', message)
}

function checked(org: Org, object: ObjectType, field: Field, value: unknown, id: string | null): Value {
  if (value === null || value === '') return null
  switch (field.type) {
    case 'boolean':
      if (typeof value !== 'boolean') throw parserError(`Cannot deserialize instance of boolean from ${JSON.stringify(value)}`)
      return value
    case 'double':
    case 'currency':
    case 'int':
      if (typeof value !== 'number') throw parserError(`Cannot deserialize instance of ${field.type} from ${JSON.stringify(value)}`)
      return value
    case 'reference':
      return reference(org, field, value)
    default:
      return text(org, object, field, value, id)
  }
}

function reference(org: Org, field: Field, value: unknown): string {
  const target = objectNamed(field.refersTo ?? '')
  const id = typeof value === 'string' ? idFrom(value) : null
  if (!target || id === null || !id.startsWith(target.prefix)) {
    throw new Refused(400, 'MALFORMED_ID', `${field.label}: id value of incorrect type: ${String(value)}`, [field.name])
  }
  const row = org.find(target, id)
  if (!row) throw new Refused(400, 'INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id', [])
  if (row['IsDeleted'] === true) throw new Refused(400, 'ENTITY_IS_DELETED', 'entity is deleted', [])
  return id
}

function text(org: Org, object: ObjectType, field: Field, value: unknown, id: string | null): string {
  if (typeof value !== 'string') throw parserError(`Cannot deserialize instance of string from ${JSON.stringify(value)}`)
  if (value.length > field.length) {
    throw new Refused(400, 'STRING_TOO_LONG', `${field.label}: data value too large: ${value.slice(0, 40)} (max length=${field.length})`, [
      field.name,
    ])
  }
  if (field.values && !field.values.includes(value)) {
    throw new Refused(400, 'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST', `${field.label}: bad value for restricted picklist field: ${value}`, [
      field.name,
    ])
  }
  if (field.type === 'email' && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(value)) {
    throw new Refused(400, 'INVALID_EMAIL_ADDRESS', `${field.label}: invalid email address: ${value}`, [field.name])
  }
  const holder = field.unique ? org.having(object, field.name, value).find((row) => row['Id'] !== id) : undefined
  if (holder) {
    throw new Refused(400, 'DUPLICATE_VALUE', `duplicate value found: ${field.name} duplicates value on record with id: ${String(holder['Id'])}`, [])
  }
  return value
}
