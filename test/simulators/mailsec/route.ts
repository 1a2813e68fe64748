import type { Reply } from '../faults.ts'
import type { SimulatedRequest } from '../server.ts'
import { badRequest, forbidden, methodNotAllowed, notFound } from './replies.ts'
import type { Tenant } from './state.ts'
import { includes, type Role } from './vocabulary.ts'

export interface Call {
  readonly request: SimulatedRequest
  readonly tenant: Tenant
  readonly role: Role
  /** The decoded path segments below the API's base path. */
  readonly segments: readonly string[]
  readonly query: URLSearchParams
}

/** One resource: its path (`*` is an id), and for each method the required role, the query and the answer. */
export interface Route {
  readonly path: readonly string[]
  readonly methods: Readonly<Record<string, Operation>>
}

interface Operation {
  readonly role: Role
  /**
   * The query parameters, with their allowed values if they are limited. A parameter may occur
   * twice only if it is in `repeatable`.
   */
  readonly query: Readonly<Record<string, readonly string[] | null>>
  readonly repeatable?: readonly string[]
  readonly answer: (call: Call) => Reply
}

/** The query parameters of every listing. */
export const paged = { limit: null, cursor: null }

/** Returns the answer of the resource with this path. Null if there is none. */
export function answerOf(routes: readonly Route[], call: Call): Reply | null {
  const { request, segments, query, role } = call
  const fitting = routes.filter(({ path }) => path.length === segments.length && path.every((part, at) => part === '*' || part === segments[at]))
  if (fitting.length === 0) return null
  const operation = fitting.map(({ methods }) => methods[request.method]).findLast((found) => found !== undefined)
  if (!operation) return methodNotAllowed(fitting.flatMap(({ methods }) => Object.keys(methods)).join(', '))
  if (!includes(role, operation.role)) return forbidden(role)
  return queryFault(query, operation) ?? operation.answer(call)
}

function queryFault(query: URLSearchParams, operation: Operation): Reply | null {
  if (query.size === 0) return null
  const seen = new Set<string>()
  for (const [name, value] of query) {
    const values = Object.hasOwn(operation.query, name) ? operation.query[name] : undefined
    if (values === undefined) return badRequest(`The query parameter ${name} is unknown.`)
    if (values?.includes(value) === false) return badRequest(`${name} must be one of ${values.join(', ')}.`)
    if (value === '') return badRequest(`${name} is empty.`)
    if (seen.has(name) && !operation.repeatable?.includes(name)) return badRequest(`${name} is given twice.`)
    seen.add(name)
  }
  return null
}

/** Answers with a record, or that it does not exist. */
export function found(row: { readonly json: string } | null, kind: string): Reply {
  return row ? { status: 200, body: row.json } : notFound(kind)
}

/** Parses a time. Returns undefined if it is absent, null if it is not a time. */
export function timeOf(text: string | null): number | undefined | null {
  if (text === null) return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? null : time
}

export function isJson(request: SimulatedRequest): boolean {
  return /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')
}
