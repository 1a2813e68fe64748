import type { ValidateFunction } from 'ajv'
import { type ErrorPlace, TocsinError } from '../../errors/index.ts'
import type { TSchema } from '../../schema/index.ts'
import { validators } from './ajv.ts'
import { fieldOf, messageOf } from './fault-words.ts'

/** Keeps the query as it is in the URL: Fastify's own parser would correct and merge what must be refused. */
export interface RawQuery {
  readonly [raw: string]: unknown
  readonly text: string
}

const empty: RawQuery = Object.freeze({ text: '' })

/** Keeps the text of a query, without the `?`, until its schema is known. */
export function rawQuery(text: string): RawQuery {
  return text === '' ? empty : { text }
}

interface Parameter {
  readonly kind: 'text' | 'integer' | 'boolean'
  /** A parameter that may be given several times. */
  readonly list: boolean
}

/**
 * Reads a query and checks it against the schema of its parameters: strings, integers, `true` or `false`, and lists of strings (repeated
 * parameters). Unknown parameters, repeated single parameters, broken percent-encoding and inexact integers or booleans are `query_invalid`.
 * The schema is compiled at the first query: a start needs none.
 */
export function compileQuery(schema: TSchema): (raw: unknown) => { value: unknown } | { error: TocsinError } {
  const parameters = new Map<string, Parameter>()
  for (const [name, each] of Object.entries((schema as { properties?: Record<string, { type?: string }> }).properties ?? {})) {
    parameters.set(name, { kind: each.type === 'integer' || each.type === 'boolean' ? each.type : 'text', list: each.type === 'array' })
  }
  let fits: ValidateFunction | null = null
  return (raw) => {
    const text = (raw as RawQuery).text
    const { value, places } = readQuery(text, parameters)
    if (places.length === 0) {
      fits ??= validators().queries.compile(schema)
      fits(value)
      for (const error of fits.errors ?? []) {
        places.push({ field: fieldOf(error).split('.')[0] ?? '', message: messageOf(error, schema) })
      }
    }
    if (places.length === 0) return { value }
    return { error: new TocsinError('query_invalid', `These parameters are wrong: ${places.map((place) => place.field).join(', ')}.`, places) }
  }
}

const maxPlaces = 20

function readQuery(text: string, parameters: ReadonlyMap<string, Parameter>): { value: Record<string, unknown>; places: ErrorPlace[] } {
  const value: Record<string, unknown> = {}
  const places: ErrorPlace[] = []
  for (const pair of text === '' ? [] : text.split('&')) {
    if (pair === '' || places.length >= maxPlaces) continue
    const equals = pair.indexOf('=')
    const name = decode(equals < 0 ? pair : pair.slice(0, equals))
    const content = decode(equals < 0 ? '' : pair.slice(equals + 1))
    if (name === null || content === null) {
      places.push({ field: name ?? (pair.split('=')[0] ?? '').slice(0, 100), message: 'is not valid percent-encoded UTF-8' })
      continue
    }
    const fault = take(value, name, content, parameters)
    if (fault !== null) places.push({ field: name.slice(0, 100), message: fault })
  }
  return { value, places }
}

/** Adds one parameter to the value. Returns what is wrong with it, or null. */
function take(value: Record<string, unknown>, name: string, content: string, parameters: ReadonlyMap<string, Parameter>): string | null {
  const parameter = parameters.get(name)
  if (parameter === undefined) {
    const known = [...parameters.keys()]
    return known.length === 0 ? 'is not known; this operation has no parameters' : `is not known; the parameters are ${known.join(', ')}`
  }
  if (parameter.list) {
    const list = value[name] as string[] | undefined
    if (list === undefined) value[name] = [content]
    else list.push(content)
    return null
  }
  if (Object.hasOwn(value, name)) return 'is given more than once'
  if (parameter.kind === 'text') {
    value[name] = content
    return null
  }
  if (parameter.kind === 'boolean') {
    if (content !== 'true' && content !== 'false') return 'must be true or false'
    value[name] = content === 'true'
    return null
  }
  const number = /^-?\d{1,16}$/.test(content) ? Number(content) : Number.NaN
  if (!Number.isSafeInteger(number)) return 'must be an integer'
  value[name] = number
  return null
}

function decode(text: string): string | null {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced.isWellFormed() ? spaced : null
  try {
    return decodeURIComponent(spaced)
  } catch {
    return null
  }
}
