import { getPriority } from 'node:os'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/clocks/manual-clock.ts'
import { asId } from '../../domain/index.ts'
import { childProcesses } from '../handler/fixture.ts'
import { bundleScript, createScripts, type Scripts } from '../handler/script.ts'
import { createIsolates, type IsolateJob, type Isolates, type PoolSize } from './pool.ts'

let clock: ManualClock
let isolates: Isolates
let scripts: Scripts
let before: readonly number[]
/** How many scripts have started. */
let begun: number

function open(size: PoolSize): void {
  clock = new ManualClock()
  before = childProcesses()
  isolates = createIsolates(size, clock)
  begun = 0
  const counted: Isolates['run'] = (job) => {
    const begins = (): void => {
      begun += 1
      job.begun()
    }
    return isolates.run({ ...job, begun: begins })
  }
  scripts = createScripts({ ...isolates, run: counted }, clock)
}

beforeEach(() => open({ calls: 1, processes: 1 }))
afterEach(() => isolates.close())

const endless = 'export default () => { for (;;); }'

interface Given {
  readonly timeout?: number
  readonly args?: number
  readonly signal?: AbortSignal
}

function script(organization: string, source: string, { timeout = 1_000, args = 1, signal = new AbortController().signal }: Given = {}) {
  const bundled = bundleScript(source)
  if (!('bundle' in bundled)) throw new Error('It cannot be bundled.')
  return scripts.run({ organization: asId(organization), bundle: bundled.bundle, args, timeout, mostOutput: 10_000, signal })
}

/** Starts a handler that asks for something and never gets an answer. */
async function waiting(owner: string, more: Partial<IsolateJob> = {}): Promise<{ readonly end: Promise<unknown>; readonly stop: () => void }> {
  const stop = new AbortController()
  const asked = Promise.withResolvers<void>()
  const end = isolates.run({
    owner,
    bundle: { digest: asId('waiting'), text: "var __tocsin_handler = { default: ({ http }) => http.get('/x') }" },
    memory: 64 * 1024 * 1024,
    limits: { text: { characters: 1_000, values: 100, names: 100 }, asks: 1 },
    start: JSON.stringify({ input: {}, fields: {}, call: { key: 'k', now: 0 } }),
    signal: stop.signal,
    begun: () => {},
    ask: () => {
      asked.resolve()
      return new Promise(() => {})
    },
    ...more,
  })
  await Promise.race([asked.promise, end])
  return { end, stop: () => stop.abort() }
}

const started = (): number[] => childProcesses().filter((pid) => !before.includes(pid))

test("one organization's endless scripts leave slots to others, and each script's time starts with its slot", async () => {
  open({ calls: 2, processes: 2 })
  const flood = Array.from({ length: 20 }, () => script('loud', endless, { timeout: 60_000 }))
  expect(await script('quiet', 'export default (n) => n + 1', { timeout: 50 })).toEqual({ kind: 'returned', value: 2 })
  let ended = 0
  for (const one of flood) void one.then(() => (ended += 1))
  expect(ended).toBe(0)
})

test('a script that waited for its slot longer than its time-out is not late', async () => {
  const first = await waiting('acme')
  const second = script('acme', 'export default () => 7', { timeout: 100 })
  clock.advance(20_000)
  first.stop()
  expect(await second).toEqual({ kind: 'returned', value: 7 })
})

test('a script that gets no slot within 30 seconds is told to come again, and has not started', async () => {
  const first = await waiting('acme')
  const second = script('acme', 'export default () => 7')
  clock.advance(29_999)
  const third = script('acme', 'export default () => 8')
  clock.advance(1)
  expect(await second).toEqual({ kind: 'busy' })
  first.stop()
  expect(await third).toEqual({ kind: 'returned', value: 8 })
})

test('an abandoned wait for a slot takes none from those after it', async () => {
  const first = await waiting('acme')
  const stop = new AbortController()
  const second = script('acme', 'export default () => 1', { signal: stop.signal })
  const third = script('acme', 'export default () => 2')
  stop.abort()
  expect(await second).toEqual({ kind: 'stopped' })
  first.stop()
  expect(await third).toEqual({ kind: 'returned', value: 2 })
})

test('calls that share a process with one that cannot be stopped start again elsewhere, and are not late', async () => {
  open({ calls: 4, processes: 1 })
  const text = "var __tocsin_handler = { default: ({ http }) => { http.get('/x'); new Array(2 ** 32 - 1).fill(1) } }"
  const guilty = await waiting('acme', { bundle: { digest: asId('stuck'), text } })
  const handler = await waiting('acme')
  const sum = 'export default (n) => { let sum = 0; for (let i = 0; i < n; i += 1) sum += i; return sum }'
  const began = begun
  const innocent = script('acme', sum, { args: 30_000_000, timeout: 1_000 })
  while (begun === began) await new Promise((resolve) => setImmediate(resolve))
  guilty.stop()
  // No real time passes, so it has not stopped by itself.
  clock.advance(2_000)
  expect(await guilty.end).toEqual({ kind: 'stopped' })
  expect(await handler.end).toEqual({ kind: 'displaced' })
  expect(await innocent).toEqual({ kind: 'returned', value: 449_999_985_000_000 })
})

test('a process that does not start a call within a minute is killed, and the call starts in another', async () => {
  open({ calls: 2, processes: 1 })
  const first = await waiting('acme')
  for (const pid of started()) process.kill(pid, 'SIGSTOP')
  const second = script('acme', 'export default () => 7')
  await new Promise((resolve) => setImmediate(resolve))
  clock.advance(60_000)
  expect(await first.end).toEqual({ kind: 'displaced' })
  expect(await second).toEqual({ kind: 'returned', value: 7 })
})

test('calls are spread over the processes, which have a lower priority than the runtime', async () => {
  open({ calls: 4, processes: 2 })
  const calls = await Promise.all(Array.from({ length: 4 }, () => waiting('acme')))
  expect(started()).toHaveLength(2)
  expect(started().map((pid) => getPriority(pid))).toEqual([10, 10])
  for (const { stop } of calls) stop()
})

test('calls that need much memory have slots of their own', async () => {
  open({ calls: 4, processes: 1 })
  const large = await waiting('acme', { memory: 512 * 1024 * 1024 })
  const second = waiting('acme', { memory: 512 * 1024 * 1024 })
  const other = await waiting('other', { memory: 512 * 1024 * 1024 })
  const ordinary = await waiting('acme')
  large.stop()
  for (const { stop } of [await second, other, ordinary]) stop()
})

test.each([
  ['closes the function that is put around it', '}); for (;;); (function () {'],
  ['closes it in a comment', '}) /*'],
  ['returns', 'return { default: () => 1 }'],
])('a text that %s is no script, and nothing of it runs', async (_what, text) => {
  const broken = await waiting('acme', { bundle: { digest: asId('broken'), text } })
  expect(await broken.end).toEqual({ kind: 'broken', message: expect.stringMatching(/Unexpected|Illegal|Invalid/) })
  expect(await script('acme', 'export default () => 7')).toEqual({ kind: 'returned', value: 7 })
})

test('code that is not strict does not reach the functions that call it', async () => {
  const callers = (name: string): string =>
    `function ${name}() { const names = []; for (let at = ${name}; at; at = at.caller) names.push(at.name); return names }`
  const text = `${callers('begun')}\nvar __tocsin_handler = { default: begun }`
  const sloppy = await waiting('acme', { bundle: { digest: asId('sloppy'), text } })
  expect(await sloppy.end).toEqual({ kind: 'finished', body: '{"kind":"returned","output":["begun"]}' })
})

test('a call can be stopped before its script is compiled, and its process goes on', async () => {
  const first = await waiting('acme')
  first.stop()
  await first.end
  const [pid] = started()
  const stop = new AbortController()
  const second = script('acme', `${'globalThis.x = () => 1\n'.repeat(20_000)}${endless}`, { signal: stop.signal })
  await new Promise((resolve) => setImmediate(resolve))
  stop.abort()
  expect(await second).toEqual({ kind: 'stopped' })
  expect(await script('acme', 'export default () => 7')).toEqual({ kind: 'returned', value: 7 })
  expect(started()).toEqual([pid])
})

test.each([
  [
    'an answer of many characters',
    "export default () => 'x'.repeat(1e7)",
    'Its result is too large: 10000031 characters of JSON; 10100 are allowed.',
  ],
  ['an answer of many values', 'export default () => new Array(4_000).fill([[[]]])', 'characters of JSON'],
])('%s does not reach the runtime', async (_what, source, message) => {
  expect(await script('acme', source)).toMatchObject({ kind: 'failed', code: 'output_too_large', message: expect.stringContaining(message) })
})

test('what a script writes to its console is dropped, however much it is', async () => {
  const source = "export default async () => { for (let n = 0; n < 20_000; n += 1) { console.log('x'.repeat(1_000)); await null } return 1 }"
  expect(await script('acme', source, { timeout: 1e9 })).toEqual({ kind: 'returned', value: 1 })
})

test('error messages are cut, even if the script has changed how strings are cut', async () => {
  const source = "String.prototype.slice = function () { return 'x'.repeat(5_000) }\nexport default () => { throw new Error('no') }"
  const end = await script('acme', source)
  expect(end).toMatchObject({ kind: 'failed', code: 'script_failed' })
  expect('message' in end && end.message.length).toBe(2_000)
})
