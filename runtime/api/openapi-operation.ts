import type { FastifySchema, RouteOptions } from 'fastify'
import { type ErrorCode, registry } from '../errors/index.ts'
import { problemType } from './answer/index.ts'
import type { MediaType, Operation } from './operation.ts'

/** Errors of any request. */
const always: readonly ErrorCode[] = ['query_invalid', 'headers_too_large', 'request_malformed', 'request_timeout', 'internal']
const withKey: readonly ErrorCode[] = ['key_missing', 'key_rejected', 'key_attempts_exceeded', 'permission_missing', 'store_unavailable']
const withPath: readonly ErrorCode[] = ['path_invalid']
const withBody: readonly ErrorCode[] = [
  'body_not_json',
  'body_not_utf8',
  'body_invalid',
  'body_too_deep',
  'body_too_many_values',
  'body_too_large',
  'field_unknown',
  'field_repeated',
  'media_type_unsupported',
]

const requestHeaders = {
  'idempotency-key': {
    type: 'string',
    pattern: '^[\\x20-\\x7e]{1,255}$',
    description: 'A repeat with the same key and body returns the first alert. With another body it is refused.',
  },
  prefer: { type: 'string', description: '`wait=N` holds the answer until the investigation has ended, but at most N seconds (N is at most 300).' },
  traceparent: {
    type: 'string',
    description: 'The span of the sender (W3C Trace Context). If Tocsin sends traces, that of the alert links to it. A wrong one is ignored.',
  },
} as const

const answerHeaders = {
  'idempotency-key': {
    'Idempotency-Replayed': { type: 'string', const: 'true', description: 'Sent if the answer is that of an earlier request.' },
  },
  prefer: { 'Preference-Applied': { type: 'string', description: '`wait=N`, with the seconds that were applied.' } },
  traceparent: {},
} as const

/** The schemas of media types that are not JSON. All others have the schema of the route. */
const plain: Partial<Record<MediaType, object>> = { 'text/markdown': { type: 'string' }, 'text/plain': { type: 'string' }, 'application/pdf': {} }

/** Returns the codes that an operation may answer with: its own, and those of every operation of its kind. */
function codesOf(about: Operation, schema: FastifySchema | undefined): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>([
    ...(about.errors ?? []),
    ...(about.permission === null ? [] : about.keyInPath ? withKey.filter((code) => code !== 'key_missing') : withKey),
    ...(schema?.body === undefined ? [] : withBody),
    ...(schema?.params === undefined ? [] : withPath),
    ...always,
  ])
  return [...codes]
}

/** Returns the schemas of an operation as the OpenAPI document shows them. */
export function described(schema: FastifySchema | undefined, route: RouteOptions): FastifySchema & Readonly<Record<`x-${string}`, unknown>> {
  const about = route.config?.operation
  if (about === undefined) throw new Error(`${String(route.method)} ${route.url} was made without operation()`)
  const codes = codesOf(about, schema)
  const read = about.headers?.map((name) => [name, requestHeaders[name]] as const)
  return {
    ...schema,
    ...(schema?.body !== undefined && { body: isByType(schema.body) ? schema.body : withoutDefaulted(schema.body) }),
    ...(schema?.querystring !== undefined && { querystring: withoutDefaulted(schema.querystring) }),
    ...(read && { headers: { type: 'object', properties: Object.fromEntries(read) } }),
    operationId: about.id,
    summary: about.summary,
    tags: [about.tag],
    ...(about.description !== undefined && { description: about.description }),
    security: about.permission === null || about.keyInPath ? [] : [{ session: [] }, { bearer: [] }],
    response: { ...successes(about, schema), ...problems(codes) },
    ...(about.permission !== null && about.permission !== 'any' && { 'x-scope': about.permission }),
    'x-error-codes': codes,
  }
}

/** Returns whether a body has a schema for each media type. */
function isByType(schema: unknown): boolean {
  return Object.hasOwn(schema as object, 'content')
}

/** Makes fields with a default optional. A handler always gets them, but a sender may leave them out. */
function withoutDefaulted(schema: unknown): unknown {
  const { properties = {}, required = [], ...rest } = schema as { properties?: Record<string, { default?: unknown }>; required?: readonly string[] }
  const needed = required.filter((name) => properties[name]?.default === undefined)
  return { ...rest, properties, ...(needed.length > 0 && { required: needed }) }
}

function successes(about: Operation, schema: FastifySchema | undefined): Record<string, unknown> {
  const answers = (schema?.response ?? { 200: { type: 'object', description: 'The document.' } }) as Record<string, { readonly description?: string }>
  const sent = about.headers?.map((name) => answerHeaders[name])
  if (sent === undefined && about.answers === undefined) return answers
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [
      status,
      {
        description: answer.description ?? about.summary,
        ...(sent && { headers: Object.assign({}, ...sent) }),
        content: Object.fromEntries((about.answers ?? ['application/json']).map((type) => [type, { schema: plain[type] ?? answer }])),
      },
    ]),
  )
}

/** Groups error codes by status. */
function problems(codes: readonly ErrorCode[]): Record<number, unknown> {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) byStatus.set(registry[code].status, [...(byStatus.get(registry[code].status) ?? []), code])
  return Object.fromEntries(
    [...byStatus].map(([status, each]) => [
      status,
      {
        description: each.map((code) => `\`${code}\`: ${registry[code].title}.`).join(' '),
        ...(status === 401 && { headers: { 'WWW-Authenticate': { type: 'string' } } }),
        ...(status === 503 && { headers: { 'Retry-After': { type: 'integer', description: 'Seconds.' } } }),
        content: { [problemType]: { schema: { $ref: 'Problem#' } } },
      },
    ]),
  )
}
