import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '../../runtime/domain/index.ts'
import type { TocsinError } from '../../runtime/errors/index.ts'
import { callSkill, loadPluginFolder, type Plugin } from '../../runtime/plugin/index.ts'
import { draftFromOpenApi, writePlugin } from '../../runtime/plugin/scaffold/index.ts'
import { tocsin } from '../support/processes/in-process.ts'
import { type Fixture, replay } from './fixtures.ts'

/* `tocsin plugin new`: an example, and plugins from OpenAPI documents. */

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tocsin-scaffold-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const document = `
openapi: 3.0.3
info: { title: Staff API, version: '2.1' }
servers: [{ url: 'https://{region}.staff.example/api/{v}', variables: { region: { default: eu }, v: { default: v2 } } }]
security: [{ oauth: [staff.read, staff.write] }]
paths:
  /users:
    get:
      operationId: listUsers
      summary: List users
      parameters:
        - { name: 'page[size]', in: query, schema: { type: integer, maximum: 100, default: 20 } }
        - { name: X-Trace-Id, in: header, schema: { type: string } }
        - { name: Authorization, in: header, required: true, schema: { type: string } }
      responses:
        '200': { content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/User' } } } } }
    post:
      operationId: createUser
      requestBody: { $ref: '#/components/requestBodies/User' }
      responses: { 2XX: { content: { application/vnd.staff+json: { schema: { $ref: '#/components/schemas/User' } } } } }
  /users/{id}/photo:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': { content: { image/png: {} } } } }
    put:
      operationId: setPhoto
      requestBody: { required: true, content: { image/png: {} } }
      responses: { '204': {} }
    delete: { operationId: removePhoto, description: "Removes it.\\n\\nFor ever.", responses: { '204': {} } }
  /search:
    get:
      operationId: search-users
      parameters: [{ name: filter, in: query, required: true, schema: { type: object } }]
components:
  requestBodies:
    User: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } }
  schemas:
    Base: { type: object, required: [id], properties: { id: { type: string, readOnly: true }, createdAt: { type: string, format: date-time, readOnly: true } } }
    User:
      allOf:
        - { $ref: '#/components/schemas/Base' }
        - type: object
          required: [email]
          properties:
            email: { type: string, format: email }
            nickName: { type: string, nullable: true, minLength: 1 }
            level: { type: integer, default: high }
            manager: { $ref: '#/components/schemas/User' }
            avatar: { type: string, format: base64url }
  securitySchemes:
    cookie: { type: apiKey, in: cookie, name: session }
    oauth: { type: oauth2, flows: { clientCredentials: { tokenUrl: 'https://login.example/token', scopes: {} } } }
`

describe('from an OpenAPI document', () => {
  let plugin: Plugin
  let notes: readonly string[]
  beforeAll(async () => {
    const drafted = draftFromOpenApi('staff', document, 'staff.yaml', null)
    notes = drafted.notes
    plugin = await writePlugin(join(folder, 'staff'), drafted.files)
  })

  test('each operation that Tocsin can send becomes a skill, and the others are named', () => {
    expect([...plugin.skills.keys()].sort()).toEqual(['create_user', 'get_users_id_photo', 'list_users', 'remove_photo'])
    expect(notes).toEqual([
      'setPhoto is left out: its body is image/png, and no JSON.',
      'search-users is left out: the query parameter filter has a form that Tocsin cannot send.',
      'The address has a part that differs (region). Correct the default of `base_url`, or remove it.',
    ])
  })

  test('the manifest has the server, its credentials and its authentication', () => {
    expect(plugin.manifest.document).toMatchObject({
      id: 'staff',
      name: 'Staff API',
      credentials: [
        { name: 'base_url', default: 'https://eu.staff.example' },
        { name: 'client_id' },
        { name: 'client_secret', secret: true, required: true },
      ],
      origins: ['{{ credentials.base_url }}', 'https://login.example'],
      auth: { scheme: 'oauth2_client_credentials', token_url: 'https://login.example/token', scope: 'staff.read staff.write' },
      request: { base_path: '/api/v2' },
      test: { request: { method: 'GET', path: '/users' } },
    })
  })

  test('a GET reads; anything else is a write with high impact that is never sent again', () => {
    const kinds = [...plugin.skills.values()].map(({ id, document: { impact, idempotent } }) => [id, impact, idempotent?.by])
    expect(Object.fromEntries(kinds.map(([id, ...rest]) => [id, rest]))).toEqual({
      list_users: ['read', undefined],
      get_users_id_photo: ['read', undefined],
      create_user: ['high', 'none'],
      remove_photo: ['high', 'none'],
    })
    expect(plugin.skills.get('remove_photo')?.document.purpose).toBe('Removes it.')
  })

  test('an input has what may be sent: no read-only field, no default that contradicts its type, no endless schema', () => {
    expect(plugin.skills.get('create_user')?.document.input).toEqual({
      type: 'object',
      additionalProperties: false,
      required: ['email'],
      properties: {
        email: { type: 'string', format: 'email' },
        nick_name: { type: ['string', 'null'], minLength: 1 },
        level: { type: 'integer' },
        manager: expect.objectContaining({ type: 'object', required: expect.arrayContaining(['email']) }),
        avatar: { type: 'string' },
      },
    })
  })

  test.each<[string, Record<string, Json>, Fixture['exchanges'][number], Json]>([
    [
      'list_users',
      { page_size: 5, x_trace_id: 't-1' },
      {
        request: { method: 'GET', path: '/users', query: [['page[size]', '5']], headers: { 'x-trace-id': 't-1' } },
        answer: { status: 200, headers: { 'content-type': 'application/json' }, body: [{ id: 'u-1', email: 'a@b.example' }] },
      },
      { items: [{ id: 'u-1', email: 'a@b.example' }] },
    ],
    [
      'create_user',
      { email: 'a@b.example', nick_name: null },
      {
        request: { method: 'POST', path: '/users', query: [], headers: {}, body: { email: 'a@b.example', nickName: null } },
        answer: { status: 201, headers: { 'content-type': 'application/json' }, body: { id: 'u-2' } },
      },
      { id: 'u-2' },
    ],
    [
      'remove_photo',
      { id: 'a/b' },
      {
        request: { method: 'DELETE', path: '/users/a%2Fb/photo', query: [], headers: {} },
        answer: { status: 204, headers: {}, body: null },
      },
      {},
    ],
  ])('%s sends what the document says', async (id, input, exchange, output) => {
    const skill = plugin.skills.get(id)
    if (!skill) throw new Error(`no skill ${id}`)
    const { host, sent } = replay({ exchanges: [exchange], output })
    expect(await callSkill(plugin, skill, input, host)).toMatchObject({ ok: true, output })
    expect(sent).toEqual([exchange.request])
  })
})

test('a listing of a document follows its pages', async () => {
  const user = { type: 'object', properties: { id: { type: 'string' } } }
  const schema = { type: 'object', properties: { users: { type: 'array', items: user }, next_cursor: { type: 'string' } } }
  const get = {
    operationId: 'listUsers',
    parameters: [{ name: 'cursor', in: 'query', schema: { type: 'string' } }],
    responses: { '200': { content: { 'application/json': { schema } } } },
  }
  const { files } = draftFromOpenApi('pages', JSON.stringify({ openapi: '3.1.0', paths: { '/users': { get } } }), 'pages.json', null)
  const plugin = await writePlugin(join(folder, 'pages'), files)
  const skill = plugin.skills.get('list_users')
  if (!skill) throw new Error('no skill')
  const exchange = (query: [string, string][], body: Json): Fixture['exchanges'][number] => ({
    request: { method: 'GET', path: '/users', query, headers: {} },
    answer: { status: 200, headers: { 'content-type': 'application/json' }, body },
  })
  const exchanges = [exchange([], { users: [{ id: '1' }], next_cursor: 'c' }), exchange([['cursor', 'c']], { users: [{ id: '2' }] })]
  const output = { users: [{ id: '1' }, { id: '2' }], truncated: false }
  const { host, sent } = replay({ exchanges, output })
  expect(await callSkill(plugin, skill, skill.checkInput({}).input, host)).toEqual({ ok: true, output })
  expect(sent).toEqual(exchanges.map(({ request }) => request))
})

test('a draft that would be invalid leaves nothing behind, and no message names the folder that is gone', async () => {
  const before = readdirSync(folder)
  const { files } = draftFromOpenApi('broken', document, 'staff.yaml', ['listUsers'])
  const broken = files.map(({ path, text }) => ({ path, text: path.startsWith('skills/') ? text.replace('path: /users', 'path: users') : text }))
  const error = await writePlugin(join(folder, 'broken'), broken).catch((one: unknown) => one as TocsinError)
  expect(error).toMatchObject({
    code: 'skill_invalid',
    message: expect.stringMatching(/^The plugin would be invalid, so nothing was written: skills\/list_users\.yaml: /),
    places: [{ file: 'skills/list_users.yaml', field: 'request.path' }],
    remedy: expect.stringContaining('--operations'),
  })
  expect(JSON.stringify(error)).not.toContain('.tocsin-new-')
  expect(readdirSync(folder)).toEqual(before)
})

test.each([
  ['basic', { type: 'http', scheme: 'basic' }, { scheme: 'basic' }],
  ['a header', { type: 'apiKey', in: 'header', name: 'X-Key' }, { scheme: 'header', header: 'x-key' }],
  ['bearer', { type: 'http', scheme: 'bearer' }, { scheme: 'bearer' }],
])('authentication with %s', async (name, scheme, auth) => {
  const text = JSON.stringify({ openapi: '3.1.0', paths: { '/x': { get: {} } }, components: { securitySchemes: { one: scheme } } })
  const { files } = draftFromOpenApi('api', text, 'api.json', null)
  const { manifest } = await writePlugin(join(folder, name.replaceAll(' ', ''), 'api'), files)
  expect(manifest.document.auth).toMatchObject(auth)
})

test.each([
  ['no OpenAPI', '{}', 'file: `openapi` must be 3.0 or 3.1.'],
  ['Swagger 2.0', 'swagger: "2.0"', 'file: It is a Swagger 2.0 document. Convert it to OpenAPI 3 first.'],
  ['a list', '[]', 'file: It is not an object.'],
  ['broken JSON', '{"openapi": ', /^file: /],
  ['broken YAML', 'a: [', /^file: /],
  ['nothing to call', 'openapi: 3.1.0\npaths: {}', 'file: `paths` has no operation.'],
])('refuses %s', (_what, text, message) => {
  expect(() => draftFromOpenApi('x', text, 'file', null)).toThrow(
    expect.objectContaining({ code: 'openapi_invalid', message: expect.stringMatching(message) }),
  )
})

test('a document with too many operations needs a choice, and a wrong choice is told what there is', () => {
  const paths = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`/t${at}`, { get: { operationId: `getThing${at}` } }]))
  const text = JSON.stringify({ openapi: '3.1.0', paths })
  expect(() => draftFromOpenApi('x', text, 'f', null)).toThrow(/^f has 101 operations, such as getThing0, .+ A plugin gets at most 100\.$/)
  expect(() => draftFromOpenApi('x', text, 'f', ['thing99'])).toThrow('f has no operation thing99. It has getThing99.')
  expect(draftFromOpenApi('x', text, 'f', ['GET /t7', 'getThing8']).skills).toBe(2)
})

test('names in a document send nothing to the terminal, and begin no line', async () => {
  const file = join(folder, 'odd.json')
  const cookie = { name: 'c\n- done', in: 'cookie' }
  writeFileSync(
    file,
    JSON.stringify({ openapi: '3.1.0', paths: { '/x': { get: { operationId: 'get\u001b]0;x\u0007\u001b[2JX', parameters: [cookie] } } } }),
  )
  const { code, out } = await tocsin(['plugin', 'new', join(folder, 'odd'), '--openapi', file])
  expect(code).toBe(0)
  expect(out).not.toMatch(/[^\P{Cc}\n]/u)
  expect(out).not.toMatch(/^- done/m)
  expect(out).toContain('c ⏎ - done is left out.')
})

test('schemas that refer to many others again and again take a bounded time', () => {
  const many = (name: string): object => ({ allOf: Array.from({ length: 30 }, () => ({ $ref: `#/components/schemas/${name}` })) })
  const schemas = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`s${at}`, many(`s${at + 1}`)]))
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/s0' } } }
  const text = JSON.stringify({ openapi: '3.1.0', paths: { '/x': { post: { requestBody: { content } } } }, components: { schemas } })
  expect(draftFromOpenApi('x', text, 'f', null).skills).toBe(1)
})

describe('tocsin plugin new', () => {
  test('writes an example that is valid, whose fixture fits, and never overwrites anything', async () => {
    const target = join(folder, 'directory')
    expect(await tocsin(['plugin', 'new', target])).toMatchObject({ code: 0, out: `${target}: directory has 1 skill, and is valid\n` })
    const plugin = await loadPluginFolder(target)
    const skill = plugin.skills.get('get_user')
    const fixture = JSON.parse(readFileSync(join(target, 'fixtures/user-ada.json'), 'utf8')) as Fixture
    const { host, sent } = replay(fixture)
    if (!skill) throw new Error('no skill')
    expect(await callSkill(plugin, skill, { email: 'ada@acme.example' }, host)).toMatchObject({ ok: true, output: fixture.output })
    expect(sent).toEqual(fixture.exchanges.map(({ request }) => request))
    expect(await tocsin(['plugin', 'new', target])).toMatchObject({ code: 1, err: expect.stringContaining('is not empty') })
  })

  test('refuses a folder whose name cannot be an id, and options that make no sense, and leaves nothing behind', async () => {
    const before = readdirSync(folder)
    expect(await tocsin(['plugin', 'new', join(folder, 'My-Plugin')])).toMatchObject({
      code: 1,
      err: expect.stringContaining('My-Plugin cannot be one'),
    })
    expect(await tocsin(['plugin', 'new', join(folder, 'x'), '--operations', 'a'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('--openapi'),
    })
    expect(await tocsin(['plugin', 'new', join(folder, 'x'), '--openapi', join(folder, 'none.yaml')])).toMatchObject({
      code: 1,
      err: expect.stringContaining('file_unreadable'),
    })
    expect(readdirSync(folder)).toEqual(before)
  })
})
