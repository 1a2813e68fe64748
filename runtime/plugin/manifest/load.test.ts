import { expect, test } from 'vitest'
import { isTocsinError, type TocsinError } from '../../errors/index.ts'
import { sampleFolder, withSample } from '../testing.ts'
import { loadPluginFolder, loadPluginFolders, parsePlugin } from './load.ts'

const manifest = 'manifest.yaml'
const list = 'skills/list_directory_users.yaml'
const headerAuth = `  scheme: header                                 # header | bearer | basic | oauth2_client_credentials | jws_hs256
  header: x-example-token
  value: { credential: api_token }`
const jwsAuth = (key: string, claim: string): string =>
  `  scheme: jws_hs256\n  key: { credential: ${key} }\n  header: { token: { credential: ${claim} } }`
const oauth = (parts: object = {}): string => {
  const whole = {
    scheme: 'oauth2_client_credentials',
    token_url: '{{ credentials.base_url }}/token',
    client_id: { credential: 'region' },
    client_secret: { credential: 'api_token' },
    expired: { '==': [{ var: 'status' }, 401] },
    ...parts,
  }
  return Object.entries(whole)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`)
    .join('\n')
}
const detect = (parts: object = {}): string => {
  const version = { request: { method: 'GET', path: '/versions' }, select: '{{ body.latest }}', keep: '1h', ...parts }
  return `base_path: '/v{{ detected.version }}', headers: { accept: application/json }, timeout: 30s, max_response: 20MiB, paginate: { kind: cursor, send: cursor, next: meta.nextCursor, more: meta.hasMore, items: items } }\ndetect: ${JSON.stringify({ version })}`
}
const basePath =
  'base_path: /api/v2, headers: { accept: application/json }, timeout: 30s, max_response: 20MiB, paginate: { kind: cursor, send: cursor, next: meta.nextCursor, more: meta.hasMore, items: items } }'
const suspend = 'skills/suspend_directory_user.yaml'

async function refusal(...changes: Parameters<typeof withSample>[0]): Promise<TocsinError> {
  return withSample(changes, async (folder) => {
    try {
      await loadPluginFolder(folder)
    } catch (error) {
      if (isTocsinError(error)) return error
      throw error
    }
    throw new Error('it loaded')
  })
}

test('the plugin of the examples loads completely', async () => {
  const plugin = await loadPluginFolder(sampleFolder)
  expect([...plugin.skills.keys()]).toEqual(['activate_directory_user', 'get_directory_audit', 'list_directory_users', 'suspend_directory_user'])
  expect(plugin.manifest.request.basePath.render({ credentials: {} })).toBe('/api/v2')
  expect(plugin.manifest.rateLimit).toEqual({ requests: 10, interval: 1_000, burst: 10 })
  expect(plugin.manifest.request).toMatchObject({
    headers: { accept: 'application/json' },
    timeout: 30_000,
    maxAnswer: 20 * 1024 ** 2,
  })
  expect(plugin.manifest.retry).toMatchObject({ attempts: 4, delay: 500, maxDelay: 30_000, on: ['network', 'rate_limited', 'vendor_unavailable'] })
  expect(plugin.manifest.document.setup?.limits).toEqual(['Five active tokens an account'])
  expect(plugin.manifest.origins[0]?.render({ credentials: { base_url: 'https://a.example' } })).toBe('https://a.example')
})

test.each([
  ['https://{{ credentials.region }}.example.com', 'eu', 'https://eu.example.com'],
  ['https://{{ credentials.region }}', 'eu.example.com:8443', 'https://eu.example.com:8443'],
  ['{{ credentials.region }}', 'https://eu.example.com/below', 'https://eu.example.com/below'],
  ['{{ credentials.region }}:8443', 'https://eu.example.com', 'https://eu.example.com:8443'],
  ['https://{{ credentials.region }}.example.com', 'evil.test/', null],
  ['https://{{ credentials.region }}.example.com', 'evil.test\\', null],
  ['https://{{ credentials.region }}.example.com', 'evil.test?', null],
  ['https://{{ credentials.region }}.example.com', 'evil.test#', null],
  ['HTTPS://eu.example.com:{{ credentials.region }}', '443@evil.test', null],
  ['https://{{ credentials.region }}.example.com', 'evil.test%2f', null],
  ['https://{{ credentials.region }}.example.com', 'eu\n', null],
])('the origin %s of the value %j is %s: a value that is a part of a host cannot end it', async (origin, region, expected) => {
  await withSample([[manifest, "origins: ['{{ credentials.base_url }}']", `origins: ['${origin}']`]], async (folder) => {
    const [compiled] = (await loadPluginFolder(folder)).manifest.origins
    const render = () => compiled?.render({ credentials: { region } })
    if (expected === null) expect(render).toThrow('a part of a host')
    else expect(render()).toBe(expected)
  })
})

test('a manifest with access tokens and a detection loads, and its skills may leave out the base path', async () => {
  const changes = [
    [manifest, headerAuth, oauth({ expires_default: '2h', scope: 'api', style: 'basic' })],
    [manifest, 'derived_origins: []', "derived_origins: [{ from: token.instance_url, allow: '*.example.com' }]"],
    [manifest, basePath, detect({ pinned: { credential: 'region' } })],
    [suspend, 'method: POST', 'base: none\n  method: POST'],
  ] as const
  await withSample(changes, async (folder) => {
    const { manifest: compiled, skills } = await loadPluginFolder(folder)
    expect(compiled.token).toMatchObject({ lifetime: 7_200_000, errors: [] })
    expect(compiled.detect).toMatchObject([{ name: 'version', pinned: 'region', keep: 3_600_000, auth: null }])
    expect(skills.get('suspend_directory_user')?.does).toMatchObject({ plan: { belowOrigin: true } })
  })
})

test('an artifact makes the same plugin, with the same digest', async () => {
  const plugin = await loadPluginFolder(sampleFolder)
  const parsed = parsePlugin(plugin.text)
  expect(parsed.digest).toBe(plugin.digest)
  expect(parsed.text).toBe(plugin.text)
  expect([...parsed.skills.keys()]).toEqual([...plugin.skills.keys()])
})

test('a change in a file changes the digest, a comment does not', async () => {
  const { digest } = await loadPluginFolder(sampleFolder)
  const changed = (from: string, to: string): Promise<string> =>
    withSample([[list, from, to]], async (folder) => (await loadPluginFolder(folder)).digest)
  expect(await changed('limit: 200', 'limit: 100')).not.toBe(digest)
  expect(await changed('# or beta', '# or gamma')).toBe(digest)
})

test('a folder of plugins is searched one level deep', async () => {
  await withSample([], async (folder) => {
    expect((await loadPluginFolders([`${folder}/..`])).map(({ id }) => id)).toEqual(['directory'])
  })
})

test('every fault in every file is reported with file, line and column', async () => {
  const error = await refusal(
    [manifest, 'secret: true', 'secrt: true'],
    [list, 'impact: read', 'impact: reed'],
    [suspend, 'method: POST', 'method: SEND'],
  )
  expect(error.code).toBe('manifest_invalid')
  const shown = error.places.map(({ file, line, column, message }) => `${file?.split('/').at(-1)}:${line}:${column} ${message}`)
  expect(shown).toEqual([
    'manifest.yaml:20:5 `secrt` is not a key here; did you mean `secret`?',
    'list_directory_users.yaml:6:9 must be one of `read`, `write`, `high`; did you mean `read`?',
    'suspend_directory_user.yaml:13:11 must be one of `GET`, `POST`, `PUT`, `PATCH`, `DELETE`',
  ])
})

test('a file that is not YAML is a fault like any other', async () => {
  const error = await refusal([list, 'format: 1', 'format: ['], [suspend, 'impact: high', 'impact: huge'])
  expect(new Set(error.places.map(({ file }) => file?.split('/').at(-1)))).toEqual(
    new Set(['list_directory_users.yaml', 'suspend_directory_user.yaml']),
  )
})

test.each([
  ['a folder of another name', manifest, 'id: directory ', 'id: directories ', 'manifest_invalid', "must be the folder's name, `directory`"],
  ['an auth field that does not exist', manifest, 'credential: api_token', 'credential: api_tokn', 'manifest_invalid', 'did you mean `api_token`'],
  ['an origin made of a secret', manifest, 'credentials.base_url', 'credentials.api_token', 'manifest_invalid', 'is a secret'],
  ['a rule that is no RE2 pattern', manifest, "'/api/v\\d'", "'(?=x)'", 'manifest_invalid', ''],
  ['an enum default that is no value', manifest, 'default: eu', 'default: ch', 'manifest_invalid', 'must be one of eu, us'],
  [
    'an error row that looks at what no answer has',
    manifest,
    'var: status }, 401',
    'var: statuss }, 401',
    'manifest_invalid',
    'did you mean `status`',
  ],
  [
    'an error row with a misspelt operator',
    manifest,
    "{ '==': [{ var: status }, 502] }",
    '{ equals: [{ var: status }, 502] }',
    'manifest_invalid',
    'no operator',
  ],
  [
    'a base that is no address',
    manifest,
    'base_path: /api/v2',
    'base: { credential: region }, base_path: /api/v2',
    'manifest_invalid',
    'of type `url`',
  ],
  [
    'a base that does not exist',
    manifest,
    'base_path: /api/v2',
    'base: { credential: url }, base_path: /api/v2',
    'manifest_invalid',
    'no credential field',
  ],
  ['a signing key that is not Base64', manifest, headerAuth, jwsAuth('api_token', 'api_token'), 'manifest_invalid', 'of type `base64`'],
  ['a signed claim of no field', manifest, headerAuth, jwsAuth('api_tokn', 'api_tokn'), 'manifest_invalid', 'did you mean `api_token`'],
  [
    'a claim that is neither',
    manifest,
    headerAuth,
    '  scheme: jws_hs256\n  key: { credential: api_token }\n  header: { a: { clock: x } }',
    'manifest_invalid',
    '',
  ],
  [
    'a misspelt code to retry on',
    manifest,
    'on: [network, rate_limited,',
    'on: [network, rate_limitd,',
    'manifest_invalid',
    'there is no error code `rate_limitd`; did you mean `rate_limited`?',
  ],
  [
    'a code to accept that nothing is called',
    manifest,
    'expect: { status: 200 }',
    'accept: [nothing]',
    'manifest_invalid',
    'there is no error code `nothing`',
  ],
  [
    'a misspelt code of what was done already',
    suspend,
    'already_done: [already_suspended]',
    'already_done: [already_suspendd]',
    'skill_invalid',
    'did you mean `already_suspended`?',
  ],
  [
    'a token endpoint made of a secret',
    manifest,
    headerAuth,
    oauth({ token_url: 'https://a.example/{{ credentials.api_token }}' }),
    'manifest_invalid',
    'is a secret',
  ],
  [
    'a client secret that is no secret',
    manifest,
    headerAuth,
    oauth({ client_secret: { credential: 'region' } }),
    'manifest_invalid',
    '`secret: true`',
  ],
  ['a client id of no field', manifest, headerAuth, oauth({ client_id: { credential: 'regin' } }), 'manifest_invalid', 'did you mean `region`'],
  [
    'an expiry over what no answer has',
    manifest,
    headerAuth,
    oauth({ expired: { '==': [{ var: 'stat' }, 1] } }),
    'manifest_invalid',
    'there is no `stat`',
  ],
  [
    'a row of the token endpoint over what no answer has',
    manifest,
    headerAuth,
    oauth({ errors: [{ when: { '==': [{ var: 'bdy' }, 1] }, code: 'a', cause: 'a', remedy: 'a', effect: 'none' }] }),
    'manifest_invalid',
    'did you mean `body`',
  ],
  ['no rule for an expired token', manifest, headerAuth, oauth({ expired: undefined }), 'manifest_invalid', '`expired` is missing'],
  [
    'derived origins without a token',
    manifest,
    'derived_origins: []',
    "derived_origins: [{ from: token.instance_url, allow: '*.example.com' }]",
    'manifest_invalid',
    'no access tokens',
  ],
  [
    'derived origins of every host',
    manifest,
    'derived_origins: []',
    "derived_origins: [{ from: token.instance_url, allow: '*.com' }]",
    'manifest_invalid',
    'must be a host name',
  ],
  [
    'a base path of what is not detected',
    manifest,
    basePath,
    detect().replace('version }}', 'versin }}'),
    'manifest_invalid',
    'did you mean `version`',
  ],
  ['a detection that nothing names', manifest, basePath, detect().replace('{{ detected.version }}', '2'), 'manifest_invalid', 'nothing uses'],
  [
    'a detection by a secret',
    manifest,
    basePath,
    detect({ pinned: { credential: 'api_token' } }),
    'manifest_invalid',
    'a secret must not be part of a path',
  ],
  ['a detection pinned by no field', manifest, basePath, detect({ pinned: { credential: 'regin' } }), 'manifest_invalid', 'did you mean `region`'],
  [
    'a detection that asks with a secret',
    manifest,
    basePath,
    detect({ request: { method: 'GET', path: '/{{ credentials.api_token }}' } }),
    'manifest_invalid',
    'is a secret',
  ],
  ['a detection that writes', manifest, basePath, detect({ request: { method: 'POST', path: '/x' } }), 'manifest_invalid', 'must be one of `GET`'],
  ['a detection of what no answer has', manifest, basePath, detect({ select: '{{ boddy }}' }), 'manifest_invalid', 'did you mean `body`'],
  ['a request above the origin', suspend, 'method: POST', 'base: origin\n  method: POST', 'skill_invalid', 'must be one of `none`'],
  ['a skill that is not called as its file', list, 'id: list_directory_users', 'id: list_users', 'skill_invalid', "must be the file's name"],
  [
    'a path that names what is no input',
    suspend,
    'path: /users/{{ input.user_id }}',
    'path: /users/{{ input.user }}',
    'skill_invalid',
    '`input.user` does not exist',
  ],
  ['a path that does not parse', suspend, 'path: /users/{{ input.user_id }}', 'path: /users/{{ input.user_id', 'skill_invalid', ''],
  ['a body with a secret', suspend, '{{ input.reason }}', '{{ credentials.api_token }}', 'skill_invalid', 'is a secret; only `auth` may use secrets'],
  ['a query that names a playbook root', list, '{{ input.state }}', '{{ vars.state }}', 'skill_invalid', 'there is no `vars` here'],
  ['a filter that does not exist', list, '{{ input.state }}', '{{ input.state | upcaze }}', 'skill_invalid', 'did you mean `upcase`'],
  ['items without paging', suspend, 'result: { state: suspended }', "result: { state: '{{ items }}' }", 'skill_invalid', 'there is no `items` here'],
  ['a verify skill that does not exist', suspend, 'directory.list_directory_users', 'directory.list_users', 'skill_invalid', 'there is no skill'],
  [
    'an inverse that reads',
    suspend,
    'inverse: { skill: directory.activate_directory_user',
    'inverse: { skill: directory.list_directory_users',
    'skill_invalid',
    'only reads',
  ],
  [
    'an inverse of another integration',
    suspend,
    'inverse: { skill: directory.activate_directory_user',
    'inverse: { skill: other.activate_user',
    'skill_invalid',
    'belongs to another integration',
  ],
  [
    'an inverse that reads what the output has not',
    suspend,
    "with: { user_id: '{{ input.user_id }}' } }",
    "with: { user_id: '{{ outputs.id }}' } }",
    'skill_invalid',
    'there is no `outputs` here',
  ],
  [
    'an inverse whose condition names what does not exist',
    suspend,
    "with: { user_id: '{{ input.user_id }}' } }",
    "when: { '==': [{ var: body.state }, suspended] } }",
    'skill_invalid',
    'there is no `body` here',
  ],
  [
    'a verify skill that writes',
    suspend,
    'skill: directory.list_directory_users',
    'skill: directory.activate_directory_user',
    'skill_invalid',
    'only a read',
  ],
  ['a write that does not say idempotent', suspend, 'idempotent:', '# idempotent:', 'skill_invalid', 'needs `idempotent`'],
  [
    'a read that says inverse',
    list,
    'examples:',
    'inverse: { skill: directory.list_directory_users }\nexamples:',
    'skill_invalid',
    'is only for skills that write',
  ],
  [
    'an offset listing whose end nobody tells',
    list,
    'kind: cursor, send: cursor, next: meta.nextCursor, more: meta.hasMore,',
    'kind: offset, send: offset,',
    'skill_invalid',
    '`more` is missing',
  ],
  ['a role that is not in the manifest', list, 'minimum_role: reader', 'minimum_role: raeder', 'skill_invalid', 'did you mean `reader`'],
  ['an input schema that is no schema', list, 'enum: [active, suspended], description', 'enum: active, description', 'skill_invalid', ''],
  ['an example that does not fit its schema', list, 'input: { state: suspended }', 'input: { state: gone }', 'skill_invalid', 'must be one of'],
  [
    'a fixture that does not exist',
    list,
    'fixture: list-suspended',
    'fixture: list-gone',
    'skill_invalid',
    'the file fixtures/list-gone.json is missing',
  ],
])('refused: %s', async (_, file, from, to, code, message) => {
  const error = await refusal([file, from, to])
  expect(error.code).toBe(code)
  expect(error.places[0]).toMatchObject({ file: expect.stringContaining(file), line: expect.any(Number), column: expect.any(Number) })
  expect(error.places[0]?.message).toContain(message)
})

test('a folder without a manifest cannot be read', async () => {
  await expect(loadPluginFolder(`${sampleFolder}/skills`)).rejects.toMatchObject({ code: 'file_unreadable' })
})

test('a claim that no request has, and one that no answer can have', async () => {
  const scheme = `${jwsAuth('api_token', 'region').replace('header: { ', "header: { at: { now: 'yyyy-MM-dd HH:mm:ss.SSS' }, ")}\n  same: [tokn, at]`
  const { places } = await refusal([manifest, headerAuth, scheme])
  expect(places.map(({ field, message }) => `${field} ${message}`)).toEqual(
    expect.arrayContaining([
      'auth.same.0 there is no member of `header` `tokn`; did you mean `token`?',
      'auth.same.1 an answer cannot repeat the time of sending',
    ]),
  )
})
