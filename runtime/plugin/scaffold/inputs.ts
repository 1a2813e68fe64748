import type { Json } from '../../domain/index.ts'
import { type JsonObject, type OpenApi, type Operation, objectAt, textAt } from './document.ts'
import { Names } from './names.ts'
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
}

/** An operation that cannot become a skill, and why. */
export class CannotDraft extends Error {}

/** Headers that Tocsin sets itself. */
const ownHeaders = new Set(['authorization', 'accept', 'content-type', 'user-agent', 'host'])

/** Makes the input of an operation. @throws CannotDraft */
export function inputsOf(document: OpenApi, operation: Operation): Inputs {
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
  const places = { path: new Map<string, string>(), query: new Map<string, string>(), header: new Map<string, string>() }
  for (const parameter of operation.parameters) {
    const name = textAt(parameter, 'name')
    const place = textAt(parameter, 'in')
    if (name === null || (place !== 'path' && place !== 'query' && place !== 'header')) continue
    if (place === 'header' && ownHeaders.has(name.toLowerCase())) continue
    const needed = place === 'path' || parameter['required'] === true
    if (place === 'query' && !canBeSent(schemas.flat(parameter['schema']), parameter)) {
      if (needed) throw new CannotDraft(`the query parameter ${name} has a form that Tocsin cannot send`)
      continue
    }
    const described = textAt(parameter, 'description')
    const schema = { ...schemas.flat(parameter['schema']), ...(described && { description: described }) }
    places[place].set(name, add(name, schemas.copy(schema), needed))
  }
  const body = bodyOf(document, operation, schemas, add)
  return {
    schema: { type: 'object', additionalProperties: false, ...(required.length > 0 && { required }), properties },
    path: pathOf(operation.path, places.path),
    query: Object.fromEntries(places.query),
    headers: Object.fromEntries(places.header),
    body,
  }
}

function canBeSent(schema: JsonObject, { style = 'form', explode = true }: JsonObject): boolean {
  const { type } = schema
  if (type === 'object') return false
  return type !== 'array' || (style === 'form' && explode === true)
}

function pathOf(path: string, values: ReadonlyMap<string, string>): string {
  return path.replace(/\{([^{}]+)\}/g, (_whole, name: string) => {
    const value = values.get(name)
    if (value === undefined) throw new CannotDraft(`its path has {${name}}, and no parameter says what that is`)
    return value
  })
}

function bodyOf(
  document: OpenApi,
  { method, body: operation }: Operation,
  schemas: Schemas,
  add: (name: string, schema: JsonObject, needed: boolean) => string,
): Json | null {
  if (operation['requestBody'] === undefined || method === 'get') return null
  const body = document.resolve(operation['requestBody'])
  const content = objectAt(body, 'content')
  const json = Object.entries(content).find(([type]) => isJson(type))?.[1]
  if (json === undefined) {
    if (body['required'] !== true) return null
    throw new CannotDraft(`its body is ${Object.keys(content).join(', ') || 'of an unknown type'}, and no JSON`)
  }
  const schema = schemas.flat(document.resolve(json)['schema'])
  const properties = Object.entries(objectAt(schema, 'properties')).filter(([, one]) => schemas.flat(one)['readOnly'] !== true)
  if (properties.length === 0) return add('body', schemas.copy(schema), body['required'] === true)
  const needed = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  return Object.fromEntries(properties.map(([name, one]) => [name, add(name, schemas.copy(one, 1), body['required'] === true && needed.has(name))]))
}

/** Whether a media type is JSON: `application/json`, or one that ends with `+json`. */
export function isJson(type: string): boolean {
  return /^application\/(json|[^;]+\+json)\b/i.test(type.trim())
}
