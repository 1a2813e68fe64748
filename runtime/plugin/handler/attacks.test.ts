import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/clocks/manual-clock.ts'
import { until } from '../../../test/support/until.ts'
import type { SendResult, StreamedAnswer } from '../answer/send-result.ts'
import type { HandlerHost } from '../call/call-host.ts'
import { createIsolates } from '../isolate/pool.ts'
import { loadPluginFolder } from '../manifest/load.ts'
import { answerOf } from '../testing.ts'
import { readFinish } from './finish.ts'
import { call, childProcesses, removeWritten, run, write } from './fixture.ts'

afterAll(removeWritten)

const clock = new ManualClock()

/** Calls the default export of a whole file once. */
async function runFile(code: string, over: Partial<HandlerHost> = {}) {
  return (await call(await loadPluginFolder(await write(code)), [answerOf(200, { n: 1 }), answerOf(200, {})], over)).result
}

describe('what a handler can reach', () => {
  test('is settled before the first line of its file: no clock, no randomness, nothing of the host', async () => {
    const result = await runFile(`
      const early = Date
      const names = ['begin', 'host', 'ask', 'ivm', 'refusals', 'parse', '__tocsin_run'].filter((name) => name in globalThis)
      const times = [Date.now(), new Date().getTime(), new Intl.DateTimeFormat('en', { dateStyle: 'short' }).format(),
        new Intl.DateTimeFormat('en', { dateStyle: 'short' }).formatToParts()[4]?.value]
      let random
      try { random = Math.random() } catch { random = 'none' }
      export default async () => ({ names, times, random, same: early.now() })`)
    expect(result).toEqual({
      ok: true,
      output: { names: [], times: [1_700_000_000_000, 1_700_000_000_000, '11/14/23', '23'], random: 'none', same: 1_700_000_000_000 },
    })
  })

  test.each([
    'Object.prototype.reference = true; Object.prototype.timeout = 1',
    "Object.defineProperty(Object.prototype, 'then', { get() { throw new Error('mine') }, configurable: true })",
    'JSON.parse = () => ({ ok: true, value: 0 }); JSON.stringify = () => 0',
    'Array.prototype.shift = Array.prototype.push = () => 0',
    "Reflect.construct = Object.assign = () => { throw new Error('mine') }",
    'WeakMap.prototype.get = () => 0',
    "Promise = globalThis.Error = function () { throw new Error('mine') }",
  ])('may be spoiled for itself alone: %s', async (spoil) => {
    const spoiled = await runFile(`${spoil}\nexport default async ({ http }) => { await http.get('/x'); throw { code: 'forged', index: 7 } }`)
    expect(spoiled).toMatchObject({ ok: false })
    expect(await runFile("export default async ({ http }) => ({ n: (await http.get('/x')).body.n })")).toEqual({ ok: true, output: { n: 1 } })
  })

  test('has nothing left over from another call of the same code', async () => {
    const code = `
      globalThis.kept ??= []
      export default async ({ http, input }) => {
        kept.push(input.name); Symbol.for(input.name)
        Promise.resolve().then(async () => { for (let n = 0; n < 3; n += 1) await http.get('/x').catch(() => kept.push('late')) })
        return { n: kept.length }
      }`
    const plugin = await loadPluginFolder(await write(code))
    const answers = [1, 2, 3].map(() => answerOf(200, {}))
    for (let n = 0; n < 3; n += 1) expect(await call(plugin, answers)).toMatchObject({ result: { ok: true, output: { n: 1 } }, sent: [{}, {}, {}] })
  })
})

describe('how a handler ends', () => {
  test.each([
    ['export default 5', 'default export is not a function'],
    ["throw new Error('at once'); export default () => {}", 'at once'],
    ['throw { get message() { throw 1 } }; export default () => {}', 'An object was thrown'],
    ["export default async () => { Promise.reject(new Error('unheard')); return {} }", 'unheard'],
    ["export default async () => { throw new Error('long '.repeat(1_000_000)) }", 'long long'],
    ['export default async () => { let deep = {}; for (let n = 0; n < 500; n += 1) deep = { deep }; return deep }', 'inside one another'],
    ["export default async () => 'x'.repeat(17 * 1024 * 1024)", 'too large: 17825794 characters'],
    [
      'export default async ({ http }) => { let deep = []; for (let n = 0; n < 500; n += 1) deep = [deep]; await http.post("/x", deep) }',
      'inside one another',
    ],
    ["export default async ({ http }) => { await http.post('/x', 'y'.repeat(17 * 1024 * 1024)) }", 'at most 16777216 characters'],
  ])('%s is a fault of its own, in few words', async (code, message) => {
    const result = await runFile(code)
    expect(result).toMatchObject({ ok: false, failure: { code: 'handler_failed', message: expect.stringContaining(message) } })
    expect(JSON.stringify(result).length).toBeLessThan(3_000)
  })

  test.each([
    '',
    'x',
    'null',
    '[]',
    '{"kind":"other"}',
    '{"kind":"refused","index":"length"}',
    '{"kind":"failed","code":1,"message":""}',
    '['.repeat(1e5),
  ])('an end that the host cannot read is one too: %.40s', async (text) => {
    expect(await readFinish(text)).toMatchObject({ kind: 'threw' })
  })
})

describe('what a handler asks for', () => {
  test.each([
    "http.get('/a/.\\t./b')",
    "http.get('/a\\n/b')",
    "http.get('/\\t/evil.example/')",
    "http.get('/next\\r?a=1', { base: 'origin' })",
    "http.get(`/\u0024{'a'.repeat(20_000)}`)",
    "http.get('/a', { headers: { 'x-one': 'a\\r\\nx-two: b' } })",
    "http.get('/a', { headers: { 'x-one': 'é' } })",
    "http.get('/a', { headers: { 'x one': 'b' } })",
    "http.get('/a', { query: { q: { deep: 1 } } })",
    "http.get('/a', { query: { '\\n': { deep: 1 } } })",
    "http.get('/a', { base: 'other' })",
    "http.get('/a', { auth: 'other' })",
    "http.get('/a', { more: 1 })",
  ])('%s is nothing that is sent', async (expression) => {
    const { result, sent } = await run(`return { body: (await ${expression}).body }`, [answerOf(200, {})])
    expect(result).toMatchObject({ ok: false, effect: 'not_sent' })
    expect(sent).toEqual([])
  })

  test('keeps a member called __proto__ as data', async () => {
    const { sent } = await run('await http.post(\'/a\', JSON.parse(\'{"__proto__":{"x":1}}\')); return {}', [answerOf(200, {})])
    expect(JSON.stringify(sent[0]?.body)).toBe('{"__proto__":{"x":1}}')
    expect(({} as { x?: number }).x).toBeUndefined()
  })

  test('reaches the host a few at a time, in order', async () => {
    let [most, now] = [0, 0]
    const paths: string[] = []
    const { result } = await run(
      'await Promise.all(Array.from({ length: 300 }, (_, n) => http.get(path`/\u0024{n}`))); return {}',
      [],
      { handler: '{ max_requests: 300 }' },
      {
        send: async ({ path }) => {
          paths.push(path)
          now += 1
          most = Math.max(most, now)
          await new Promise((resolve) => setImmediate(resolve))
          now -= 1
          return { effect: 'done', answer: answerOf(200, {}) }
        },
      },
    )
    expect(result).toEqual({ ok: true, output: {} })
    expect(paths).toEqual(Array.from({ length: 300 }, (_, n) => `/${n}`))
    expect(most).toBeLessThanOrEqual(32)
  })

  test('is logged up to a number of lines, and one line says that the rest is left out', async () => {
    const lines: [string, string, object][] = []
    const { result } = await run(
      "for (let n = 0; n < 1_500; n += 1) log.info('line ' + n, n === 7 ? { level: 60, large: 'x'.repeat(10_000) } : { n }); return {}",
      [],
      {},
      { log: (level, message, fields) => void lines.push([level, message, fields]) },
    )
    expect(result).toEqual({ ok: true, output: {} })
    expect(lines).toHaveLength(1_001)
    expect(lines[7]).toEqual(['info', 'line 7', { left_out: 'fields of 10023 characters' }])
    expect(lines[1_000]).toEqual(['warn', expect.stringContaining('left out'), {}])
  })

  test('again and again although it is refused ends the call', async () => {
    const { result, sent } = await run("for (;;) { try { await http.get('nowhere') } catch {} }")
    expect(result).toMatchObject({ ok: false, failure: { code: 'handler_failed', message: expect.stringContaining('kept asking') } })
    expect(sent).toEqual([])
  })
})

describe('a stream', () => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) yield new TextEncoder().encode('a\n1\n')
  }

  test.each([
    ['is never read', "stream.csv('/f'); const s = stream.csv('/f')[Symbol.asyncIterator](); s.next(); s.next(); return {}"],
    ['is left', "for await (const rows of stream.csv('/f')) break; return {}"],
    ['is left by an error', "for await (const rows of stream.csv('/f')) throw new Error('mine')"],
  ])('that %s is given up', async (_, body) => {
    let [opened, given] = [0, 0]
    const answer = (): StreamedAnswer => {
      opened += 1
      const cancel = (): void => {
        given += 1
      }
      return { status: 200, headers: {}, body: endless(), clean: (json) => json, cancel }
    }
    await run(body, [], {}, { stream: async () => ({ effect: 'done', answer: answer() }) })
    expect(opened).toBe(1)
    expect(given).toBe(1)
  })

  test('is one of few', async () => {
    const answer = (): StreamedAnswer => ({ status: 200, headers: {}, body: endless(), clean: (json) => json, cancel: () => {} })
    const { result } = await run(
      "const all = Array.from({ length: 20 }, () => stream.csv('/f')[Symbol.asyncIterator]().next()); return { n: (await Promise.allSettled(all)).filter(({ status }) => status === 'fulfilled').length }",
      [],
      {},
      { stream: async () => ({ effect: 'done', answer: answer() }) },
    )
    expect(result).toEqual({ ok: true, output: { n: 8 } })
  })
})

describe('the isolate process', () => {
  /** Kills the process with one operation, because V8 aborts when it exceeds a hard limit. */
  const deadly = "let s = 'x'.repeat(2 ** 28); for (;;) (s + 'y').split('')"

  test('affects no other call when it dies: the others start again, and do nothing twice', async () => {
    const isolates = createIsolates({ calls: 4, processes: 1 }, clock)
    const posts: string[] = []
    let release = (): void => {}
    const dead = new Promise<void>((resolve) => {
      release = resolve
    })
    const innocent = run(
      "await http.post('/first', {}); await http.post('/second', {}); return { n: 1 }",
      [],
      { impact: 'write' },
      {
        isolates,
        send: async ({ path }) => {
          posts.push(path)
          if (path === '/second') await dead
          return { effect: 'done', answer: answerOf(200, {}) }
        },
      },
    )
    while (posts.length < 2) await new Promise((resolve) => setImmediate(resolve))
    const guilty = await run(deadly, [], { handler: '{ memory: 512MiB }' }, { isolates })
    expect(guilty.result).toMatchObject({ ok: false, failure: { code: expect.stringMatching(/^handler_(died|memory)$/) } })
    release()
    expect((await innocent).result).toEqual({ ok: true, output: { n: 1 } })
    expect(posts).toEqual(['/first', '/second'])
    await isolates.close()
  })

  /** Asks for something, and is in an operation that nothing can interrupt when the answer arrives. */
  const stubborn = "http.get('/x'); new Array(2 ** 32 - 1).fill(1)"
  /** Waits until a process has ended, while the clock stands still. */
  const gone = (pids: readonly number[]): Promise<boolean> => until(() => !childProcesses().some((pid) => pids.includes(pid)))

  test.runIf(process.platform === 'linux')('is killed if an operation does not stop within two seconds', async () => {
    await loadPluginFolder(await write('export default async () => ({})'))
    const isolates = createIsolates({ calls: 2, processes: 1 }, clock)
    const before = childProcesses()
    const ending = new AbortController()
    const sent = Promise.withResolvers<void>()
    const send = async (): Promise<SendResult> => {
      sent.resolve()
      return { effect: 'done', answer: answerOf(200, {}) }
    }
    const running = run(stubborn, [], {}, { isolates, send, signal: ending.signal })
    await sent.promise
    const started = childProcesses().filter((pid) => !before.includes(pid))
    ending.abort()
    clock.advance(1_999)
    // Whatever the process says to being stopped has come by then.
    const others = createIsolates({ calls: 1, processes: 1 }, clock)
    expect((await run('return { n: 1 }', [], {}, { isolates: others })).result.ok).toBe(true)
    await others.close()
    expect(childProcesses()).toEqual(expect.arrayContaining(started))
    clock.advance(1)
    expect((await running).result).toMatchObject({ ok: false })
    await gone(started)
    expect((await run('return { n: 1 }', [], {}, { isolates })).result).toEqual({ ok: true, output: { n: 1 } })
    await isolates.close()
  })

  test.runIf(process.platform === 'linux')('is killed if nobody waits for such a call any more', async () => {
    await loadPluginFolder(await write('export default async () => ({})'))
    const isolates = createIsolates({ calls: 2, processes: 1 }, clock)
    const before = childProcesses()
    const lost = new Error('another life has taken over')
    const acts = { begin: () => 0, request: () => Promise.reject(lost), sleep: () => Promise.reject(lost) }
    await expect(run(stubborn, [], { impact: 'write' }, { isolates, acts })).rejects.toBe(lost)
    const started = childProcesses().filter((pid) => !before.includes(pid))
    clock.advance(2_000)
    await gone(started)
    expect((await run('return { n: 1 }', [], {}, { isolates })).result).toEqual({ ok: true, output: { n: 1 } })
    await isolates.close()
  })

  test.runIf(process.platform === 'linux')('keeps nothing of what passed through it', async () => {
    const isolates = createIsolates({ calls: 1, processes: 1 }, clock)
    const before = childProcesses()
    const kilobytes: number[] = []
    let sends = 0
    const body = 'x'.repeat(200_000)
    const { result } = await run(
      "for (let n = 0; n < 500; n += 1) await http.post('/x', (await http.get('/x')).body); return {}",
      [],
      { handler: '{ max_requests: 1000 }' },
      {
        isolates,
        send: async () => {
          sends += 1
          if (sends % 20 === 1)
            kilobytes.push(
              childProcesses()
                .filter((pid) => !before.includes(pid))
                .map((pid) => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]))
                .reduce((sum, each) => sum + each, 0),
            )
          return { effect: 'done', answer: answerOf(200, body) }
        },
      },
    )
    expect(result).toEqual({ ok: true, output: {} })
    // 100 MB went in, and as much out.
    expect(Math.max(...kilobytes) - (kilobytes[0] ?? 0)).toBeLessThan(60_000)
    await isolates.close()
  })

  test('has a fixed number of slots, and other calls wait', async () => {
    const plugin = await loadPluginFolder(await write("export default async ({ http }) => { await http.get('/x'); return { n: 1 } }"))
    const isolates = createIsolates({ calls: 16, processes: 1 }, clock)
    let [now, most] = [0, 0]
    const send: HandlerHost['send'] = async () => {
      now += 1
      most = Math.max(most, now)
      await new Promise((resolve) => setImmediate(resolve))
      now -= 1
      return { effect: 'done', answer: answerOf(200, {}) }
    }
    const all = await Promise.all(Array.from({ length: 200 }, () => call(plugin, [], { isolates, send })))
    expect(all.every(({ result }) => result.ok)).toBe(true)
    expect(most).toBeLessThanOrEqual(16)
    await isolates.close()
  })
})

test('a bundle that is too large is refused, and one just below the limit runs', async () => {
  const filler = (characters: number): string =>
    `export default async () => ({ n: 1 })\nglobalThis.filler = ${JSON.stringify('x'.repeat(characters))}`
  await expect(write(filler(4 * 1024 * 1024)).then(loadPluginFolder)).rejects.toMatchObject({
    places: [{ message: expect.stringContaining('more than 4194304 characters') }],
  })
  expect(await runFile(filler(4 * 1024 * 1024 - 4_000))).toEqual({ ok: true, output: { n: 1 } })
})
