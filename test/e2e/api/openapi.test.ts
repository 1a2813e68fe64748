import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissions } from '../../../runtime/domain/index.ts'
import { registry } from '../../../runtime/errors/index.ts'
import { clientOf, type DescribedOperation, type Description } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'

let api: ApiServer
let description: Description
let operations: { readonly method: string; readonly path: string; readonly about: DescribedOperation & Record<string, unknown> }[]

beforeAll(async () => {
  api = await startApi()
  description = (await clientOf(api.app, null)('GET', '/platformapi/openapi.json')).body
  operations = Object.entries(description.paths).flatMap(([path, each]) =>
    Object.entries(each).map(([method, about]) => ({ method, path, about: { ...about } })),
  )
})
afterAll(() => api.close())

test('the document is OpenAPI 3.1, and has both ways to send the key', () => {
  expect(description.openapi).toBe('3.1.0')
  expect(description.components.securitySchemes).toMatchObject({
    session: { type: 'apiKey', in: 'cookie', name: 'Session' },
    bearer: { type: 'http', scheme: 'bearer' },
  })
})

test("it has every route except the console's own, and no others", () => {
  // The root leads to the console.
  const routed = routesOf(api.app.printRoutes({ commonPrefix: false })).filter((route) => !/^\w+ \/($|console)/.test(route))
  expect(routed.length).toBeGreaterThan(20)
  expect(operations.map(({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`).sort()).toEqual(routed.sort())
})

test('every operation has its own id, a tag and a summary, and says whether it needs a key', () => {
  const ids = operations.map(({ about }) => about.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { about } of operations) {
    expect(about.operationId).toMatch(/^[a-z][A-Za-z]+$/)
    expect(about.summary).toBeTypeOf('string')
    expect(about.tags).toHaveLength(1)
    expect(about.security).toEqual(about['x-error-codes'].includes('key_missing') ? [{ session: [] }, { bearer: [] }] : [])
    if (about['x-scope'] !== undefined) expect(permissions).toContain(about['x-scope'])
  }
})

test('every schema of a query and a body can be compiled, which happens at the first request', async () => {
  const admin = clientOf(api.app, api.admin)
  // The feed answers with a stream that does not end. Its own tests open it.
  for (const { method, path } of operations.filter((each) => each.path !== '/platformapi/feed')) {
    const { status } = await admin(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x'), method === 'get' ? undefined : {})
    expect([method, path, status]).not.toEqual([method, path, 500])
  }
})

test('every error that it names is in the registry, and is described under its status as a problem document', () => {
  for (const { about } of operations) {
    const codes = about['x-error-codes']
    expect(new Set(codes).size).toBe(codes.length)
    for (const code of codes) {
      const entry = registry[code as keyof typeof registry]
      expect(entry, code).toBeDefined()
      const answer = about.responses[String(entry.status)] as { description: string; content: Record<string, unknown> }
      expect(answer.description).toContain(`\`${code}\``)
      expect(answer.content).toEqual({ 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } })
    }
    expect(Object.keys(about.responses).some((status) => status.startsWith('2'))).toBe(true)
  }
})

test('every path parameter is described, and every reference has a target', () => {
  for (const { path, about } of operations) {
    const named = ((about.parameters ?? []) as { in: string; name: string }[]).filter((each) => each.in === 'path').map(({ name }) => name)
    expect(named).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  }
  const references = [...JSON.stringify(description).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => reference)
  expect(references.length).toBeGreaterThan(0)
  for (const reference of references) {
    expect(reference).toMatch(/^#\/components\/schemas\//)
    expect(description.components.schemas).toHaveProperty(reference.split('/').at(-1) ?? '')
  }
})

test('parameters and fields with a default are optional', () => {
  const list = operations.find(({ about }) => about.operationId === 'listAlerts')
  expect(((list?.about.parameters ?? []) as { required: boolean }[]).every(({ required }) => !required)).toBe(true)
  const create = operations.find(({ about }) => about.operationId === 'createConnection')
  const body = create?.about.requestBody as { content: Record<string, { schema: { required: string[] } }> } | undefined
  expect(body?.content['application/json']?.schema.required).toEqual(['instance', 'integration'])
})

/** Reads the routes from the tree that the router prints: four columns per level, then `path (METHODS)`. */
function routesOf(tree: string): string[] {
  const above: string[] = []
  const routes: string[] = []
  for (const line of tree.split('\n')) {
    const match = /^([│ ]*)[├└]── (\S*)(?: \(([A-Z, ]+)\))?/.exec(line)
    if (match === null) continue
    const [, indent = '', part = '', methods] = match
    above.length = indent.length / 4
    above.push(part)
    for (const method of methods?.split(', ') ?? []) if (method !== 'HEAD') routes.push(`${method} ${above.join('')}`)
  }
  return routes
}
