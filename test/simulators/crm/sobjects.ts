import type { Reply } from '../faults.ts'
import type { SimulatedRequest } from '../server.ts'
import { idFrom } from './org/ids.ts'
import type { Org } from './org/org.ts'
import type { Row } from './org/row.ts'
import { fieldNamed, type ObjectType } from './org/schema.ts'
import { valuesOf } from './org/values.ts'
import { invalidField, json, methodNotAllowed, noContent, noSuchResource, Refused } from './replies.ts'

export interface RecordCall {
  readonly org: Org
  readonly request: SimulatedRequest
  readonly query: URLSearchParams
  readonly object: ObjectType
  /** The API version, such as `66.0`. */
  readonly version: string
  /** Returns a record as answers show it, with these fields or all. */
  readonly show: (object: ObjectType, row: Row, fields: readonly string[] | null) => object
  readonly address: (object: ObjectType, id: string) => string
}

/** From this version on, an upsert that changes a record answers 200 with a body. Before, it answered 204. */
const upsertAnswersSince = 46

/** Answers `POST sobjects/{Type}`. */
export function create(call: RecordCall): Reply {
  const { org, object, request } = call
  if (!object.createable) throw methodNotAllowed(request.method, ['HEAD', 'GET'])
  requireJson(request)
  noQuery(call)
  const id = org.create(object, valuesOf(org, object, request.body, 'create'))
  return json({ id, success: true, errors: [] }, 201, true)
}

/** Answers `sobjects/{Type}/{id}`. */
export function record(call: RecordCall, given: string): Reply {
  const { org, object, request } = call
  const { method } = request
  if (!['GET', 'PATCH', 'DELETE', 'HEAD'].includes(method)) throw methodNotAllowed(method, ['HEAD', 'GET', 'PATCH', 'DELETE'])
  if (method === 'DELETE' && !object.deletable) throw methodNotAllowed(method, ['HEAD', 'GET', 'PATCH'])
  if (method === 'PATCH' && !object.updateable) throw methodNotAllowed(method, ['HEAD', 'GET'])
  if (method !== 'GET') noQuery(call)
  const row = standing(call, given)
  const id = String(row['Id'])
  if (method === 'DELETE') {
    org.remove(object, id)
    return noContent()
  }
  if (method === 'PATCH') {
    requireJson(request)
    org.update(object, id, valuesOf(org, object, request.body, 'update', 'Id', id))
    return noContent()
  }
  return json(call.show(object, row, fieldsAsked(call)))
}

/** Answers `sobjects/{Type}/{field}/{value}`, by an external id or by `Id`. */
export function external(call: RecordCall, fieldName: string, value: string): Reply {
  const { org, object, request, query, version } = call
  const field = fieldNamed(object, fieldName)
  if (!field || (!field.externalId && field.name !== 'Id')) throw unknownExternal(fieldName)
  if (request.method !== 'PATCH' && request.method !== 'GET') throw methodNotAllowed(request.method, ['HEAD', 'GET', 'PATCH'])
  if (request.method === 'PATCH' && !object.updateable) throw methodNotAllowed(request.method, ['HEAD', 'GET'])
  const found = field.name === 'Id' ? [standing(call, value)] : org.having(object, field.name, value)
  // Several records match, so nothing is written. The answer lists their addresses, which are not
  // error objects.
  if (found.length > 1)
    return json(
      found.map((row) => call.address(object, String(row['Id']))),
      300,
    )
  const [row] = found
  if (request.method === 'GET') {
    if (!row) throw noSuchResource()
    return json(call.show(object, row, fieldsAsked(call)))
  }
  requireJson(request)
  const updateOnly = updateOnlyOf(query)
  if (!row) {
    if (updateOnly) throw noSuchResource()
    const id = org.create(object, { ...valuesOf(org, object, request.body, 'create', field.name), [field.name]: value })
    return json({ id, success: true, errors: [], created: true }, 201, true)
  }
  const id = String(row['Id'])
  org.update(object, id, valuesOf(org, object, request.body, 'update', field.name, id))
  return Number(version) < upsertAnswersSince ? noContent() : json({ id, success: true, errors: [], created: false }, 200, true)
}

function standing({ org, object }: RecordCall, given: string): Row {
  const id = idFrom(given)
  if (id === null) throw unknownExternal(given)
  if (!id.startsWith(object.prefix)) throw new Refused(400, 'MALFORMED_ID', `${object.label} ID: id value of incorrect type: ${given}`, ['Id'])
  const row = org.find(object, id)
  if (!row) throw noSuchResource()
  if (row['IsDeleted'] === true) throw new Refused(404, 'ENTITY_IS_DELETED', 'entity is deleted', [])
  return row
}

function unknownExternal(name: string): Refused {
  return new Refused(404, 'NOT_FOUND', `Provided external ID field does not exist or is not accessible: ${name}`)
}

function requireJson({ headers }: SimulatedRequest): void {
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    throw new Refused(415, 'UNSUPPORTED_MEDIA_TYPE', `Content type '${headers['content-type'] ?? ''}' is not supported`)
  }
}

function noQuery({ query }: RecordCall): void {
  const [name] = query.keys()
  if (name !== undefined) throw new Refused(400, 'INVALID_QUERY_PARAMETER', `The query parameter ${name} is unknown`)
}

function fieldsAsked({ query, object }: RecordCall): readonly string[] | null {
  for (const name of query.keys()) if (name !== 'fields') throw new Refused(400, 'INVALID_QUERY_PARAMETER', `The query parameter ${name} is unknown`)
  const asked = query.get('fields')
  if (asked === null) return null
  return asked.split(',').map((name) => {
    const field = fieldNamed(object, name.trim())
    if (!field) throw invalidField(`No such column '${name.trim()}' on sobject of type ${object.name}`)
    return field.name
  })
}

function updateOnlyOf(query: URLSearchParams): boolean {
  for (const name of query.keys())
    if (name !== 'updateOnly') throw new Refused(400, 'INVALID_QUERY_PARAMETER', `The query parameter ${name} is unknown`)
  const value = query.get('updateOnly') ?? 'false'
  if (value !== 'true' && value !== 'false') throw new Refused(400, 'INVALID_QUERY_PARAMETER', 'updateOnly is true or false')
  return value === 'true'
}
