import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import type { Api } from '../../../runtime/api/index.ts'
import type { Permission } from '../../../runtime/domain/index.ts'
import { type ErrorCode, registry } from '../../../runtime/errors/index.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  // Tests read bodies of many shapes. An absent field is undefined.
  readonly body: Body
}
// biome-ignore lint/suspicious/noExplicitAny: see above
type Body = any

export interface DescribedOperation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, unknown>>
  readonly 'x-error-codes': readonly string[]
  readonly 'x-scope'?: Permission
}

export interface Description {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>>; readonly securitySchemes: Readonly<Record<string, unknown>> }
}

const descriptions = new WeakMap<Api, Promise<Description>>()

/** Reads the OpenAPI document from the API, once. */
export function descriptionOf(app: Api): Promise<Description> {
  const known = descriptions.get(app)
  if (known) return known
  const read = app.inject('/platformapi/openapi.json').then((response) => response.json<Description>())
  descriptions.set(app, read)
  return read
}

/**
 * Sends requests to the API in process. Checks each answer against the OpenAPI document: the status must be documented for the operation,
 * and an error must be a complete problem document with a documented code.
 */
export function clientOf(app: Api, key: string | null) {
  return async (method: string, url: string, body?: unknown, headers: Record<string, string | string[]> = {}): Promise<Answer> => {
    const options: InjectOptions = {
      method: method as 'GET',
      url,
      headers: { ...(key !== null && { cookie: `Session=${key}` }), ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    }
    const response = await app.inject(options)
    const answer = { status: response.statusCode, headers: response.headers, body: bodyOf(response) }
    expectDocumented(await descriptionOf(app), method, url, answer)
    return answer
  }
}

/** Returns JSON as values, anything else as text, and null if there is nothing. */
function bodyOf(response: LightMyRequestResponse): Body {
  if (response.body === '') return null
  return /^application\/(.+\+)?json\b/.test(String(response.headers['content-type'])) ? response.json() : response.body
}

function expectDocumented(document: Description, method: string, url: string, answer: Answer): void {
  const path = url.split('?')[0] ?? ''
  const template = Object.keys(document.paths)
    .sort((a, b) => a.split('{').length - b.split('{').length)
    .find((each) => new RegExp(`^${each.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
  const described = template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()]
  if (answer.status >= 400) expectProblem(answer)
  expect(answer.body?.code).not.toBe('internal')
  if (described === undefined) {
    expect(answer.body?.code).toBe('route_unknown')
    return
  }
  const response = described.responses[String(answer.status)]
  expect(response, `${method} ${url} answered an undocumented ${answer.status}: ${JSON.stringify(answer.body)}`).toBeDefined()
  if (answer.status >= 400) expect(described['x-error-codes']).toContain(answer.body.code)
}

/** Checks that an error answer has the form of every error. */
export function expectProblem(answer: Answer): void {
  const { body } = answer
  expect(answer.headers['content-type']).toBe('application/problem+json')
  const entry = registry[body.code as ErrorCode]
  expect(entry, `the code ${body.code} is in the registry`).toBeDefined()
  expect(body).toMatchObject({ type: `urn:tocsin:error:${body.code}`, title: entry.title, status: entry.status, remedy: entry.remedy })
  expect(answer.status).toBe(entry.status)
  expect(body.detail).toBeTypeOf('string')
  expect(body.request_id).toMatch(/^\S+$/)
  if (answer.status === 401) expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="tocsin"/)
}
