import { afterAll, describe, expect, test } from 'vitest'
import type { Clock, Json } from '../../domain/index.ts'
import type { SendResult } from '../answer/send-result.ts'
import type { SkillAnswer } from '../answer/skill-answer.ts'
import { answerOf } from '../testing.ts'
import { manifest, removeWritten, run } from './fixture.ts'

afterAll(removeWritten)

describe('requests', () => {
  test('carry method, encoded path, query, headers and body', async () => {
    const { result, sent } = await run(
      "const { status, body } = await http.post(path`/users/\u0024{'a/b ?'}`, { x: 1 }, { query: { q: ['1', 2], none: undefined, nil: null }, headers: { 'X-One': 'y' } }); return { status, body }",
      [answerOf(201, { id: '9' })],
    )
    expect(result).toEqual({ ok: true, output: { status: 201, body: { id: '9' } } })
    expect(sent).toEqual([
      {
        method: 'POST',
        path: '/users/a%2Fb%20%3F',
        query: [
          ['q', '1'],
          ['q', '2'],
        ],
        headers: { 'x-one': 'y' },
        body: { x: 1 },
      },
    ])
  })

  test.each([
    "http.get('/a/../b')",
    "http.get('/a/%2e%2e/b')",
    "http.get('/a?b=1')",
    "http.get('//evil.example')",
    "http.get('a')",
    "http.get('https://evil.example/')",
    'http.get(path`/a/\u0024{undefined}`)',
  ])('%s asks for nothing that is sent', async (expression) => {
    const { result, sent } = await run(`return { body: (await ${expression}).body }`, [answerOf(200, {})])
    expect(result).toMatchObject({ ok: false, effect: 'not_sent' })
    expect(sent).toEqual([])
  })

  test.each(['', '.', '..', 'a\ud800'])('a path cannot have the value %j, which is a fault of the input', async (value) => {
    const { result, sent } = await run(`return { body: (await http.get(path\`/a/\u0024{${JSON.stringify(value)}}\`)).body }`)
    expect(result).toMatchObject({ ok: false, effect: 'not_sent', failure: { code: 'skill_input_invalid' } })
    expect(sent).toEqual([])
  })

  test('a URL from an answer goes to the origin, for the host to check', async () => {
    const { sent } = await run(
      "await http.get('/q/next?page=2', { base: 'origin' }); await http.get('/versions/', { base: 'origin', query: { a: 1 } }); return {}",
      [answerOf(200, {}), answerOf(200, {})],
    )
    expect(sent).toMatchObject([
      { path: '/', next: '/q/next?page=2', base: 'none' },
      { path: '/versions/', query: [['a', '1']], base: 'none' },
    ])
  })

  test('an unsuccessful answer is thrown with its code, and can be caught', async () => {
    const { result } = await run(
      "try { await http.get('/x') } catch (error) { return { name: error.name, code: error.code, status: error.status, body: error.body } }",
      [answerOf(409, { message: 'wait', id: 7 })],
    )
    expect(result).toEqual({ ok: true, output: { name: 'CallError', code: 'busy', status: 409, body: { message: 'wait', id: 7 } } })
  })

  test('an unsuccessful answer can be caught after another request', async () => {
    const body = `const first = http.get('/a')
      await http.get('/b')
      await http.get('/c')
      return first.catch(({ status }) => ({ n: status }))`
    const { result } = await run(body, [answerOf(404, {}), answerOf(200, {}), answerOf(200, {})])
    expect(result).toEqual({ ok: true, output: { n: 404 } })
  })

  test('an expected status is a success', async () => {
    const { result } = await run("return { status: (await http.get('/x', { expect: [200, 409] })).status }", [answerOf(409, {})])
    expect(result).toEqual({ ok: true, output: { status: 409 } })
  })

  test("an error that is not caught is the call's failure, in the manifest's words", async () => {
    const { result } = await run("await http.get('/x'); return {}", [answerOf(409, { message: 'wait' })])
    expect(result).toEqual({
      ok: false,
      effect: 'refused',
      failure: { code: 'busy', message: 'The thing is busy. (409: wait)', remedy: 'Wait.', retryAfter: null, vendor: { status: 409 } },
    })
  })

  test.each<[string, readonly object[], number]>([
    [
      'name the same next page',
      [
        { items: [{ id: 1 }], next: 'a' },
        { items: [{ id: 2 }], next: 'a' },
      ],
      2,
    ],
    [
      'are the same',
      [
        { items: [{ id: 1 }], next: 'a' },
        { items: [{ id: 1 }], next: 'b' },
      ],
      2,
    ],
    ['are all empty', Array.from({ length: 30 }, (_, at) => ({ items: [], next: `p${at}` })), 20],
  ])('a listing whose pages %s is an error', async (_, bodies, requests) => {
    const answers = bodies.map((body) => answerOf(200, body as Json))
    const { result, sent } = await run("return { n: (await http.getAll('/t', { paginate: 'manifest' })).length }", answers)
    expect(result).toMatchObject({ ok: false, effect: 'refused', failure: { code: 'paging_endless' } })
    expect(sent).toHaveLength(requests)
  })

  test('a listing that is shorter than the system counts is passed on with a warning', async () => {
    const paginate = "{ kind: 'cursor', send: 'c', next: 'next', items: 'items', total: 'count' }"
    const answers = [
      { items: [{ id: 1 }], next: 'a', count: 5 },
      { items: [{ id: 2 }], count: 5 },
    ].map((body) => answerOf(200, body))
    const { result } = await run(`return { n: (await http.getAll('/t', { paginate: ${paginate} })).length }`, answers)
    expect(result).toMatchObject({ ok: true, output: { n: 2 }, warnings: [expect.stringContaining('there are 5 items')] })
  })

  test('equal listings may be read side by side', async () => {
    const both = [{ items: [{ id: 1 }], next: 'a' }, { items: [{ id: 2 }] }].flatMap((body) => [answerOf(200, body), answerOf(200, body)])
    const { result } = await run(
      "const read = () => http.getAll('/t', { paginate: 'manifest' }); const two = await Promise.all([read(), read()]); return { n: two.flat().length }",
      both,
    )
    expect(result).toMatchObject({ ok: true, output: { n: 4 } })
  })

  test('pages are followed by the Link header, and the answer itself may be the list', async () => {
    const answers = [answerOf(200, [{ id: 1 }], { link: '</api/t?page=2>; rel="next"' }), answerOf(200, [{ id: 2 }])]
    const { result, sent } = await run("return { n: (await http.getAll('/t', { paginate: { kind: 'link' } })).length }", answers)
    expect(result).toEqual({ ok: true, output: { n: 2 } })
    expect(sent.map(({ next }) => next)).toEqual([undefined, '/api/t?page=2'])
  })

  test('pages are followed to the end, or up to a number of items', async () => {
    const page = (ids: readonly number[], next: string | null): SkillAnswer => answerOf(200, { items: ids.map((id) => ({ id })), next })
    const answers = [page([1, 2], 'c'), page([3, 4], null)]
    const all = await run("return { all: (await http.getAll('/t', { paginate: 'manifest' })).map(({ id }) => id) }", answers)
    expect(all.result).toEqual({ ok: true, output: { all: [1, 2, 3, 4] } })
    expect(all.sent.map(({ query }) => query)).toEqual([[], [['cursor', 'c']]])
    const some = await run("return { all: (await http.getAll('/t', { paginate: 'manifest', max: 2 })).length }", answers)
    expect(some.result).toEqual({ ok: true, output: { all: 2 } })
    expect(some.sent).toHaveLength(1)
  })

  test('are limited in number', async () => {
    const { result, sent } = await run("for (;;) await http.get('/x')", [answerOf(200, {}), answerOf(200, {}), answerOf(200, {})], {
      handler: '{ max_requests: 2 }',
    })
    expect(result).toMatchObject({ ok: false, failure: { code: 'handler_requests_exceeded' } })
    expect(sent).toHaveLength(2)
  })

  test('requests in flight are awaited when the handler ends', async () => {
    let answer: (result: SendResult) => void = () => {}
    const late = new Promise<SendResult>((resolve) => {
      answer = resolve
    })
    const running = run(
      "http.post('/x', {}); await http.get('/y'); return {}",
      [],
      { impact: 'write' },
      {
        send: async ({ method }) => {
          if (method === 'GET') return { effect: 'done', answer: answerOf(200, {}) }
          setImmediate(() => answer({ effect: 'unknown', code: 'network', message: 'cut' }))
          return late
        },
      },
    )
    expect((await running).result).toMatchObject({ ok: false, effect: 'unknown', failure: { code: 'network' } })
  })
})

describe('retries', () => {
  describe('with a long wait', () => {
    const limits = { more: { 'manifest.yaml': `${manifest}\nretry: { attempts: 3, backoff: constant, delay: 1s, on: [rate_limited] }\n` } }
    const limited = (seconds: number): SkillAnswer => answerOf(429, { message: 'slow down' }, { 'retry-after': String(seconds) })
    /** Makes a clock that records waits. Calls take no time. */
    const noting = () => {
      const slept: number[] = []
      const clock: Clock = { now: () => 0, sleep: async (delay) => void slept.push(delay), every: () => () => {}, after: () => () => {} }
      return { slept, clock }
    }

    test('do not begin if the wait is longer than the rest of the call, and the failure is what the system said', async () => {
      const { slept, clock } = noting()
      const { result, sent } = await run("await http.get('/a')", [limited(40)], limits, { clock, timeout: 30_000 })
      expect(result).toMatchObject({
        ok: false,
        failure: { code: 'rate_limited', message: expect.stringContaining('slow down'), retryAfter: 40, unwaited: true, vendor: { retry_after: 40 } },
      })
      expect(sent).toHaveLength(1)
      expect(slept).toEqual([])
    })

    test('do not begin if the wait is too long for the process, so the run can wait in the store', async () => {
      const { slept, clock } = noting()
      const { result } = await run("await http.get('/a')", [limited(900)], limits, { clock, timeout: 3_600_000 })
      expect(result).toMatchObject({ ok: false, failure: { code: 'rate_limited', retryAfter: 900, unwaited: true } })
      expect(slept).toEqual([])
    })

    test('happen if the wait is short enough', async () => {
      const { slept, clock } = noting()
      expect((await run("await http.get('/a'); return {}", [limited(20), answerOf(200, {})], limits, { clock, timeout: 30_000 })).result.ok).toBe(
        true,
      )
      expect(slept).toEqual([20_000])
    })

    test('do not begin if the handler itself asks for the wait, and the failure is that of the last answer', async () => {
      const { slept, clock } = noting()
      const body = "await http.get('/a').catch((error) => sleep(error.retryAfter * 1000)); return {}"
      const { result } = await run(body, [limited(900)], {}, { clock, timeout: 30_000 })
      expect(result).toMatchObject({ ok: false, failure: { code: 'rate_limited', retryAfter: 900, unwaited: true } })
      expect(result.ok ? '' : result.failure.message).toContain('A wait of 900000 ms is longer than')
      expect((await run('await sleep(900000)', [], {}, { clock, timeout: 30_000 })).result).toMatchObject({ failure: { code: 'handler_timeout' } })
      expect(slept).toEqual([])
      expect((await run('await sleep(20000); return {}', [], {}, { clock, timeout: 30_000 })).result.ok).toBe(true)
    })

    test('do not exist for a manual call', async () => {
      const { slept, clock } = noting()
      for (const answer of [limited(1), answerOf(503, {})]) {
        const { result, sent } = await run("await http.get('/a')", [answer], limits, { clock, patience: null })
        expect(result).toMatchObject({ ok: false, failure: { code: answer.status === 429 ? 'rate_limited' : 'vendor_unavailable' } })
        expect(sent).toHaveLength(1)
      }
      expect(slept).toEqual([])
    })
  })

  const retrying = { more: { 'manifest.yaml': `${manifest}\nretry: { attempts: 3, backoff: constant, delay: 1s, on: [vendor_unavailable] }\n` } }

  test('in a skill that reads, follow the manifest, request by request', async () => {
    const body = "await http.get('/a'); await http.get('/b'); for await (const rows of stream.csv('/c')); return {}"
    const failing = answerOf(503, {})
    const { result, sent } = await run(body, [answerOf(200, {}), failing, failing, answerOf(200, {}), failing, answerOf(200, 'a\n1')], retrying)
    expect(result).toEqual({ ok: true, output: {} })
    expect(sent.map(({ path }) => path)).toEqual(['/a', '/b', '/b', '/b', '/c', '/c'])
  })

  test('stop after the last try, and are not for a request that may have started something', async () => {
    const failing = answerOf(503, {})
    const often = await run("await http.get('/a')", [failing, failing, failing], retrying)
    expect(often.result).toMatchObject({ ok: false, failure: { code: 'vendor_unavailable' } })
    expect(often.sent).toHaveLength(3)
    expect((await run("await http.post('/a')", [failing], retrying)).sent).toHaveLength(1)
  })

  test("in a skill that writes, are left to the journal's owner", async () => {
    const { sent } = await run("await http.get('/a')", [answerOf(503, {})], { ...retrying, impact: 'write' })
    expect(sent).toHaveLength(1)
  })
})
