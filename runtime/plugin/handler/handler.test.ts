import { mkdir, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Clock, Json } from '../../domain/index.ts'
import type { HandlerHost } from '../host.ts'
import { createIsolates } from '../isolate/pool.ts'
import { loadPluginFolder, parsePlugin } from '../load.ts'
import type { SendResult } from '../send-result.ts'
import type { SkillAnswer } from '../skill-answer.ts'
import { answerOf, hostOf } from '../testing.ts'
import type { Plugin } from '../types.ts'
import { call, childProcesses, manifest, removeWritten, run, write } from './fixture.ts'

afterAll(removeWritten)

describe('what a handler is given', () => {
  test('its input with defaults, the plain fields, its key, and the time of its beginning', async () => {
    const { result } = await run(
      'return { input, fields, ...call.call, date: [Date.now(), new Date().getTime(), new Date(0).toISOString(), new Date() instanceof Date] }',
    )
    expect(result).toEqual({
      ok: true,
      output: {
        input: { name: 'ada' },
        fields: { base_url: 'https://tenant.example.com', region: 'eu' },
        key: 'key-1',
        now: 1_700_000_000_000,
        date: [1_700_000_000_000, 1_700_000_000_000, '1970-01-01T00:00:00.000Z', true],
      },
    })
  })

  test('nothing of Node, the network, the environment or chance', async () => {
    const names = [
      'process',
      'require',
      'module',
      'fetch',
      'XMLHttpRequest',
      'setTimeout',
      'setInterval',
      'queueMicrotask',
      'Buffer',
      'WebAssembly',
      'Deno',
    ]
    const { result } = await run(`
      let random; try { random = Math.random() } catch (error) { random = 'none' }
      let imported; try { await import(input.name); imported = true } catch { imported = false }
      const constructed = (() => {}).constructor('return typeof process')()
      return { there: ${JSON.stringify(names)}.filter((name) => typeof globalThis[name] !== 'undefined'), random, imported, constructed }`)
    expect(result).toEqual({ ok: true, output: { there: [], random: 'none', imported: false, constructed: 'undefined' } })
  })

  test('a fresh context for each call', async () => {
    const code = 'export default async () => { globalThis.n = (globalThis.n ?? 0) + 1; Array.prototype.left = 1; return { n: globalThis.n } }'
    const plugin = await loadPluginFolder(await write(code))
    expect((await call(plugin, [])).result).toEqual({ ok: true, output: { n: 1 } })
    expect((await call(plugin, [])).result).toEqual({ ok: true, output: { n: 1 } })
  })
})

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
    'http.get(path`/a/\u0024{".."}`)',
    'http.get(path`/a/\u0024{""}`)',
  ])('%s asks for nothing that is sent', async (expression) => {
    const { result, sent } = await run(`return { body: (await ${expression}).body }`, [answerOf(200, {})])
    expect(result).toMatchObject({ ok: false, effect: 'not_sent' })
    expect(sent).toEqual([])
  })

  test("an answer's own address goes below the origin, for the host to check", async () => {
    const { sent } = await run(
      "await http.get('/q/next?page=2', { base: 'origin' }); await http.get('/versions/', { base: 'origin', query: { a: 1 } }); return {}",
      [answerOf(200, {}), answerOf(200, {})],
    )
    expect(sent).toMatchObject([
      { path: '/', next: '/q/next?page=2', base: 'none' },
      { path: '/versions/', query: [['a', '1']], base: 'none' },
    ])
  })

  test('what is no success is thrown with its code, and can be caught', async () => {
    const { result } = await run(
      "try { await http.get('/x') } catch (error) { return { name: error.name, code: error.code, status: error.status, body: error.body } }",
      [answerOf(409, { message: 'wait', id: 7 })],
    )
    expect(result).toEqual({ ok: true, output: { name: 'CallError', code: 'busy', status: 409, body: { message: 'wait', id: 7 } } })
  })

  test('a status that is expected is a success', async () => {
    const { result } = await run("return { status: (await http.get('/x', { expect: [200, 409] })).status }", [answerOf(409, {})])
    expect(result).toEqual({ ok: true, output: { status: 409 } })
  })

  test("what is not caught is the call's failure, in the manifest's words", async () => {
    const { result } = await run("await http.get('/x'); return {}", [answerOf(409, { message: 'wait' })])
    expect(result).toEqual({
      ok: false,
      effect: 'refused',
      failure: { code: 'busy', message: 'The thing is busy. (409: wait)', remedy: 'Wait.', retryAfter: null, vendor: { status: 409 } },
    })
  })

  test('pages are followed, all or so many items', async () => {
    const page = (ids: readonly number[], next: string | null): SkillAnswer => answerOf(200, { items: ids.map((id) => ({ id })), next })
    const answers = [page([1, 2], 'c'), page([3, 4], null)]
    const all = await run("return { all: (await http.getAll('/t', { paginate: 'manifest' })).map(({ id }) => id) }", answers)
    expect(all.result).toEqual({ ok: true, output: { all: [1, 2, 3, 4] } })
    expect(all.sent.map(({ query }) => query)).toEqual([[], [['cursor', 'c']]])
    const some = await run("return { all: (await http.getAll('/t', { paginate: 'manifest', max: 2 })).length }", answers)
    expect(some.result).toEqual({ ok: true, output: { all: 2 } })
    expect(some.sent).toHaveLength(1)
  })

  test('there may be so many of them', async () => {
    const { result, sent } = await run("for (;;) await http.get('/x')", [answerOf(200, {}), answerOf(200, {}), answerOf(200, {})], {
      handler: '{ max_requests: 2 }',
    })
    expect(result).toMatchObject({ ok: false, failure: { code: 'handler_requests_exceeded' } })
    expect(sent).toHaveLength(2)
  })

  test('what the host has on its way when the handler ends is waited for', async () => {
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

describe('trying again', () => {
  describe('whose wait is long', () => {
    const limits = { more: { 'manifest.yaml': `${manifest}\nretry: { attempts: 3, backoff: constant, delay: 1s, on: [rate_limited] }\n` } }
    const limited = (seconds: number): SkillAnswer => answerOf(429, { message: 'slow down' }, { 'retry-after': String(seconds) })
    /** A clock that notes what is slept, and no call takes time. */
    const noting = () => {
      const slept: number[] = []
      const clock: Clock = { now: () => 0, sleep: async (delay) => void slept.push(delay), every: () => () => {}, after: () => () => {} }
      return { slept, clock }
    }

    test('does not begin if it does not fit into the rest of the call, and the failure is what the system said', async () => {
      const { slept, clock } = noting()
      const { result, sent } = await run("await http.get('/a')", [limited(40)], limits, { clock, timeout: 30_000 })
      expect(result).toMatchObject({
        ok: false,
        failure: { code: 'rate_limited', message: expect.stringContaining('slow down'), retryAfter: 40, unwaited: true, vendor: { retry_after: 40 } },
      })
      expect(sent).toHaveLength(1)
      expect(slept).toEqual([])
    })

    test('does not begin if it is too long for the process, so the run can wait in the store', async () => {
      const { slept, clock } = noting()
      const { result } = await run("await http.get('/a')", [limited(900)], limits, { clock, timeout: 3_600_000 })
      expect(result).toMatchObject({ ok: false, failure: { code: 'rate_limited', retryAfter: 900, unwaited: true } })
      expect(slept).toEqual([])
    })

    test('happens if it fits', async () => {
      const { slept, clock } = noting()
      expect((await run("await http.get('/a'); return {}", [limited(20), answerOf(200, {})], limits, { clock, timeout: 30_000 })).result.ok).toBe(
        true,
      )
      expect(slept).toEqual([20_000])
    })

    test('does not begin if the handler itself asks for it, and the failure is that of the last answer', async () => {
      const { slept, clock } = noting()
      const body = "await http.get('/a').catch((error) => sleep(error.retryAfter * 1000)); return {}"
      const { result } = await run(body, [limited(900)], {}, { clock, timeout: 30_000 })
      expect(result).toMatchObject({ ok: false, failure: { code: 'rate_limited', retryAfter: 900, unwaited: true } })
      expect(result.ok ? '' : result.failure.message).toContain('A wait of 900000 ms does not fit')
      expect((await run('await sleep(900000)', [], {}, { clock, timeout: 30_000 })).result).toMatchObject({ failure: { code: 'handler_timeout' } })
      expect(slept).toEqual([])
      expect((await run('await sleep(20000); return {}', [], {}, { clock, timeout: 30_000 })).result.ok).toBe(true)
    })

    test('does not exist for a call by hand: nothing is retried', async () => {
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

  test('in a skill that reads is by request, as the manifest says', async () => {
    const body = "await http.get('/a'); await http.get('/b'); for await (const rows of stream.csv('/c')); return {}"
    const failing = answerOf(503, {})
    const { result, sent } = await run(body, [answerOf(200, {}), failing, failing, answerOf(200, {}), failing, answerOf(200, 'a\n1')], retrying)
    expect(result).toEqual({ ok: true, output: {} })
    expect(sent.map(({ path }) => path)).toEqual(['/a', '/b', '/b', '/b', '/c', '/c'])
  })

  test('ends after so many, and is not for a request that may have begun something', async () => {
    const failing = answerOf(503, {})
    const often = await run("await http.get('/a')", [failing, failing, failing], retrying)
    expect(often.result).toMatchObject({ ok: false, failure: { code: 'vendor_unavailable' } })
    expect(often.sent).toHaveLength(3)
    expect((await run("await http.post('/a')", [failing], retrying)).sent).toHaveLength(1)
  })

  test('in a skill that writes is for whoever keeps the journal', async () => {
    const { sent } = await run("await http.get('/a')", [answerOf(503, {})], { ...retrying, impact: 'write' })
    expect(sent).toHaveLength(1)
  })
})

describe('a value that is not exactly text or JSON', () => {
  const picture = { ...answerOf(200, '', { 'content-type': 'image/png' }), fault: 'The answer is image/png.' }

  test('accessing a body that could not be read throws the reason', async () => {
    const { result } = await run("const { body } = await http.get('/picture'); return { n: body.length }", [picture])
    expect(result).toMatchObject({ ok: false, failure: { code: 'answer_not_understood', vendor: { status: 200 } } })
    const told = await run("try { (await http.get('/picture')).body } catch ({ code, message }) { return { code, message } }", [picture])
    expect(told.result).toMatchObject({ output: { code: 'answer_not_understood', message: 'The answer is image/png.' } })
    const handed = await run("return { answer: await http.get('/picture') }", [picture])
    expect(handed.result).toMatchObject({ ok: false, failure: { code: 'answer_not_understood' } })
  })

  test('a handler that only needs the status gets no error', async () => {
    const { result } = await run("const { status } = await http.get('/picture'); return { n: status }", [picture])
    expect(result).toMatchObject({ ok: true, output: { n: 200 } })
  })

  test('a write whose answer cannot be read has happened', async () => {
    const { result } = await run("return { n: (await http.post('/a', {})).body.n }", [picture], { impact: 'write' })
    expect(result).toMatchObject({ ok: false, effect: 'done', failure: { code: 'answer_not_understood' }, requests: [{ status: 200 }] })
  })

  test('a page that cannot be read does not count as an empty page', async () => {
    const { result } = await run("return { all: await http.getAll('/a', { paginate: 'manifest' }) }", [picture])
    expect(result).toMatchObject({ ok: false, failure: { code: 'answer_not_understood', message: 'The answer is image/png.' } })
  })

  test.each([
    ["{ user: http.get('/a') }", '`user` of what the handler asks for is a promise; `await` it.'],
    ['{ ids: new Set([1]) }', '`ids` of what the handler asks for is a Set'],
    ['{ ids: new Map([[1, 2]]) }', 'is a Map'],
    ['new Uint8Array([1, 2])', 'is bytes'],
    ['{ n: 1 / 0 }', '`n` of what the handler asks for is Infinity'],
    ['{ n: Number(undefined) }', 'is NaN'],
    ['{ when: new Date(Number.NaN) }', '`when` of what the handler asks for is an invalid date'],
    ['{ list: [undefined] }', 'is undefined, in a list'],
    ['{ f: () => 1 }', '`f` of what the handler asks for is a function'],
  ])('the body %s is refused', async (body, words) => {
    const { result, sent } = await run(`await http.post('/b', ${body}); return {}`, [answerOf(200, {})])
    expect(result).toMatchObject({ ok: false, failure: { code: 'handler_failed', message: expect.stringContaining(words) } })
    expect(sent.filter(({ method }) => method === 'POST')).toEqual([])
  })

  test('an output that JSON cannot represent is refused, but dates and undefined fields are not', async () => {
    expect((await run('return { n: new Map() }')).result).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('`n` of the output is a Map') },
    })
    const { result } = await run('return { at: new Date(0), none: undefined }')
    expect(result).toMatchObject({ ok: true, output: { at: '1970-01-01T00:00:00.000Z' } })
  })
})

describe('streams', () => {
  const csv = ['\ufeff"ID","NAME"', ...Array.from({ length: 1_200 }, (_, at) => `"${at}","a ""quoted"" name, ${at}"`)].join('\r\n')

  test('a CSV comes as batches of rows by the names of its first line', async () => {
    const { result } = await run(
      "const sizes = []; let last; for await (const rows of stream.csv('/f')) { sizes.push(rows.length); last = rows.at(-1) } return { sizes, last }",
      [answerOf(200, csv, { 'content-type': 'text/csv' })],
    )
    expect(result).toEqual({ ok: true, output: { sizes: [500, 500, 200], last: { ID: '1199', NAME: 'a "quoted" name, 1199' } } })
  })

  test('a page in place of the rows is an error', async () => {
    const page = answerOf(200, '<!doctype html><html><title>Sign in</title></html>', { 'content-type': 'text/html; charset=utf-8' })
    const { result } = await run("for await (const rows of stream.csv('/f')); return {}", [page])
    expect(result).toMatchObject({ ok: false, effect: 'refused', failure: { code: 'answer_not_understood', vendor: { status: 200 } } })
  })

  test('JSON lines keep their integers', async () => {
    const { result } = await run("const all = []; for await (const rows of stream.jsonl('/f')) all.push(...rows); return { all }", [
      answerOf(200, '{"id":9007199254740993}\n\n{"id":"é"}', { 'content-type': 'text/plain' }),
    ])
    expect(result).toEqual({ ok: true, output: { all: [{ id: '9007199254740993' }, { id: 'é' }] } })
  })

  test.each([
    ['csv', '"a","b"\n"1"', 'The answer is no CSV'],
    ['csv', '{"a":1}', 'The answer is no CSV'],
    ['jsonl', `${'['.repeat(300)}${']'.repeat(300)}`, 'nested deeper'],
    ['jsonl', '{"a":1}\n{"a":', 'Line 2 of the answer is no JSON'],
  ])('what is no %s fails the call with where it broke', async (format, text, message) => {
    const { result } = await run(`for await (const rows of stream.${format}('/f')); return {}`, [answerOf(200, text, { 'content-type': 'text/csv' })])
    expect(result).toMatchObject({ ok: false, failure: { code: 'answer_not_understood', message: expect.stringContaining(message) } })
  })

  test("what is no success is mapped by the manifest's rows", async () => {
    const { result } = await run("for await (const rows of stream.csv('/f')); return {}", [answerOf(409, { message: 'wait' })])
    expect(result).toMatchObject({ ok: false, failure: { code: 'busy' } })
  })

  test('are not for skills that write', async () => {
    const { result, sent } = await run("for await (const rows of stream.csv('/f')); return {}", [answerOf(200, '')], { impact: 'write' })
    expect(result).toMatchObject({ ok: false, failure: { code: 'handler_failed' } })
    expect(sent).toEqual([])
  })
})

describe('how a handler ends', () => {
  test('with an error that it declares', async () => {
    const { result } = await run("fail('too_old', 'It is of 1999.')", [], {
      handler: '{ errors: { too_old: { cause: It is too old., remedy: Take a newer one. } } }',
    })
    expect(result).toMatchObject({
      ok: false,
      effect: 'not_sent',
      failure: { code: 'too_old', message: 'It is too old. It is of 1999.', remedy: 'Take a newer one.' },
    })
  })

  test.each<[string, string, readonly SkillAnswer[], string]>([
    ['after it has read', "await http.get('/a'); fail('too_old', '')", [answerOf(200, {})], 'refused'],
    ['after it was refused', "await http.post('/a').catch(() => fail('too_old', ''))", [answerOf(400, {})], 'refused'],
    ['after it has written', "await http.post('/a'); fail('too_old', '')", [answerOf(200, {})], 'done'],
  ])('with an error of its own %s', async (_, body, answers, effect) => {
    const options = { impact: 'write', handler: '{ errors: { too_old: { cause: It is too old., remedy: Take a newer one. } } }' } as const
    expect((await run(body, answers, options)).result).toMatchObject({ ok: false, effect, failure: { code: 'too_old' } })
  })

  test.each([
    ["fail('unheard_of', 'x')", 'does not declare'],
    ["throw new TypeError('oops')", 'TypeError: oops'],
    ['throw null', 'null'],
    ['return { n: 1n }', 'BigInt'],
  ])('%s is a fault of its own', async (body, message) => {
    expect((await run(body)).result).toMatchObject({ ok: false, failure: { code: 'handler_failed', message: expect.stringContaining(message) } })
  })

  const required = '{ type: object, required: [n], properties: { n: { type: integer }, note: { type: string } } }'

  test('with an output that lacks what its skill requires', async () => {
    const { result } = await run("return { n: 'x' }", [], { output: required })
    expect(result).toMatchObject({
      ok: false,
      effect: 'not_sent',
      failure: { code: 'skill_output_invalid', message: 'do_things: n must be integer' },
    })
  })

  test('with a warning if an answer has a field twice, and the handler sees only the last one', async () => {
    const twice = { ...answerOf(200, { n: 2 }), repeated: 'n' }
    const { result } = await run("const answer = await http.get('/n'); return { n: answer.body.n, keys: Object.keys(answer) }", [twice])
    expect(result).toEqual({
      ok: true,
      output: { n: 2, keys: ['status', 'headers', 'body'] },
      warnings: ['n is given twice in the answer: the last one counts'],
    })
  })

  test('with an unexpected output', async () => {
    const { result } = await run('return { n: 1, note: [2] }', [], { output: required })
    expect(result).toEqual({ ok: true, output: { n: 1, note: [2] }, warnings: ['note must be string, and is a list'] })
  })

  test('with an output that does not fit, after it has written: that happened', async () => {
    const options = { impact: 'write', output: required } as const
    const { result } = await run("const { body } = await http.post('/a'); return { n: body.count }", [answerOf(200, { count: '7' })], options)
    expect(result).toEqual({ ok: true, output: { n: '7' }, warnings: ['n must be integer, and is a text'] })
    const unwritten = await run("await http.get('/a'); return {}", [answerOf(200, {})], options)
    expect(unwritten.result).toMatchObject({ ok: false, effect: 'refused', failure: { code: 'skill_output_invalid' } })
  })

  test('with pages that did not say whether more follow: that is told', async () => {
    const form = "{ paginate: { kind: 'cursor', send: 'cursor', next: 'metta.next', items: 'items' } }"
    const { result } = await run(`return { n: (await http.getAll('/a', ${form})).length }`, [answerOf(200, { items: [1], meta: { next: 'c' } })])
    expect(result).toEqual({ ok: true, output: { n: 1 }, warnings: ['the answer has nothing at `metta`: whether more items follow is not known'] })
  })

  describe('after some of it was done', () => {
    const bulk = {
      impact: 'write',
      output:
        '{ type: object, required: [results], properties: { results: { type: array }, all_done: { type: boolean }, done: { type: integer }, failed: { type: integer } } }',
      rest: 'item_results: { list: results, named_by: id }',
    } as const
    const twice = `const results = []
      for (const part of ['a', 'b']) {
        const { body } = await http.post('/bulk', { part })
        results.push(...body.results)
        call.partial({ results })
      }
      return { results }`
    const answered = (id: string, status = 'done'): SkillAnswer => answerOf(200, { results: [{ id, status }] })

    test('by an outcome that is unknown: what it has told is known', async () => {
      const { result } = await run(twice, [answered('a'), { effect: 'unknown', code: 'network', message: 'The connection was cut.' }], bulk)
      expect(result).toEqual({
        ok: false,
        effect: 'unknown',
        failure: expect.objectContaining({ code: 'network' }),
        output: { results: [{ id: 'a', status: 'done' }], all_done: false, done: 1, failed: 0 },
        requests: [{ request: 'POST /bulk', status: 200, body: { results: [{ id: 'a', status: 'done' }] } }],
      })
    })

    test('by a refusal, by itself, and by its time-out', async () => {
      const refused = await run(twice, [answered('a'), answerOf(400, { message: 'no' })], bulk)
      expect(refused.result).toMatchObject({ ok: false, effect: 'done', output: { done: 1 }, requests: [{ status: 200 }] })
      const threw = await run(`${twice.replace('return', 'oops(); return')}`, [answered('a'), answered('b')], bulk)
      expect(threw.result).toMatchObject({ ok: false, effect: 'done', failure: { code: 'handler_failed' }, output: { done: 2 } })
    })

    test('without having told anything: the requests that were answered are known', async () => {
      const body = "await http.post('/a', { x: 1 }); await http.get('/b'); await http.post('/c')"
      const { result } = await run(body, [answerOf(201, { id: 1 }), answerOf(200, {}), answerOf(400, {})], { impact: 'write' })
      expect(result).toMatchObject({ ok: false, effect: 'done', requests: [{ request: 'POST /a', status: 201, body: { id: 1 } }] })
      expect(result).not.toHaveProperty('output')
    })

    test('answers that are large in all are not kept', async () => {
      const large = answerOf(200, { text: 'x'.repeat(200_000) })
      const { result } = await run("await http.post('/a'); await http.post('/b'); await http.post('/c')", [large, large, answerOf(400, {})], {
        impact: 'write',
      })
      expect(result).toMatchObject({ requests: [{ body: { text: expect.any(String) } }, { request: 'POST /b', body: null }] })
    })

    test('because some of it failed: that is no success, and the result of each is there', async () => {
      const { result } = await run(twice, [answered('a'), answered('b', 'failed')], bulk)
      expect(result).toMatchObject({
        ok: false,
        effect: 'done',
        failure: { code: 'items_failed', message: 'do_things: Of 2, 1 were done; 1 failed: b.' },
        output: { all_done: false, done: 1, failed: 1 },
      })
      expect((await run(twice, [answered('a'), answered('b')], bulk)).result).toMatchObject({ ok: true, output: { all_done: true, done: 2 } })
    })

    test('a read that fails keeps what it has told, too', async () => {
      const body = "call.partial({ n: 1 }); await http.get('/a'); return { n: 2 }"
      expect((await run(body, [answerOf(500, {})])).result).toMatchObject({ ok: false, output: { n: 1 } })
    })
  })

  test('by its time-out, even in a loop without end', async () => {
    let pass = (): void => {}
    const after: Clock['after'] = (_delay, action) => {
      pass = action
      return () => {}
    }
    const clock: Clock = { now: () => 0, sleep: async () => {}, every: () => () => {}, after }
    const { result } = await run(
      "await http.get('/x'); for (;;);",
      [],
      {},
      {
        clock,
        send: async () => {
          setImmediate(() => pass())
          return { effect: 'done', answer: answerOf(200, {}) }
        },
      },
    )
    expect(result).toMatchObject({ ok: false, failure: { code: 'handler_timeout' } })
  })

  test('by its time-out, and a try that would begin after it is not sent', async () => {
    let pass = (): void => {}
    const after: Clock['after'] = (_delay, action) => {
      pass = action
      return () => {}
    }
    const clock: Clock = { now: () => 0, sleep: async () => {}, every: () => () => {}, after }
    const tried: string[] = []
    const acts: HandlerHost['acts'] = {
      begin: () => 0,
      sleep: async () => true,
      request: async (_act, send) => {
        const first = await send(null)
        pass()
        const second = await send(null)
        tried.push(...[first, second].map((result) => (result.ok ? 'ok' : `${result.effect} ${result.failure.code}`)))
        return second
      },
    }
    const { result, sent } = await run("await http.post('/x', {}); return { n: 1 }", [answerOf(409, {})], { impact: 'write' }, { clock, acts })
    expect(tried).toEqual(['refused busy', 'not_sent handler_timeout'])
    expect(sent).toHaveLength(1)
    expect(result).toMatchObject({ ok: false, effect: 'not_sent', failure: { code: 'handler_timeout' } })
  })

  test('by how often it waits', async () => {
    const { result } = await run('let n = 0; try { for (;;) { await sleep(1); n += 1 } } catch {} return { n }')
    expect(result).toEqual({ ok: true, output: { n: 2_000 } })
  })

  test('by the memory it wants, alone', async () => {
    const plugin = await loadPluginFolder(await write('export default async () => ({ n: 1 })'))
    const [hungry, other] = await Promise.all([
      run('const all = []; for (;;) all.push(new Array(100_000).fill(1.5))', [], { handler: '{ memory: 8MiB }' }),
      call(plugin, []),
    ])
    expect(hungry.result).toMatchObject({ ok: false, failure: { code: 'handler_memory' } })
    expect(other.result).toEqual({ ok: true, output: { n: 1 } })
  })

  test('with the process of the isolates, which begins again', async () => {
    const isolates = createIsolates({ calls: 2, processes: 1 }, hostOf().clock)
    const plugin = await loadPluginFolder(await write("export default async ({ http }) => { await http.get('/x'); return { n: 1 } }"))
    const before = childProcesses()
    const killing = await call(plugin, [], {
      isolates,
      send: async () => {
        for (const pid of childProcesses()) if (!before.includes(pid)) process.kill(pid, 'SIGKILL')
        return { effect: 'done', answer: answerOf(200, {}) }
      },
    })
    expect(killing.result).toMatchObject({ ok: false, failure: { code: 'handler_died' } })
    expect((await call(plugin, [answerOf(200, {})], { isolates })).result).toEqual({ ok: true, output: { n: 1 } })
    await isolates.close()
  })
})

describe('the bundle', () => {
  test("has the plugin's own files, is the same wherever it stands, and comes back from the artifact", async () => {
    const files = { more: { 'lib/one.ts': 'export const one: number = 1' } }
    const code = "import { one } from '../lib/one.ts'\nexport default async () => ({ n: one + 1 })"
    const [plugin, again] = await Promise.all([loadPluginFolder(await write(code, files)), loadPluginFolder(await write(code, files))])
    expect(again.digest).toBe(plugin.digest)
    const parsed = parsePlugin(plugin.text)
    expect(parsed.digest).toBe(plugin.digest)
    expect((await call(parsed, [])).result).toEqual({ ok: true, output: { n: 2 } })
  })

  const places = async (loading: Promise<Json | Plugin>): Promise<unknown> => {
    const error = (await loading.then(
      () => null,
      (caught: unknown) => caught,
    )) as { code: string; places: readonly { file: string; line: number; message: string }[] } | null
    return error?.places.map(({ file, line, message }) => [file.split('/things/')[1], line, message])
  }

  test.each([
    ["import '../../../elsewhere.ts'\nexport default 1", 1, '../../../elsewhere.ts lies outside'],
    ["\nimport fs from 'node:fs'\nexport default fs", 2, 'a handler has nothing of Node'],
    ["import x from 'no-such-package'\nexport default x", 1, 'Could not resolve "no-such-package"'],
    ['export default async () => {\n  return {{\n}', 2, 'Expected'],
  ])('%j is refused with its place', async (code, line, message) => {
    expect(await places(loadPluginFolder(await write(code)))).toEqual([['skills/do_things.ts', line, expect.stringContaining(message)]])
  })

  test('a plugin whose folder is a link is its folder all the same', async () => {
    const folder = await write("import { n } from '../lib/n.ts'\nexport default async () => ({ n })", { more: { 'lib/n.ts': 'export const n = 1' } })
    const link = join(dirname(folder), 'linked', basename(folder))
    await mkdir(dirname(link))
    await symlink(folder, link)
    expect([...(await loadPluginFolder(link)).skills.keys()]).toEqual(['do_things'])
  })

  test('a handler without its file, and a file without its skill', async () => {
    expect(await places(loadPluginFolder(await write(null)))).toEqual([['skills/do_things.yaml', 10, 'there is no do_things.ts beside it']])
    const extra = { more: { 'skills/other.ts': 'export default 1' } }
    expect(await places(loadPluginFolder(await write('export default async () => ({})', extra)))).toEqual([
      ['skills/other.ts', 1, expect.stringContaining('belongs to no skill')],
    ])
  })
})
