import type { ErrorObject, ValidateFunction } from 'ajv'
import { type ErrorPlace, TocsinError } from '../../errors/index.ts'
import type { TSchema } from '../../schema/index.ts'
import { validators } from './ajv.ts'
import { fieldOf, messageOf } from './fault-words.ts'
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
  const unknown = new Set(errors.filter((error) => error.keyword === 'additionalProperties').map(fieldOf))
  const named = (some: readonly ErrorPlace[]): string => some.map((place) => (place.field === '' ? 'the body' : place.field)).join(', ')
  if (unknown.size === 0) return new TocsinError('body_invalid', `These fields are wrong: ${named(places)}.`, places)
  const others = places.filter((place) => !unknown.has(place.field))
  const also = others.length === 0 ? '' : ` These are wrong or missing: ${named(others)}.`
  return new TocsinError('field_unknown', `This operation does not know these fields: ${[...unknown].slice(0, maxPlaces).join(', ')}.${also}`, places)
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
