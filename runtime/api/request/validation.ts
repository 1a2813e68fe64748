import type { ErrorObject, ValidateFunction } from 'ajv'
import { type ErrorPlace, TocsinError } from '../../errors/index.ts'
import type { TSchema } from '../../schema/index.ts'
import { validators } from './ajv.ts'
import { compileQuery } from './query.ts'

/** The most places that an error names. */
const maxPlaces = 20
/** Up to this many entries of a list or object, all their faults are reported. */
const maxFields = 200

/** Returns null if the value matches its schema, else `body_invalid` or `field_unknown` with the fields in `places`. */
export type BodyCheck = (value: unknown) => TocsinError | null

/** Makes the check of a body. Its schema is compiled at the first body: a start needs none. */
export function compileBody(schema: TSchema): BodyCheck {
  let fits: ValidateFunction | null = null
  let all: ValidateFunction | null = null
  return (value) => {
    fits ??= validators().first.compile(schema)
    if (fits(value)) return null
    if (hasLargeField(value)) return refusal(fits.errors ?? [], schema)
    all ??= validators().every.compile(schema)
    return all(trimmed(value, schema)) ? null : refusal(all.errors ?? [], schema)
  }
}

/** For a value with a long list or a large object, only the first fault is reported. Finding all faults could be very much work. */
function hasLargeField(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).some((each) => typeof each === 'object' && each !== null && Object.keys(each).length > maxFields)
}

/** Drops unknown fields beyond those that the error will name: listing a hundred thousand of them would be wasted work. */
function trimmed(value: unknown, schema: TSchema): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const known = 'properties' in schema ? (schema.properties as object) : {}
  let unknown = 0
  return Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(known, name) || unknown++ < maxPlaces))
}

function refusal(errors: readonly ErrorObject[], schema: TSchema): TocsinError {
  const places = placesOf(errors, schema)
  const unknown = errors.some((error) => error.keyword === 'additionalProperties')
  const fields = places.map((place) => (place.field === '' ? 'the body' : place.field)).join(', ')
  return unknown
    ? new TocsinError('field_unknown', `This operation does not know these fields: ${fields}.`, places)
    : new TocsinError('body_invalid', `These fields are wrong: ${fields}.`, places)
}

function placesOf(errors: readonly ErrorObject[], schema: TSchema): ErrorPlace[] {
  const places = new Map<string, ErrorPlace>()
  for (const error of errors) {
    const field = fieldOf(error)
    // Report one fault for each field. After a failed choice comes a fault that names the whole choice.
    if (!places.has(field) || error.keyword === 'anyOf') places.set(field, { field, message: messageOf(error, schema) })
    if (places.size >= maxPlaces) break
  }
  return [...places.values()]
}

function fieldOf(error: ErrorObject): string {
  const path = error.instancePath === '' ? [] : error.instancePath.slice(1).split('/').map(unescapePointer)
  const own = error.params['additionalProperty'] ?? error.params['missingProperty'] ?? error.params['propertyName']
  if (typeof own === 'string') path.push(own)
  return path.join('.').slice(0, 200).toWellFormed()
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

const formatMessages: Readonly<Record<string, string>> = {
  text: 'must be valid Unicode text; it has half of a surrogate pair',
  said: 'must be valid Unicode text that is not blank',
  line: 'must be one line of text, without control characters and not blank',
}

function messageOf(error: ErrorObject, schema: TSchema): string {
  switch (error.keyword) {
    case 'additionalProperties': {
      const known = error.instancePath === '' && 'properties' in schema ? Object.keys(schema.properties as object) : []
      return known.length === 0 ? 'is not known here' : `is not known here; the fields are ${known.join(', ')}`
    }
    case 'required':
      return 'is required'
    case 'type':
      return `must be ${String(error.params['type']).replace(',', ' or ')}`
    case 'enum':
      return `must be one of ${(error.params['allowedValues'] as readonly unknown[]).join(', ')}`
    case 'anyOf':
      return 'has none of the allowed forms'
    case 'format':
      return formatMessages[String(error.params['format'])] ?? 'has the wrong format'
    default:
      return error.message ?? 'is not allowed'
  }
}

type PartCheck = (value: unknown) => { value: unknown } | { error: TocsinError }

/** Checks a body, in the form that Fastify calls. */
export function bodyValidator(schema: TSchema): PartCheck {
  const check = compileBody(schema)
  return (value) => {
    const error = check(value)
    return error === null ? { value } : { error }
  }
}

/**
 * Makes the checks for the parts of a request. Path parameters are not checked: an id of the wrong form is simply unknown.
 */
export function validatorCompiler({ schema, httpPart }: { readonly schema: unknown; readonly httpPart?: string | undefined }): PartCheck {
  if (httpPart === 'body') return bodyValidator(schema as TSchema)
  if (httpPart === 'querystring') return compileQuery(schema as TSchema)
  return (value) => ({ value })
}
