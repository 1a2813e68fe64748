import type { Json } from '../../domain/index.ts'
import { type JsonObject, type OpenApi, type Operation, objectAt, textAt } from './document.ts'
import { isJson, isPlainJson } from './media-types.ts'
import { Names } from './names.ts'
import type { Paging } from './paging.ts'
import { Schemas } from './schemas.ts'
import { soundSchema } from './sound.ts'

/** The input of a skill, and how its request uses it. */
export interface Inputs {
  readonly schema: { readonly [key: string]: Json }
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** Null: the request has no body. */
  readonly body: Json | null
  /** What the request may have, and Tocsin cannot send. */
  readonly leftOut: readonly string[]
  /** For a listing: how many items are wanted, as a template. Null for other operations. */
  readonly until: string | null
}

/** An operation that cannot become a skill, and why. */
export class CannotDraft extends Error {}

/** Headers that Tocsin sets itself. */
const ownHeaders = new Set(['authorization', 'accept', 'content-type', 'user-agent', 'host'])

/** How many items a listing returns if its caller does not say. */
const usualItems = 1_000

/**
 * Makes the input of an operation.
 * @param paging set for a listing with pages. The parameter that asks for the next page is then no input
 * @throws CannotDraft
 */
export function inputsOf(document: OpenApi, operation: Operation, paging: Paging | null): Inputs {
  const schemas = new Schemas(document, true)
  const names = new Names()
  const properties: Record<string, Json> = {}
  const required: string[] = []
  const add = (name: string, schema: JsonObject, needed: boolean): string => {
    const own = names.take(name)
    properties[own] = soundSchema(schema)
    if (needed) required.push(own)
    return `{{ input.${own} }}`
  }
  const leftOut: string[] = []
  const places = { path: new Map<string, string>(), query: new Map<string, string>(), header: new Map<string, string>() }
  for (const parameter of operation.parameters) {
    const name = textAt(parameter, 'name')
    const place = textAt(parameter, 'in')
    if (place === 'cookie' && name !== null) leftOut.push(`the cookie ${name}`)
    if (name === null || (place !== 'path' && place !== 'query' && place !== 'header')) continue
    if (place === 'query' && paging !== null && name === paging.parameter) continue
    if (place === 'header' && ownHeaders.has(name.toLowerCase())) continue
    const needed = place === 'path' || parameter['required'] === true
    if (place === 'query' && !canBeSent(schemas.flat(parameter['schema']), parameter)) {
      if (needed) throw new CannotDraft(`the query parameter ${name} has a form that Tocsin cannot send`)
      leftOut.push(`the query parameter ${name}`)
      continue
    }
    const described = textAt(parameter, 'description')
    const schema = { ...schemas.flat(parameter['schema']), ...(described && { description: described }) }
    places[place].set(name, add(name, schemas.copy(schema), needed))
  }
  const most = { type: 'integer', minimum: 1, default: usualItems, description: 'How many items are wanted at most.' }
  const until = paging === null ? null : add('max_items', most, false)
  const content = contentOf(document, operation)
  const body = content && bodyOf(document, content, schemas, add)
  if (content && body === null) leftOut.push(`a body of ${content.types}`)
  return {
    schema: { type: 'object', additionalProperties: false, ...(required.length > 0 && { required }), properties },
    path: pathOf(operation.path, places.path),
    query: Object.fromEntries(places.query),
    headers: { ...Object.fromEntries(places.header), ...(content?.type && body !== null && { 'content-type': content.type }) },
    body,
    leftOut,
    until,
  }
}

function canBeSent(schema: JsonObject, { style = 'form', explode = true, content }: JsonObject): boolean {
  const { type } = schema
  if (type === 'object' || content !== undefined) return false
  return type !== 'array' || (style === 'form' && explode === true)
}

function pathOf(path: string, values: ReadonlyMap<string, string>): string {
  return path.replace(/\{([^{}]+)\}/g, (_whole, name: string) => {
    const value = values.get(name)
    if (value === undefined) throw new CannotDraft(`its path has {${name}}, and no parameter says what that is`)
    return value
  })
}

/** What a request may have as its body. */
interface Content {
  readonly required: boolean
  /** The media type as JSON. Null: there is none. */
  readonly json: Json | null
  /** The content type, if it is another one than Tocsin sends by itself. */
  readonly type: string | null
  /** All content types, for messages. */
  readonly types: string
}

function contentOf(document: OpenApi, { method, body: operation }: Operation): Content | null {
  if (operation['requestBody'] === undefined || method === 'get') return null
  const body = document.resolve(operation['requestBody'])
  const all = Object.entries(objectAt(body, 'content'))
  const [type, json] = all.find(([name]) => isPlainJson(name)) ?? all.find(([name]) => isJson(name)) ?? [null, null]
  return {
    required: body['required'] === true,
    json,
    type: type === null || isPlainJson(type) ? null : type,
    types: all.map(([name]) => name).join(', ') || 'an unknown type',
  }
}

/** Returns null if the body can be left out and has to be. @throws CannotDraft */
function bodyOf(
  document: OpenApi,
  { required, json, types }: Content,
  schemas: Schemas,
  add: (name: string, schema: JsonObject, needed: boolean) => string,
): Json | null {
  if (json === null) {
    if (required) throw new CannotDraft(`its body is ${types}, and no JSON`)
    return null
  }
  const schema = schemas.flat(document.resolve(json)['schema'])
  const properties = Object.entries(objectAt(schema, 'properties')).filter(([, one]) => schemas.flat(one)['readOnly'] !== true)
  if (properties.length === 0) return add('body', schemas.copy(schema), required)
  const needed = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  return Object.fromEntries(properties.map(([name, one]) => [name, add(name, schemas.copy(one, 1), required && needed.has(name))]))
}
