import { describe, expect, test } from 'vitest'
import type { Json } from '../../domain/index.ts'
import { yaml } from '../../packages/index.ts'
import { draftFromOpenApi } from './draft.ts'

type Document = Readonly<Record<string, Json>>

interface Draft {
  readonly notes: readonly string[]
  /** Returns the text of a file of the plugin. */
  text(path: string): string
  /** Reads a file of the plugin. */
  file(path: string): Record<string, Json>
  readonly paths: readonly string[]
}

/** Drafts a plugin from a document. It has a bearer scheme and one operation, unless the document says otherwise. */
function draft(document: Document): Draft {
  const usual = {
    openapi: '3.1.0',
    info: { title: 'Staff', version: '2' },
    servers: [{ url: 'https://staff.example/api' }],
    components: { securitySchemes: { one: { type: 'http', scheme: 'bearer' } } },
    paths: { '/users': { get: { operationId: 'listUsers' } } },
  }
  const { files, notes } = draftFromOpenApi('staff', JSON.stringify({ ...usual, ...document }), 'staff.json', null)
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  return {
    notes,
    text: (path) => texts.get(path) ?? '',
    file: (path) => yaml().parse(texts.get(path) ?? '') as Record<string, Json>,
    paths: [...texts.keys()],
  }
}

/** Drafts a plugin from a document with this one operation. */
const operation = (method: string, body: Document): Draft => draft({ paths: { '/users': { [method]: { operationId: 'callUsers', ...body } } } })

describe('the address', () => {
  const address = ({ file }: Draft): unknown => {
    const { credentials, request } = file('manifest.yaml') as { credentials: readonly Document[]; request: Document }
    return { ...credentials[0], base_path: request['base_path'] }
  }
  const noServer = 'The document names no server with https. A connection must give its address.'

  test('of a complete server is filled in, and its path is the base path', () => {
    const found = draft({})
    expect(address(found)).toMatchObject({ default: 'https://staff.example', advanced: true, base_path: '/api' })
    expect(found.notes).toEqual([])
  })

  test.each([
    ['without a host', '/api/v3'],
    ['without https', 'http://staff.example/api/v3/'],
    ['whose host is only a variable', 'https://{host}/api/v3'],
  ])('of a server %s is for the connection to give, and its path is kept', (_what, url) => {
    const found = draft({ servers: [{ url }] })
    expect(address(found)).toMatchObject({ required: true, base_path: '/api/v3' })
    expect(found.notes).toEqual([noServer])
  })

  test("whose host has a variable is shown in the form, because its default may be nobody's", () => {
    const found = draft({
      servers: [{ url: 'https://{tenant}.staff.example/{v}', variables: { tenant: { default: 'your-name' }, v: { default: 'v2' } } }],
    })
    expect(address(found)).not.toHaveProperty('advanced')
    expect(address(found)).toMatchObject({ default: 'https://your-name.staff.example', base_path: '/v2' })
    expect(found.notes).toEqual(['The address has a part that differs (tenant). Correct the default of `base_url`, or remove it.'])
  })

  test('is that of the first server with https, and others are named', () => {
    const servers = [{ url: 'http://dev.example' }, { url: 'https://eu.example/v1' }, { url: 'https://us.example/v1' }]
    const found = draft({ servers })
    expect(address(found)).toMatchObject({ default: 'https://eu.example', base_path: '/v1' })
    expect(found.notes).toEqual(['The document names 3 servers. manifest.yaml has https://eu.example/v1.'])
  })

  test.each(['get', 'path'])('of an operation with a server of its own is not that of the plugin (%s)', (where) => {
    const servers = [{ url: 'https://files.example' }]
    const own = where === 'path' ? { servers, get: { operationId: 'getFile' } } : { get: { operationId: 'getFile', servers } }
    const found = draft({
      paths: { '/file': own, '/users': { servers: [{ url: 'https://staff.example/api/' }], get: { operationId: 'listUsers' } } },
    })
    expect(found.paths).toEqual(['manifest.yaml', 'skills/list_users.yaml'])
    expect(found.notes).toEqual(['getFile is left out: it has a server of its own, https://files.example.'])
  })
})

describe('what cannot be sent is named', () => {
  test.each<[string, Json, string]>([
    ['an object in the query', { name: 'filter', in: 'query', schema: { type: 'object' } }, 'the query parameter filter'],
    ['a list in one value', { name: 'ids', in: 'query', explode: false, schema: { type: 'array' } }, 'the query parameter ids'],
    ['JSON in the query', { name: 'q', in: 'query', content: { 'application/json': { schema: { type: 'string' } } } }, 'the query parameter q'],
    ['a cookie', { name: 'session', in: 'cookie', schema: { type: 'string' } }, 'the cookie session'],
  ])('%s', (_what, parameter, name) => {
    const { notes, file } = operation('get', { parameters: [parameter] })
    expect(notes).toEqual([`callUsers cannot send everything: ${name} is left out.`])
    expect(file('skills/call_users.yaml')).toMatchObject({ input: { properties: {} } })
  })

  test('a body of another kind that need not be there', () => {
    expect(operation('post', { requestBody: { content: { 'multipart/form-data': {} } } }).notes).toContain(
      'callUsers cannot send everything: a body of multipart/form-data is left out.',
    )
  })
})

test('a body has the content type of the document', () => {
  const schema = { type: 'object', properties: { name: { type: 'string' } } }
  const requestOf = (...types: readonly string[]): Json | undefined =>
    operation('patch', { requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema }])) } }).file('skills/call_users.yaml')[
      'request'
    ]
  expect(requestOf('application/merge-patch+json')).toMatchObject({ headers: { 'content-type': 'application/merge-patch+json' } })
  expect(requestOf('application/json; charset=utf-8')).not.toHaveProperty('headers')
  expect(requestOf('application/scim+json', 'application/json')).not.toHaveProperty('headers')
})

test.each<[string, string, Json]>([
  ['delete', '/users/{id}', '{{ input.id }}'],
  ['put', '/groups/{group}/members/{name}', '{{ input.name }}'],
  ['delete', '/users/{id}/photo', null],
  ['post', '/accounts/{id}', null],
])('a write acts on what its path ends with, unless it makes something: %s %s', (method, path, target) => {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
  const { file, text } = draft({ paths: { [path]: { [method]: { operationId: 'callUsers', parameters } } } })
  expect(file('skills/call_users.yaml')['target'] ?? null).toEqual(target)
  expect(text('skills/call_users.yaml').includes('# Add `target`:')).toBe(target === null)
  expect(text('skills/call_users.yaml')).toContain('# A write whose answer is lost goes to people.')
})

test('a semantic is only proposed, because generated playbooks would call the skill', () => {
  const parameters = ['mail', 'ip', 'name'].map((name) => ({
    name,
    in: 'query',
    schema: { type: 'string', ...(name === 'mail' && { format: 'email' }) },
  }))
  const { file, text } = operation('get', { parameters })
  expect(JSON.stringify(file('skills/call_users.yaml'))).not.toContain('x-semantic')
  expect([...text('skills/call_users.yaml').matchAll(/`x-semantic: (\w+)`/g)].map(([, semantic]) => semantic)).toEqual([
    'email_address',
    'ip_address',
  ])
  expect(operation('post', { parameters }).text('skills/call_users.yaml')).not.toContain('x-semantic')
})

test('schemes that are needed together are named', () => {
  const securitySchemes = { key: { type: 'apiKey', in: 'header', name: 'X-Key' }, app: { type: 'apiKey', in: 'header', name: 'X-App' } }
  const one = { components: { securitySchemes }, security: [{ key: [], app: [] }] }
  expect(draft(one).notes).toEqual(['Requests need key and app together. manifest.yaml has key only.'])
  expect(draft({ ...one, security: [{ key: [] }, { app: [] }] }).notes).toEqual([])
})

test('a version that is a number is a version', () => {
  const { file } = draft({ info: { title: 'Staff', version: 2.1 } })
  expect(file('manifest.yaml')).toMatchObject({ vendor: { api: 'REST API 2.1' } })
  expect(file('skills/list_users.yaml')).toMatchObject({ api: '2.1' })
})
