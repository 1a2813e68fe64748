import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isTocsinError } from '../../errors/index.ts'
import { withSample } from '../testing.ts'
import { loadPluginFolder, loadPluginFolders } from './load.ts'

const list = 'skills/list_directory_users.yaml'
const suspend = 'skills/suspend_directory_user.yaml'
const audit = 'skills/get_directory_audit'
type Changes = Parameters<typeof withSample>[0]

/** Returns the faults of a changed plugin, as `file field: message`. */
function faults(changes: Changes, prepare: (folder: string) => Promise<void> = async () => {}): Promise<readonly string[]> {
  return withSample(changes, async (folder) => {
    await prepare(folder)
    try {
      await loadPluginFolder(folder)
      return []
    } catch (error) {
      if (!isTocsinError(error)) throw error
      return error.places.map(({ file, field, message }) => `${file?.split('/').at(-1)} ${field}: ${message}`)
    }
  })
}

describe('a mistake in a schema is reported at its place', () => {
  const state = 'state: {'
  test.each<[string, string, string]>([
    ['a misspelt type', 'state: { type: strng,', '.type: there is no type `strng`; did you mean `string`?'],
    ['a misspelt keyword', 'state: { minLenght: 1,', '.minLenght: `minLenght` is not a keyword of JSON Schema; did you mean `minLength`?'],
    ['a misspelt format', 'state: { format: emial,', '.format: there is no format `emial`; did you mean `email`?'],
    ['a pattern that is none', "state: { pattern: '(',", '.pattern: error parsing regexp: missing closing ): `(`'],
    ['a reference to itself', "state: { $ref: '#/properties/state',", '.$ref: `#/properties/state` leads back to itself, so it describes nothing'],
    [
      'a reference to another file',
      'state: { $ref: state.json,',
      '.$ref: `state.json` is another file; refer to a part of this schema, such as `#/$defs/name`',
    ],
    ['a reference to nothing', "state: { $ref: '#/$defs/state',", '.$ref: the schema has nothing at `#/$defs/state`'],
  ])('%s', async (_, to, message) => {
    expect(await faults([[list, state, to]])).toEqual([`list_directory_users.yaml input.properties.state${message}`])
  })

  test('names that are not a list', async () => {
    expect(await faults([[suspend, 'required: [user_id]', 'required: user_id']])).toEqual([
      'suspend_directory_user.yaml input.required: must be a list of names, such as `[id]`',
    ])
  })

  test('a default that no call could use', async () => {
    expect(await faults([[list, 'default: 500', 'default: many']])).toContain(
      'list_directory_users.yaml input.properties.max_items.default: the default must be integer',
    )
    expect(await faults([[list, state, 'state: { default: gone,']])).toEqual([
      'list_directory_users.yaml input.properties.state.default: the default must be one of "active", "suspended"',
    ])
  })
})

describe('a repeat that may not be safe is reported', () => {
  const repeats = 'idempotent: { by: key'
  const body = '\n  headers: { idempotency-key: "{{ call.key }}" }\n'

  test('a key that nothing sends', async () => {
    const changes: Changes = [
      [suspend, 'idempotent: { by: state', repeats],
      [suspend, ", request_id: '{{ call.key }}'", ''],
    ]
    expect(await faults(changes)).toEqual([
      'suspend_directory_user.yaml idempotent.by: nothing sends `call.key`, so the system cannot recognise a call that is sent again',
    ])
    expect(await faults([...changes, [suspend, 'request:', `request:${body}`]])).toEqual([])
  })

  test('a key that the code does not send', async () => {
    const write: Changes = [[`${audit}.yaml`, 'impact: read', 'impact: write\nidempotent: { by: key }']]
    const code = (text: string) => (folder: string) => writeFile(join(folder, `${audit}.ts`), text)
    expect(await faults(write, code('export default async ({ http }) => (await http.post("/x", {})).body'))).toEqual([
      'get_directory_audit.yaml idempotent.by: nothing sends `call.key`, so the system cannot recognise a call that is sent again',
    ])
    for (const sends of [
      'async ({ http, call }) => (await http.post("/x", { id: call.key })).body',
      'async ({ http, call }) => (await http.post("/x", call)).body',
      'async ({ http, call: { id, key: once } }) => (await http.post("/x", { id, once })).body',
      'async (given) => (await given.http.post("/x", given.call)).body',
    ])
      expect(await faults(write, code(`export default ${sends}`))).toEqual([])
  })

  test.each(['PUT', 'PATCH', 'DELETE'])('a read by %s', async (method) => {
    expect(await faults([[list, 'method: GET', `method: ${method}`]])).toEqual([
      `list_directory_users.yaml request.method: a ${method} changes something, and Tocsin may send a read again at any time; declare \`impact: write\``,
    ])
  })
})

test('results of items that the output never has are reported', async () => {
  const results = (path: string): Changes => [[suspend, 'target:', `item_results: { list: ${path} }\ntarget:`]]
  expect(await faults(results('resuls'))).toEqual(['suspend_directory_user.yaml item_results.list: there is no member of the output `resuls`'])
  expect(await faults(results('state'))).toEqual([])
})

test('a secret that nothing uses is reported', async () => {
  const unused = '  - { name: pin, label: PIN, type: string, secret: true }\n'
  expect(await faults([['manifest.yaml', 'paste:', `${unused}paste:`]])).toEqual([
    expect.stringMatching(/^manifest\.yaml credentials\.\d\.name: nothing in `auth` uses the secret `pin`$/),
  ])
})

test('an origin that no request can go to is reported', async () => {
  const origin = (text: string): Changes => [['manifest.yaml', "origins: ['{{ credentials.base_url }}']", `origins: ['${text}']`]]
  for (const wrong of ['http://api.example.com', 'api.example.com', 'https://api.example.com/v2'])
    expect(await faults(origin(wrong))).toContainEqual(expect.stringMatching(/^manifest\.yaml origins\.0: must be an HTTPS origin without a path/))
  for (const right of ['https://api.example.com', 'https://api.example.com:8443/', 'https://{{ credentials.base_url }}'])
    expect((await faults(origin(right))).filter((fault) => fault.includes('origins.0: must be'))).toEqual([])
})

test('a token endpoint that no request can go to is reported', async () => {
  const tokens = (url: string, origin: string): Changes => [
    ['manifest.yaml', "origins: ['{{ credentials.base_url }}']", `origins: ['${origin}']`],
    [
      'manifest.yaml',
      'scheme: header                                 # header | bearer | basic | oauth2_client_credentials | jws_hs256\n  header: x-example-token\n  value: { credential: api_token }',
      `scheme: oauth2_client_credentials\n  token_url: '${url}'\n  client_id: { credential: region }\n  client_secret: { credential: api_token }\n  expired: { '==': [{ var: status }, 401] }`,
    ],
  ]
  const found = async (url: string, origin = 'https://api.example.com'): Promise<readonly string[]> =>
    (await faults(tokens(url, origin))).filter((fault) => fault.includes('token_url'))
  for (const url of ['https://auth.example.com/token', 'https://auth.example.com/{{ credentials.region }}/token'])
    expect(await found(url)).toEqual([
      'manifest.yaml auth.token_url: https://auth.example.com is not one of the `origins`, so no token could be requested; add it there',
    ])
  for (const url of ['/token', 'http://api.example.com/token', 'http://api.example.com/{{ credentials.region }}'])
    expect(await found(url)).toEqual([expect.stringContaining('must be an HTTPS URL')])
  for (const url of ['https://api.example.com/token', 'https://{{ credentials.region }}.example.com/token', '{{ credentials.base_url }}/token'])
    expect(await found(url)).toEqual([])
  expect(await found('https://auth.example.com/token', '{{ credentials.base_url }}')).toEqual([])
})

test('a number of items that is no number is reported', async () => {
  expect(await faults([[list, "until: '{{ input.max_items }}'", 'until: lots']])).toEqual([
    'list_directory_users.yaml request.paginate.until: it is "lots", and must be number: it is how many items are wanted',
  ])
})

test.each([
  ["result: { users: '{{ body.items }}', truncated: '{{ page.truncated }}' }", 'request.result: it leaves out `items`'],
  ['', 'request.paginate: a listing needs `result`'],
])('a listing whose output has only the last page is reported: %s', async (result, fault) => {
  const given = "result: { users: '{{ items }}', truncated: '{{ page.truncated }}' }"
  expect(await faults([[list, given, result]])).toEqual([expect.stringContaining(`list_directory_users.yaml ${fault}`)])
})

test('a listing may only count', async () => {
  expect(await faults([[list, "'{{ items }}'", "'{{ page.count }}'"]])).toEqual([])
})

test('code that exports no handler is reported', async () => {
  expect(await faults([[`${audit}.ts`, 'export default', 'export const handler =']])).toEqual([
    'get_directory_audit.ts : the file exports no handler: write `export default (async ({ input, http }) => { … })`',
  ])
})

function addToSkills(name: string): (folder: string) => Promise<void> {
  return async (folder) => {
    const file = join(folder, 'skills', name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, 'format: 1')
  }
}

test.each([
  ['get_user.yml', 'get_user.yml : skills are read from `.yaml` files; name it get_user.yaml'],
  ['get_user.YAML', 'get_user.YAML : skills are read from `.yaml` files; name it get_user.yaml'],
  ['get_user.yaml.bak', 'get_user.yaml.bak : skills are read from `.yaml` files; name it get_user.yaml, or move it out of `skills/`'],
  ['get_user.yaml~', 'get_user.yaml~ : skills are read from `.yaml` files; name it get_user.yaml, or move it out of `skills/`'],
  ['users/get_user.yaml', 'users : skills are not read from folders in `skills/`; move get_user.yaml to `skills/`'],
])('a skill in a file that is not read is reported: %s', async (name, fault) => {
  expect(await faults([], addToSkills(name))).toEqual([fault])
})

test.each(['list_directory_users.yaml.bak', 'list_directory_users.yaml~', '.get_user.yaml.swp', '.get_user.yaml', 'notes.md', 'users/shared.ts'])(
  'a file that hides no skill is left alone: %s',
  async (name) => {
    expect(await faults([], addToSkills(name))).toEqual([])
  },
)

test('a plugin whose manifest has another ending is not left out in silence', async () => {
  await withSample([], async (folder) => {
    await rename(join(folder, 'manifest.yaml'), join(folder, 'manifest.yml'))
    await expect(loadPluginFolders([dirname(folder)])).rejects.toMatchObject({
      code: 'file_unreadable',
      message: expect.stringContaining('manifest.yml: a manifest is read from `manifest.yaml`; rename this file.'),
    })
  })
})

test('a folder without a manifest is not the folder of a plugin', async () => {
  await withSample([], async (folder) => {
    await rm(join(folder, 'manifest.yaml'))
    await expect(loadPluginFolder(folder)).rejects.toMatchObject({
      code: 'file_unreadable',
      message: `${folder} has no manifest.yaml, so it is not the folder of a plugin. Give the path of a folder that has one.`,
    })
  })
})
