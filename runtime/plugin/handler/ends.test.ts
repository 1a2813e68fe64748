import { afterAll, describe, expect, test } from 'vitest'
import type { Clock } from '../../domain/index.ts'
import type { SendResult } from '../answer/send-result.ts'
import type { SkillAnswer } from '../answer/skill-answer.ts'
import type { HandlerHost } from '../call/call-host.ts'
import { createIsolates } from '../isolate/pool.ts'
import { loadPluginFolder } from '../manifest/load.ts'
import { answerOf, hostOf } from '../testing.ts'
import { call, childProcesses, removeWritten, run, write } from './fixture.ts'

afterAll(removeWritten)

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

  test.each<[string, string, string]>([
    ['by its own mistake', "throw new Error('oops')", 'handler_failed'],
    ['by a path that no request can have', "await http.post('/a/../b')", 'skill_input_invalid'],
    ['by too many requests', "await http.post('/b')", 'handler_requests_exceeded'],
  ])('of a write %s changes nothing if only reads came before', async (_, body, code) => {
    const options = { impact: 'write', handler: '{ max_requests: 1 }' } as const
    const read = await run(`await http.get('/a'); ${body}`, [answerOf(200, {})], options)
    expect(read.result).toMatchObject({ ok: false, effect: 'refused', failure: { code } })
    const written = await run(`await http.post('/a'); ${body}`, [answerOf(200, {})], options)
    expect(written.result).toMatchObject({ ok: false, effect: 'done', failure: { code } })
  })

  const required = '{ type: object, required: [n], properties: { n: { type: integer }, note: { type: string } } }'

  test('with an output that lacks what its skill requires', async () => {
    const { result } = await run("return { n: 'x' }", [], { output: required })
    expect(result).toMatchObject({
      ok: false,
      effect: 'not_sent',
      failure: { code: 'skill_output_invalid', message: 'do_things: n must be integer, and is a text' },
    })
  })

  test('with a warning if an answer has a field twice, and the handler sees only the last one', async () => {
    const twice = { ...answerOf(200, { n: 2 }), repeated: 'n' }
    const { result } = await run("const answer = await http.get('/n'); return { n: answer.body.n, keys: Object.keys(answer) }", [twice])
    expect(result).toEqual({
      ok: true,
      output: { n: 2, keys: ['status', 'headers', 'body'] },
      warnings: ['the answer has n twice; the last value is used'],
    })
  })

  test('with an unexpected output', async () => {
    const { result } = await run('return { n: 1, note: [2] }', [], { output: required })
    expect(result).toEqual({ ok: true, output: { n: 1, note: [2] }, warnings: ['note must be string, and is a list'] })
  })

  test('with an output that does not fit, after a write: the write counts as done', async () => {
    const options = { impact: 'write', output: required } as const
    const { result } = await run("const { body } = await http.post('/a'); return { n: body.count }", [answerOf(200, { count: '7' })], options)
    expect(result).toEqual({ ok: true, output: { n: '7' }, warnings: ['n must be integer, and is a text'] })
    const unwritten = await run("await http.get('/a'); return {}", [answerOf(200, {})], options)
    expect(unwritten.result).toMatchObject({ ok: false, effect: 'refused', failure: { code: 'skill_output_invalid' } })
  })

  test('with pages that did not say whether there are more: a warning says so', async () => {
    const form = "{ paginate: { kind: 'cursor', send: 'cursor', next: 'metta.next', items: 'items' } }"
    const { result } = await run(`return { n: (await http.getAll('/a', ${form})).length }`, [answerOf(200, { items: [1], meta: { next: 'c' } })])
    expect(result).toEqual({ ok: true, output: { n: 1 }, warnings: ['the answer has nothing at `metta`, so there may be more items'] })
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

    test('by an unknown outcome: what it has reported is known', async () => {
      const { result } = await run(twice, [answered('a'), { effect: 'unknown', code: 'network', message: 'The connection was cut.' }], bulk)
      expect(result).toEqual({
        ok: false,
        effect: 'unknown',
        failure: expect.objectContaining({ code: 'network' }),
        output: { results: [{ id: 'a', status: 'done' }], all_done: false, done: 1, failed: 0 },
        requests: [{ request: 'POST /bulk', status: 200, body: { results: [{ id: 'a', status: 'done' }] } }],
      })
    })

    test('by a refusal, by its own error, and by its time-out', async () => {
      const refused = await run(twice, [answered('a'), answerOf(400, { message: 'no' })], bulk)
      expect(refused.result).toMatchObject({ ok: false, effect: 'done', output: { done: 1 }, requests: [{ status: 200 }] })
      const threw = await run(`${twice.replace('return', 'oops(); return')}`, [answered('a'), answered('b')], bulk)
      expect(threw.result).toMatchObject({ ok: false, effect: 'done', failure: { code: 'handler_failed' }, output: { done: 2 } })
    })

    test('without a report: the answered requests are known', async () => {
      const body = "await http.post('/a', { x: 1 }); await http.get('/b'); await http.post('/c')"
      const { result } = await run(body, [answerOf(201, { id: 1 }), answerOf(200, {}), answerOf(400, {})], { impact: 'write' })
      expect(result).toMatchObject({ ok: false, effect: 'done', requests: [{ request: 'POST /a', status: 201, body: { id: 1 } }] })
      expect(result).not.toHaveProperty('output')
    })

    test('answers that are too large together are not kept', async () => {
      const large = answerOf(200, { text: 'x'.repeat(200_000) })
      const { result } = await run("await http.post('/a'); await http.post('/b'); await http.post('/c')", [large, large, answerOf(400, {})], {
        impact: 'write',
      })
      expect(result).toMatchObject({ requests: [{ body: { text: expect.any(String) } }, { request: 'POST /b', body: null }] })
    })

    test('because some items failed: the call fails, with the result of each', async () => {
      const { result } = await run(twice, [answered('a'), answered('b', 'failed')], bulk)
      expect(result).toMatchObject({
        ok: false,
        effect: 'done',
        failure: { code: 'items_failed', message: 'do_things: 1 of 2 were done, 1 failed: b.' },
        output: { all_done: false, done: 1, failed: 1 },
      })
      expect((await run(twice, [answered('a'), answered('b')], bulk)).result).toMatchObject({ ok: true, output: { all_done: true, done: 2 } })
    })

    test('a failed read keeps what it has reported, too', async () => {
      const body = "call.partial({ n: 1 }); await http.get('/a'); return { n: 2 }"
      expect((await run(body, [answerOf(500, {})])).result).toMatchObject({ ok: false, output: { n: 1 } })
    })
  })

  test('by its time-out, even in an endless loop', async () => {
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

  test('by its time-out, if it goes on after its result, and others of its process are served meanwhile', async () => {
    let pass = (): void => {}
    const after: Clock['after'] = (delay, action) => {
      if (delay === 30_000) pass = action
      return () => {}
    }
    const clock: Clock = { now: () => 0, sleep: async () => {}, every: () => () => {}, after }
    const isolates = createIsolates({ calls: 2, processes: 1 }, clock)
    const other = await loadPluginFolder(await write('export default async () => ({ n: 1 })'))
    const asked = Promise.withResolvers<void>()
    const body = "await http.get('/x'); (async () => { for (let n = 0; n < 200; n += 1) await null; for (;;); })(); return { n: 2 }"
    const send = async (): Promise<SendResult> => {
      asked.resolve()
      return { effect: 'done', answer: answerOf(200, {}) }
    }
    const endless = run(body, [], {}, { isolates, clock, send })
    await asked.promise
    for (let n = 0; n < 20; n += 1) expect((await call(other, [], { isolates })).result).toEqual({ ok: true, output: { n: 1 } })
    pass()
    expect((await endless).result).toMatchObject({ ok: false, failure: { code: 'handler_timeout' } })
    await isolates.close()
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

  test('by waiting too often', async () => {
    const { result } = await run('let n = 0; try { for (;;) { await sleep(1); n += 1 } } catch {} return { n }')
    expect(result).toEqual({ ok: true, output: { n: 2_000 } })
  })

  test('by using too much memory, without affecting others', async () => {
    const plugin = await loadPluginFolder(await write('export default async () => ({ n: 1 })'))
    const [hungry, other] = await Promise.all([
      run('const all = []; for (;;) all.push(new Array(100_000).fill(1.5))', [], { handler: '{ memory: 8MiB }' }),
      call(plugin, []),
    ])
    expect(hungry.result).toMatchObject({ ok: false, failure: { code: 'handler_memory' } })
    expect(other.result).toEqual({ ok: true, output: { n: 1 } })
  })

  test('when the isolate process dies, and starts again', async () => {
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
