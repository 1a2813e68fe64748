import { beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '../../domain/index.ts'
import type { SendResult } from '../answer/send-result.ts'
import type { SkillAnswer } from '../answer/skill-answer.ts'
import { loadPluginFolder } from '../manifest/load.ts'
import { answerOf, hostOf, sampleFolder, withSample } from '../testing.ts'
import type { Plugin } from '../types.ts'
import { callSkill } from './call.ts'
import type { CallResult } from './call-result.ts'

let plugin: Plugin
beforeAll(async () => {
  plugin = await loadPluginFolder(sampleFolder)
})

async function call(id: string, input: Json, results: readonly (SendResult | SkillAnswer)[], from: Plugin = plugin) {
  const skill = from.skills.get(id)
  if (!skill) throw new Error(`no skill ${id}`)
  const host = hostOf(...results)
  const result: CallResult = await callSkill(from, skill, skill.checkInput(input).input, host)
  return { result, sent: host.sent }
}
const list_ = 'skills/list_directory_users.yaml'
const suspend_ = 'skills/suspend_directory_user.yaml'
const suspend = (...results: (SendResult | SkillAnswer)[]) => call('suspend_directory_user', { user_id: 'u/1' }, results)
const list = (...results: (SendResult | SkillAnswer)[]) => call('list_directory_users', { state: 'active', max_items: 3 }, results)

const users = (ids: readonly string[], nextCursor: string | null): SkillAnswer =>
  answerOf(200, { meta: { hasMore: nextCursor !== null, nextCursor }, items: ids.map((id) => ({ id, state: 'active' })) })

test('a write sends its rendered request with the call key, once', async () => {
  const { result, sent } = await suspend(answerOf(200, {}))
  expect(result).toEqual({ ok: true, output: { state: 'suspended' } })
  expect(sent).toEqual([{ method: 'POST', path: '/users/u%2F1/suspend', query: [], headers: {}, body: { request_id: 'key-1' } }])
})

test('a listing follows its pages until it has enough', async () => {
  const { result, sent } = await list(users(['1', '2'], 'c1'), users(['3', '4'], null))
  expect(result).toEqual({
    ok: true,
    output: { users: ['1', '2', '3'].map((id) => ({ id, state: 'active' })), truncated: true },
  })
  expect(sent.map(({ query }) => query)).toEqual([
    [
      ['state', 'active'],
      ['limit', '200'],
    ],
    [
      ['state', 'active'],
      ['limit', '200'],
      ['cursor', 'c1'],
    ],
  ])
})

test.each<[string, Json]>([
  ['code', { error: { code: 'gone_fishing' } }],
  ['code', { error: 'gone_fishing' }],
  ['code', { errors: [{ code: 'gone_fishing' }] }],
  ['message', { message: 'Has Gone Fishing' }],
  ['message', 'Has gone fishing'],
  ['path', {}],
])('an error row may look at the %s, wherever the body has it: %j', async (_, body) => {
  const rows = `errors:
  - { when: { or: [{ '==': [{ var: code }, gone_fishing] }, { in: [gone fishing, { lower: { var: message } }] }] }, code: fishing, cause: C., remedy: R., effect: none }
  - { when: { and: [{ '==': [{ var: path }, /users/u%2F1/suspend] }, { '==': [{ var: message }, ''] }] }, code: fishing, cause: C., remedy: R., effect: none }
`
  await withSample([['manifest.yaml', 'errors: ', `${rows}  `]], async (folder) => {
    const { result } = await call('suspend_directory_user', { user_id: 'u/1' }, [answerOf(418, body)], await loadPluginFolder(folder))
    expect(result).toMatchObject({ failure: { code: 'fishing' } })
  })
})

test('defaults of the input schema are filled in, and the input given is left alone', () => {
  const skill = plugin.skills.get('list_directory_users')
  const given = { state: 'active' }
  expect(skill?.checkInput(given)).toEqual({ input: { state: 'active', max_items: 500 }, faults: [] })
  expect(given).toEqual({ state: 'active' })
})

test.each([
  [{ max_items: '5' }, 'max_items must be integer'],
  [{ state: 'gone' }, 'state must be one of "active", "suspended"'],
  [{ email: 'nobody' }, 'email must be an e-mail address, such as ada@partner.example'],
  [{ stat: 'active' }, 'stat is unknown'],
])('an input that does not fit is explained by field: %j', (input, fault) => {
  expect(plugin.skills.get('list_directory_users')?.checkInput(input).faults).toEqual([fault])
})

test('a status that the skill names is a success, even 409', async () => {
  expect((await suspend(answerOf(409, { code: 'x' }))).result).toEqual({ ok: true, output: { state: 'suspended' } })
})

test('an error code that means "already done" is a success', async () => {
  const row = `errors:\n  - { when: { '==': [{ var: body.code }, E1] }, code: already_suspended, cause: C, remedy: R, effect: none }`
  await withSample([['manifest.yaml', 'errors: ', `${row} `]], async (folder) => {
    const changed = await loadPluginFolder(folder)
    const { result } = await call('suspend_directory_user', { user_id: 'u1' }, [answerOf(400, { code: 'E1' })], changed)
    expect(result).toEqual({ ok: true, output: { state: 'suspended' }, changed: 'no' })
    // The same if the skill names the status.
    const named = await call('suspend_directory_user', { user_id: 'u1' }, [answerOf(409, { code: 'E1' })], changed)
    expect(named.result).toEqual(result)
    const other = await call('activate_directory_user', { user_id: 'u1' }, [answerOf(200, { code: 'E1' })], changed)
    // The code is not in that skill's already_done, and a row may find an error in a 200.
    expect(other.result).toMatchObject({ ok: false, effect: 'refused', failure: { code: 'already_suspended', remedy: 'R' } })
  })
})

test.each<[number, string, string]>([
  [400, 'request_rejected', 'refused'],
  [401, 'credentials_rejected', 'refused'],
  [403, 'access_refused', 'refused'],
  [404, 'not_found', 'refused'],
  [408, 'vendor_unavailable', 'unknown'],
  [429, 'rate_limited', 'refused'],
  [499, 'vendor_unavailable', 'unknown'],
  [500, 'vendor_unavailable', 'unknown'],
  [502, 'vendor_unavailable', 'unknown'],
  [503, 'vendor_unavailable', 'unknown'],
  [204, 'answer_not_understood', 'unknown'],
  [302, 'answer_not_understood', 'unknown'],
])('a write answered %i is %s, its effect %s', async (status, code, effect) => {
  const { result } = await suspend(answerOf(status, ''))
  expect(result).toMatchObject({ ok: false, effect, failure: { code, vendor: { status } } })
})

test('the same for a read, which changes nothing', async () => {
  expect((await list(answerOf(500, {}))).result).toMatchObject({ ok: false, effect: 'refused', failure: { code: 'vendor_unavailable' } })
})

test("the manifest's row gives cause and remedy; the vendor's words and ids are kept", async () => {
  const { result } = await list(answerOf(401, { error: { message: 'Token\n revoked', code: 'E401' } }, { 'x-request-id': 'r-9' }))
  expect(result).toEqual({
    ok: false,
    effect: 'refused',
    failure: {
      code: 'credentials_rejected',
      message: 'The API token is missing, wrong, expired or revoked. (401: Token revoked)',
      remedy: 'Create a new token and save it on the connection.',
      retryAfter: null,
      vendor: { status: 401, code: 'E401', request_id: 'r-9' },
    },
  })
})

test.each([
  [{ 'retry-after': '7' }, 7],
  [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' }, 30],
  [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT' }, null],
  [{ 'retry-after': 'soon' }, null],
  [{ 'retry-after': '1.5' }, 2],
  [{ 'retry-after': '99999999999' }, 999_999_999],
  [{ 'retry-after': '-5', date: 'Wed, 21 Oct 2026 07:28:00 GMT' }, null],
  [{ 'retry-after': '+7', date: 'Wed, 21 Oct 2026 07:28:00 GMT' }, null],
  [{ 'retry-after': 'Fri, 31 Dec 1999 23:59:59 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' }, 0],
  [{ 'retry-after': 'Wednesday, 21-Oct-26 07:28:30 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' }, 30],
  [{ 'retry-after': 'Wed Oct 21 07:28:30 2026', date: 'Wed Oct 21 07:28:00 2026' }, 30],
  [{ 'retry-after': 'Sun Nov  1 07:28:30 2026', date: 'Sun Nov  1 07:28:00 2026' }, 30],
  [{ 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' }, 999_999_999],
  [{ 'retry-after': 'soon 5', date: 'Wed, 21 Oct 2026 07:28:00 GMT' }, null],
  [{ 'retry-after': '30s', date: 'Wed, 21 Oct 2026 07:28:00 GMT' }, null],
  [{ 'retry-after': 'in 2 minutes', date: 'Wed, 21 Oct 2026 07:28:00 GMT' }, null],
  [{ 'retry-after': '2026-10-21T07:28:30Z', date: 'Wed, 21 Oct 2026 07:28:00 GMT' }, null],
  [{ 'retry-after': '1e3', date: 'Wed, 21 Oct 2026 07:28:00 GMT' }, null],
  [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT', date: 'today 5' }, null],
  [{}, null],
])('Retry-After %j is %j seconds', async (headers, seconds) => {
  const { result } = await list(answerOf(429, {}, headers as Record<string, string>))
  expect(result).toMatchObject({ failure: { code: 'rate_limited', retryAfter: seconds } })
})

const page = (status: number): SkillAnswer => answerOf(status, '<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' })

test('a web page instead of an answer is explained; the effect of a write is then unknown', async () => {
  const read = await list(page(200))
  expect(read.result).toMatchObject({ ok: false, effect: 'refused', failure: { code: 'answer_not_understood' } })
  expect(read.result.ok ? '' : read.result.failure.message).toContain('the page "Sign in"')
  expect((await suspend(page(200))).result).toMatchObject({ ok: false, effect: 'unknown', failure: { code: 'answer_not_understood' } })
  expect((await suspend(page(403))).result).toMatchObject({ ok: false, effect: 'refused', failure: { code: 'access_refused' } })
})

test('a part of a page with the content type of JSON is a page too', async () => {
  const part = answerOf(200, '<h1>Sign in</h1>')
  expect((await list(part)).result).toMatchObject({ ok: false, effect: 'refused', failure: { code: 'answer_not_understood' } })
  expect((await suspend(part)).result).toMatchObject({ ok: false, effect: 'unknown', failure: { code: 'answer_not_understood' } })
})

test('a redirect is reported with its address, without query and fragment', async () => {
  const { result } = await list(answerOf(302, '', { location: 'https://login.example.com/start?token=x#y' }))
  expect(result).toMatchObject({
    failure: { code: 'answer_not_understood', message: expect.stringContaining('a redirect to https://login.example.com/start, which') },
  })
})

test('an HTML error page is recognised, even after a comment', async () => {
  const down = answerOf(503, '<!-- edge --><html><title>Down</title>', { 'content-type': '' })
  expect((await list(down)).result).toMatchObject({ failure: { message: expect.stringContaining('503: the page "Down"') } })
})

test('JSON that was cut off, and plain text, are not understood', async () => {
  expect((await list(answerOf(200, '{"items": [1, 2'))).result).toMatchObject({ failure: { code: 'answer_not_understood' } })
  expect((await list(answerOf(200, 'OK', { 'content-type': 'text/plain' }))).result).toMatchObject({ failure: { code: 'answer_not_understood' } })
})

test('an answer above the limits says why, if the skill reads it', async () => {
  const unread: SkillAnswer = { ...answerOf(200, ''), fault: 'The answer has more than 1,000,000 values, which is the limit.' }
  expect((await list(unread)).result).toMatchObject({ failure: { code: 'answer_not_understood', message: unread.fault } })
})

describe('a write that was answered with a body that nobody can read', () => {
  const unread = (status: number): SkillAnswer => ({ ...answerOf(status, ''), fault: 'The answer was cut off.' })
  const doubtful = { ok: false, effect: 'unknown', failure: { code: 'answer_not_understood', message: 'The answer was cut off.' } }
  const withRow = async (row: string, answer: SkillAnswer): Promise<CallResult> =>
    withSample([['manifest.yaml', 'errors: ', `errors:\n  - { when: ${row}, code: failed, cause: C, remedy: R, effect: none } `]], async (folder) => {
      const changed = await loadPluginFolder(folder)
      return (await call('suspend_directory_user', { user_id: 'u1' }, [answer], changed)).result
    })

  test('is done if nothing reads the body, and a warning says so', async () => {
    const done = { ok: true, output: { state: 'suspended' }, warnings: ['only the status of the answer was read: The answer was cut off.'] }
    expect((await suspend(unread(200))).result).toEqual(done)
    // A row that is decided before it reads the body hides nothing.
    expect(await withRow(`{ and: [{ '>=': [{ var: status }, 400] }, { '==': [{ var: body.ok }, false] }] }`, unread(200))).toEqual(done)
  })

  test('is in doubt if the skill reads the body', async () => {
    const changes = [[suspend_, 'result: { state: suspended }', "result: { state: '{{ body.state }}' }"]] as const
    await withSample(changes, async (folder) => {
      const { result } = await call('suspend_directory_user', { user_id: 'u1' }, [unread(200)], await loadPluginFolder(folder))
      expect(result).toMatchObject(doubtful)
    })
  })

  test.each([
    "{ '==': [{ var: body.ok }, false] }",
    "{ '==': [{ var: [body.ok, true] }, false] }",
    '{ in: [error, { var: message }] }',
    "{ '==': [{ var: code }, E1] }",
    "{ '==': [{ missing: [body.id] }, [body.id]] }",
  ])('is in doubt if an error row reads it: %s', async (row) => {
    expect(await withRow(row, unread(200))).toMatchObject(doubtful)
  })

  test('is in doubt if the body says whether it had already been done', async () => {
    expect((await suspend(unread(409))).result).toMatchObject(doubtful)
  })
})

test('plain text is fine if the skill does not read it', async () => {
  expect((await suspend(answerOf(200, 'OK', { 'content-type': 'text/plain' }))).result).toMatchObject({ ok: true })
})

test('an output with too many values is too large, even if it is short', async () => {
  const items = Array.from({ length: 150_000 }, (_, at) => ({ id: `${at}`, state: 'active' }))
  const { result } = await call('list_directory_users', { state: 'active', max_items: 150_000 }, [answerOf(200, { meta: { hasMore: false }, items })])
  expect(result).toMatchObject({ ok: false, effect: 'done', failure: { code: 'output_too_large', message: expect.stringContaining('250,000') } })
})

test('an output that lacks a required field is an error', async () => {
  const { result } = await list(answerOf(200, { meta: { hasMore: false }, items: [{ id: true, state: 'active' }] }))
  expect(result).toMatchObject({ ok: false, effect: 'done', failure: { code: 'skill_output_invalid' } })
  expect(result.ok ? '' : result.failure.message).toContain('users.0.id must be string')
})

test('other mismatches with the output schema are passed on with a warning', async () => {
  const items = [
    { id: '1', state: 'locked', email: ['a@b.example'] },
    { id: '2', state: 'locked' },
  ]
  const { result } = await list(answerOf(200, { meta: { hasMore: false }, items }))
  expect(result).toEqual({
    ok: true,
    output: { users: items, truncated: false },
    warnings: ['users.*.email must be string, and is a list', 'users.*.state must be one of "active", "suspended"'],
  })
})

describe('a write that happened counts as done', () => {
  const answering = async (result: string, body: Json): Promise<CallResult> => {
    const changes = [['skills/suspend_directory_user.yaml', 'result: { state: suspended }', `result: ${result}`]] as const
    return withSample(changes, async (folder) => {
      const written = await loadPluginFolder(folder)
      return (await call('suspend_directory_user', { user_id: 'u1' }, [answerOf(200, body)], written)).result
    })
  }

  test('even if the answer lacks what the skill requires', async () => {
    expect(await answering("{ state: '{{ body.state }}' }", { state: ['suspended'] })).toEqual({
      ok: true,
      output: { state: ['suspended'] },
      warnings: ['state must be "suspended"'],
    })
    expect(await answering("{ state: '{{ body.state }}' }", {})).toEqual({ ok: true, output: {}, warnings: ['state is missing'] })
  })

  test('even if no output can be made from the answer: the possible parts are there', async () => {
    const result = await answering("{ state: '{{ body.state }}', team: 'of {{ body.team }}' }", { state: 'suspended' })
    expect(result).toMatchObject({ ok: true, output: { state: 'suspended' } })
    expect(result.ok && result.warnings?.[0]).toContain('team could not be made from the answer')
  })
})

test.each<[SendResult, string]>([
  [{ effect: 'not_sent', code: 'network', message: 'no route' }, 'not_sent'],
  [{ effect: 'refused', code: 'egress_refused', message: 'not allowed' }, 'refused'],
  [{ effect: 'unknown', code: 'call_timeout', message: 'no answer' }, 'unknown'],
])('what became of the request is passed on: %j', async (sendResult, effect) => {
  const { result } = await suspend(sendResult)
  expect(result).toMatchObject({ ok: false, effect, failure: { code: 'code' in sendResult ? sendResult.code : '', remedy: expect.any(String) } })
})

test('a value that cannot be sent is refused before anything is sent', async () => {
  const { result, sent } = await call('suspend_directory_user', { user_id: '..' }, [])
  expect(result).toMatchObject({ ok: false, effect: 'not_sent', failure: { code: 'skill_input_invalid' } })
  expect(sent).toEqual([])
})

test('if a page fails in the middle, the whole listing fails, without a partial output', async () => {
  const { result } = await list(users(['1'], 'c1'), answerOf(500, {}))
  expect(result).toMatchObject({ ok: false, failure: { code: 'vendor_unavailable' } })
})

describe('what was requested, and the outcome of each item', () => {
  const changed = async (file: string, from: string, to: string, id: string, input: Json, answer: SkillAnswer): Promise<CallResult> =>
    withSample(
      [
        [suspend_, 'properties: { state: { const: suspended } }', 'properties: { state: { const: suspended }, results: { type: array } }'],
        [file, from, to],
      ],
      async (folder) => (await call(id, input, [answer], await loadPluginFolder(folder))).result,
    )

  test('a read whose answer is not what was requested fails, and returns none of it', async () => {
    const matches = 'matches: [{ output: users.*.email, input: email, ignore_case: true }]\nrequest:'
    const answered = (email: string): Promise<CallResult> => {
      const items = [{ id: '1', state: 'active', email }]
      return changed(
        list_,
        'request:',
        matches,
        'list_directory_users',
        { email: 'ada@a.example' },
        answerOf(200, { meta: { hasMore: false }, items }),
      )
    }
    expect(await answered('Ada@a.example')).toMatchObject({ ok: true })
    const other = await answered('bob@a.example')
    expect(other).toMatchObject({
      ok: false,
      effect: 'done',
      failure: { code: 'answer_not_asked_for', message: expect.stringContaining('users.0.email is "bob@a.example"') },
    })
    expect(other).not.toHaveProperty('output')
  })

  test('a write fails if some items failed, and has the result of each', async () => {
    const result = "result: { state: suspended, results: '{{ body.results }}' }\nitem_results: { list: results, named_by: id }"
    const answered = (...statuses: readonly string[]): Promise<CallResult> => {
      const results = statuses.map((status, at) => ({ id: `u${at}`, status }))
      return changed(suspend_, 'result: { state: suspended }', result, 'suspend_directory_user', { user_id: 'u1' }, answerOf(200, { results }))
    }
    expect(await answered('done', 'done')).toMatchObject({ ok: true })
    expect(await answered('done', 'failed')).toMatchObject({
      ok: false,
      effect: 'done',
      failure: { code: 'items_failed', message: 'suspend_directory_user: 1 of 2 were done, 1 failed: u1.' },
      output: { results: [{ status: 'done' }, { status: 'failed' }] },
    })
    expect(await answered('failed')).toMatchObject({ ok: false, effect: 'refused', failure: { code: 'items_failed' } })
  })
})

test('an integer that the output schema wants as digits becomes a string, whatever its size', async () => {
  const ids = '{"meta":{"hasMore":false},"items":[{"id":5,"state":"active"},{"id":"9007199254740993","state":"active"}]}'
  const { result } = await list(answerOf(200, JSON.parse(ids)))
  expect(result).toMatchObject({ ok: true, output: { users: [{ id: '5' }, { id: '9007199254740993' }] } })
})

test('a repeated field in an answer is one warning for all pages of the call', async () => {
  const page = (ids: readonly string[], next: string | null) => ({ ...users(ids, next), repeated: 'items.*.state' })
  const warnings = ['the answer has items.*.state twice; the last value is used']
  expect((await list(page(['1', '2'], 'c1'), page(['3'], null))).result).toMatchObject({ ok: true, warnings })
  const { result } = await suspend({ ...answerOf(200, {}), repeated: 'state' })
  expect(result).toMatchObject({ ok: true, warnings: ['the answer has state twice; the last value is used'] })
})
