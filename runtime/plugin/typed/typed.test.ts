import { describe, expect, test } from 'vitest'
import { isTocsinError } from '../../errors/index.ts'
import { loadPluginFolder, parsePlugin } from '../manifest/load.ts'
import { withSample } from '../testing.ts'

const manifest = 'manifest.yaml'
const suspend = 'skills/suspend_directory_user.yaml'
const list = 'skills/list_directory_users.yaml'
type Changes = Parameters<typeof withSample>[0]

/** Returns the faults of a changed plugin, as `file:line:column message`. */
async function faults(...changes: Changes): Promise<readonly string[]> {
  return withSample(changes, async (folder) => {
    try {
      await loadPluginFolder(folder)
      return []
    } catch (error) {
      if (!isTocsinError(error)) throw error
      return error.places.map(({ file, line, column, message }) => `${file?.split('/').at(-1)}:${line}:${column} ${message}`)
    }
  })
}

const happened = (rule: string): Changes[number] => [suspend, "happened: { '==': [{ var: output.users.0.state }, suspended] }", `happened: ${rule}`]
const probeWith = (value: string): Changes[number] => [suspend, "with: { email: '{{ input.user_id }}' }", `with: ${value}`]

describe('a probe that can never work is reported when the plugin is loaded', () => {
  test('unchanged, it works', async () => {
    expect(await faults()).toEqual([])
  })

  test.each<[string, Changes[number], string]>([
    [
      'reads what the answer does not have',
      happened("{ '==': [{ var: output.state }, suspended] }"),
      'nothing says that `output` has a member `state`; its members are users, truncated',
    ],
    ['misspells a member', happened("{ '==': [{ var: output.users.0.stat }, suspended] }"), 'did you mean `state`?'],
    ['compares with what there is not', happened("{ '==': [{ var: output.users.0.state }, suspend] }"), 'did you mean `suspended`?'],
    ['compares different types', happened("{ '==': [{ var: output.truncated }, 'false'] }"), 'compares a boolean'],
    ['compares the input with another type', happened("{ '==': [{ var: input.user_id }, { var: output.truncated }] }"), 'compares a text'],
    ['looks for a member in a list', happened("{ '==': [{ var: output.users.state }, suspended] }"), 'index'],
    ['always holds', happened("{ '>=': [{ length: { var: output.users } }, 0] }"), 'always true'],
    ['never holds', happened("{ '<': [{ length: { var: output.users } }, 0] }"), 'never true'],
    [
      'gives a misspelt input',
      probeWith("{ emial: '{{ input.user_id }}' }"),
      '`emial` is not an input of directory.list_directory_users; did you mean `email`?',
    ],
    ['reads an input that there is not', probeWith("{ email: '{{ input.user }}' }"), '`input.user` does not exist; did you mean `user_id`?'],
    ['gives a value of another type', probeWith("{ email: '{{ input.user_id }}', max_items: all }"), '`max_items`'],
    ['gives a value that there is not', probeWith("{ email: '{{ input.user_id }}', state: gone }"), '`state`'],
    [
      'makes an output that the skill does not have',
      [suspend, 'happened:', "output: { stat: '{{ output.users.0.state }}' }\n  happened:"],
      '`stat` is not a member of the output; did you mean `state`?',
    ],
    ['lacks what the output requires', [suspend, 'happened:', 'output: {}\n  happened:'], '`state` is missing'],
    ['makes an output of another type', [suspend, 'happened:', "output: { state: '{{ output.truncated }}' }\n  happened:"], '`state`'],
    ['is of another system', [suspend, 'skill: directory.list_directory_users', 'skill: other.list_users'], 'belongs to another integration'],
    ['needs more than the skill itself', [list, 'minimum_role: reader', 'minimum_role: owner'], 'needs the role `owner`'],
  ])('%s', async (_, change, message) => {
    const found = await faults(change)
    expect(found.join('\n')).toContain(message)
    expect(found[0]).toMatch(/^suspend_directory_user\.yaml:\d+:\d+ /)
  })

  test('the place is that of the name itself', async () => {
    const [first] = await faults(happened("{ '==': [{ var: output.state }, suspended] }"))
    expect(first).toMatch(/^suspend_directory_user\.yaml:22:36 /)
  })

  test('an input that the probe needs must be given', async () => {
    const needed: Changes[number] = [
      list,
      'type: object\n  additionalProperties: false',
      'type: object\n  required: [email, state]\n  additionalProperties: false',
    ]
    expect(await faults(needed)).toContainEqual(
      expect.stringContaining('`state` is missing; it is required as an input of directory.list_directory_users'),
    )
  })
})

describe('so is an inverse that can never work', () => {
  const inverse = (rest: string): Changes[number] => [
    suspend,
    "inverse: { skill: directory.activate_directory_user, with: { user_id: '{{ input.user_id }}' } }",
    `inverse: { skill: directory.activate_directory_user, ${rest} }`,
  ]

  test.each<[string, Changes[number], string]>([
    ['a misspelt input', inverse("with: { user: '{{ input.user_id }}' }"), '`user` is not an input of directory.activate_directory_user'],
    ['an input that is missing', inverse('with: {}'), '`user_id` is missing'],
    ['what the call does not answer', inverse("with: { user_id: '{{ output.user.id }}' }"), '`output`'],
    ['a condition that never holds', inverse("when: { '==': [{ var: output.state }, gone] }, with: { user_id: '{{ input.user_id }}' }"), 'never'],
  ])('%s', async (_, change, message) => {
    const found = await faults(change)
    expect(found.join()).toContain(message)
  })
})

describe('conditions and paths in a manifest that can never match', () => {
  const row = (rule: string): Changes[number] => [manifest, "when: { '==': [{ var: status }, 502] }", `when: ${rule}`]

  test.each<[string, string]>([
    ["{ '==': [{ var: status }, '429'] }", 'write 429 without quotes'],
    ['{ in: [{ var: status }, ["400", "403"]] }', ''],
    ["{ '==': [{ var: status }, 4290] }", 'never'],
    ["{ '==': [{ var: code }, 10564] }", 'write "10564" with quotes'],
    ["{ '==': [{ var: status.code }, 1] }", 'no member'],
    ["{ '==': [{ var: headers.Retry-After }, '1'] }", 'lower case: `headers.retry-after`'],
    ["{ '==': [{ var: method }, delete] }", 'did you mean `DELETE`?'],
    ["{ '==': [{ lower: { var: code } }, NOT_FOUND] }", 'write "not_found"'],
    ['{ in: [Beta, { lower: { var: message } }] }', 'write "beta"'],
    ['{ in: [{ upper: { var: code } }, [GONE, lost]] }', 'write "LOST"'],
  ])('%s', async (rule, message) => {
    const found = await faults(row(rule))
    expect(found.join('\n')).toContain(message)
    expect(found[0]).toMatch(/^manifest\.yaml:\d+:\d+ /)
  })

  test.each([
    "{ '==': [{ var: body.deeply.hidden.code }, 7] }",
    "{ '>=': [{ length: { keys: { var: body } } }, 0] }",
    "{ and: [{ '>=': [{ var: status }, 400] }, { '<': [{ var: status }, 500] }] }",
    "{ in: [retry, { lower: { var: [headers.x-reason, ''] } }] }",
    "{ or: [{ '==': [{ var: code }, NOT_FOUND] }, { '==': [{ var: method }, DELETE] }] }",
    'true',
  ])('but not %s', async (rule) => {
    expect(await faults(row(rule))).toEqual([])
  })

  test.each<[Changes[number], string]>([
    [[manifest, 'items: items }', "items: '$.items' }"], 'is not a path'],
    [[manifest, 'next: meta.nextCursor,', 'next: body.meta.nextCursor,'], 'begins with `body`'],
    [[list, 'next: meta.nextCursor', 'next: meta/nextCursor'], ''],
    [[list, 'items: items,', "items: 'items[0]',"], 'is not a path'],
    [[list, 'more: meta.hasMore', 'more: meta..hasMore'], 'is not a path'],
  ])('a path that no answer has: %j', async (change, message) => {
    const found = await faults(change)
    if (message === '') expect(found.length).toBeLessThanOrEqual(1)
    else expect(found.join()).toContain(message)
  })

  test('a role at a path that cannot exist', async () => {
    const roles: Changes[number] = [manifest, 'select: role', 'select: body.role']
    expect((await faults(roles)).join()).toContain('begins with `body`')
  })
})

test.each([
  ['a probe that reads nothing', 'output.users.0.state', 'output.state'],
  ['a listing without its items', '"users":"{{ items }}"', '"users":"{{ body.items }}"'],
])('a plugin that runs have pinned still loads, even if new checks find faults in it: %s', async (_fault, from, to) => {
  const text = await withSample([], async (folder) => (await loadPluginFolder(folder)).text)
  const pinned = text.replace(from, to)
  expect(pinned).not.toBe(text)
  expect(parsePlugin(pinned).skills.size).toBe(4)
})

describe('a request that can never be sent as intended is reported when the plugin is loaded', () => {
  const body = "body: { reason: '{{ input.reason }}', request_id: '{{ call.key }}' }"
  const sends = (text: string): Changes[number] => [suspend, body, text]

  test.each<[string, Changes[number], string]>([
    [
      'an object as text',
      sends("headers: { Content-Type: text/plain }\n  body: { a: '{{ input.reason }}' }"),
      'The content type is text/plain, but the body is not a text.',
    ],
    ['a list as a form', sends('headers: { content-type: application/x-www-form-urlencoded }\n  body: [1]'), 'is not a text'],
    ['another charset', sends("headers: { content-type: 'text/plain; charset=utf-16' }\n  body: hello"), 'names the charset utf-16'],
    ['JSON as a text', sends(`body: '{"reason": "{{ input.reason }}"}'`), 'which would be sent in quotes'],
    ['a credential in a header', sends("headers: { Authorization: 'Bearer x' }"), '`Authorization` is a header that only the host may set'],
    [
      'a header of the manifest that is not its own',
      [manifest, 'headers: { accept', 'headers: { Host: other.example, accept'],
      '`Host` is a header that only the host may set',
    ],
  ])('%s', async (_what, change, words) => {
    expect((await faults(change)).join('\n')).toContain(words)
  })

  test.each([
    sends("headers: { content-type: text/plain }\n  body: '{{ input.reason }}'"),
    sends("headers: { content-type: 'application/x-www-form-urlencoded; charset=utf-8' }\n  body: 'reason={{ input.reason | url_encode }}'"),
    sends('headers: { content-type: application/merge-patch+json }\n  body: { a: 1 }'),
    sends("body: '{{ input.reason }}'"),
  ])('what can be sent is not: %s', async (...change) => {
    expect(await faults(change)).toEqual([])
  })
})
