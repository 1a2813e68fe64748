import type { Json } from '../../domain/index.ts'
import type { PaginationDocument } from '../grammar/index.ts'
import { type JsonObject, listAt, type OpenApi, type Operation, objectAt, textAt } from './document.ts'
import { nameOf } from './names.ts'
import { answerOf } from './responses.ts'
import { Schemas } from './schemas.ts'

/** What a document says about a listing. */
export interface ListSigns {
  /** The member of the answer that is the list. Null: the answer itself is the list. */
  readonly list: string | null
  /** The schema of the list. */
  readonly schema: JsonObject
  /** How the listing goes on. Null: the document does not say it clearly. */
  readonly paging: Paging | null
}

export interface Paging {
  readonly document: PaginationDocument
  /** The query parameter that asks for the next page. It is no input of the skill. Null: there is none. */
  readonly parameter: string | null
}

const cursors = ['cursor', 'page_cursor', 'page_token', 'token', 'marker', 'continuation_token', 'next_token', 'next_cursor', 'next_page_token']
const moreNames = new Set(['has_more', 'has_next', 'has_next_page', 'more_available'])
const totalNames = new Set(['total', 'total_count', 'total_items', 'total_results', 'total_records'])
const urlNames = new Set(['next_url', 'next_link', 'next_page_url', 'next_page_link'])
const offsetNames = new Set(['offset', 'skip'])

/**
 * Returns what a document says about a listing. Null: the operation is no listing. Names decide, so only those with one common meaning count,
 * and only if there is one of each.
 */
export function listSignsOf(document: OpenApi, operation: Operation): ListSigns | null {
  if (operation.method !== 'get') return null
  const { schema: given, headers } = answerOf(document, operation)
  if (given === null) return null
  const schemas = new Schemas(document, false)
  const schema = schemas.flat(given)
  if (schema['type'] === 'array') return { list: null, schema, paging: hasLink(headers) ? { document: { kind: 'link' }, parameter: null } : null }
  const members = Object.entries(objectAt(schema, 'properties')).map(([name, one]) => [name, schemas.flat(one)] as const)
  const lists = members.filter(([, one]) => isOf(one, 'array'))
  const [first] = lists
  if (!first) return null
  const [list, found] = first
  // Of several lists, one may count only what is on this page.
  const clear = lists.length === 1 && isPath(list)
  return {
    list,
    schema: found,
    paging: clear ? pagingOf(list, fieldsOf(members, schemas), optionalQuery(operation, schemas), hasLink(headers)) : null,
  }
}

/** A member of an answer, or of an object in it. */
interface Field {
  readonly path: string
  readonly name: string
  readonly schema: JsonObject
}

function fieldsOf(members: readonly (readonly [string, JsonObject])[], schemas: Schemas): readonly Field[] {
  return members.flatMap(([name, schema]) => {
    const inner = Object.entries(objectAt(schema, 'properties')).map(([below, one]) => [`${name}.${below}`, below, schemas.flat(one)] as const)
    const all = [[name, name, schema] as const, ...(isOf(schema, 'array') ? [] : inner)]
    return all.filter(([, last]) => isPath(name) && isPath(last)).map(([path, last, one]) => ({ path, name: nameOf(last), schema: one }))
  })
}

/** A name with a dot cannot be a part of a path. */
function isPath(name: string): boolean {
  return name !== '' && !name.includes('.')
}

interface Parameter {
  readonly wire: string
  readonly name: string
  readonly schema: JsonObject
}

/** The query parameters that the first request can do without. */
function optionalQuery({ parameters }: Operation, schemas: Schemas): readonly Parameter[] {
  return parameters.flatMap((one) => {
    const wire = textAt(one, 'name')
    if (wire === null || one['in'] !== 'query' || one['required'] === true) return []
    return [{ wire, name: nameOf(wire), schema: schemas.flat(one['schema']) }]
  })
}

function pagingOf(items: string, fields: readonly Field[], query: readonly Parameter[], link: boolean): Paging | null {
  const more = only(fields.filter(({ name, schema }) => moreNames.has(name) && isOf(schema, 'boolean')))?.path
  const pairs = query.flatMap(({ wire, name, schema }) =>
    cursors.includes(name) && !isOf(schema, 'boolean', 'array', 'object')
      ? fields
          .filter((field) => isOf(field.schema, 'string') && (field.name === `next_${name}` || (field.name === name && name.startsWith('next_'))))
          .map(({ path }) => ({ wire, path }))
      : [],
  )
  const cursor = only(pairs)
  if (cursor) return { document: { kind: 'cursor', send: cursor.wire, next: cursor.path, ...(more && { more }), items }, parameter: cursor.wire }
  if (pairs.length > 0) return null
  const url = only(fields.filter(isNextUrl))
  if (url) return { document: { kind: 'next_url', next: url.path, ...(more && { more }), items }, parameter: null }
  if (link) return { document: { kind: 'link', items }, parameter: null }
  const offset = only(query.filter(({ name, schema }) => offsetNames.has(name) && isOf(schema, 'integer', 'number')))
  const total = only(fields.filter(({ name, schema }) => totalNames.has(name) && isOf(schema, 'integer', 'number')))?.path
  if (!offset || !startsAtZero(offset.schema)) return null
  if (more) return { document: { kind: 'offset', send: offset.wire, more, items }, parameter: offset.wire }
  return total ? { document: { kind: 'offset', send: offset.wire, total, items }, parameter: offset.wire } : null
}

function isNextUrl({ name, schema }: Field): boolean {
  if (!isOf(schema, 'string')) return false
  return urlNames.has(name) || (name === 'next' && /^(uri|url)(-reference)?$/.test(textAt(schema, 'format') ?? ''))
}

/** Only a parameter that counts items begins at zero. One that counts pages from 1 is something else. */
function startsAtZero({ default: usual = 0, minimum = 0 }: JsonObject): boolean {
  return usual === 0 && minimum === 0
}

function hasLink(headers: readonly string[]): boolean {
  return headers.some((name) => name.toLowerCase() === 'link')
}

function only<T>(found: readonly T[]): T | undefined {
  return found.length === 1 ? found[0] : undefined
}

/** Tells whether a schema names one of these types, besides null. */
function isOf(schema: JsonObject, ...types: readonly string[]): boolean {
  const named: readonly (Json | undefined)[] = Array.isArray(schema['type']) ? listAt(schema, 'type') : [schema['type']]
  return named.some((one) => typeof one === 'string' && types.includes(one))
}
