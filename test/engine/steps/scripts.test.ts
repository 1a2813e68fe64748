import { afterEach, expect, test } from 'vitest'
import { Bench, Crash, done, playbook } from '../support/harness.ts'

let bench: Bench
afterEach(() => bench.close())

/** Returns a step that runs a script, and one that records its result. */
function script(source: string, keys = ''): string {
  return playbook(
    `- id: risk\n  script: |\n${source.replace(/^/gm, '    ')}\n  with: { devices: '{{ alert.content.devices }}', n: 3 }\n${keys}  on_error: continue\n- id: say\n  case: { finding: { title: said, risk: low, evidence: '{{ steps.risk }}' } }`,
  )
}
async function said(): Promise<unknown> {
  const found = (await bench.case()).timeline.find(({ body }) => body.kind === 'finding')
  return found?.body.kind === 'finding' ? found.body.evidence : undefined
}
const devices = [{ name: 'a' }, { name: 'b' }]

test('computes a value of its arguments, in TypeScript as in JavaScript', async () => {
  bench = await Bench.open(
    script(
      `interface Given { devices: { name: string }[]; n: number }\nexport default ({ devices, n }: Given) => ({ score: devices.length * n, names: devices.map((one) => one.name) })`,
    ),
    { devices },
  )
  await bench.live(() => done({}))
  expect(await said()).toEqual({ status: 'done', output: { score: 6, names: ['a', 'b'] } })
})

test.each([
  ['throws', 'export default () => { throw new Error("no such device") }', 'script_failed', 'Error: no such device'],
  ['looks at the clock', 'export default () => Date.now()', 'script_failed', 'Error: A script has no clock'],
  ['makes a date of now', 'export default () => new Date().getTime()', 'script_failed', 'Error: A script has no clock'],
  ['asks a date for the clock', 'export default () => new Date(0).constructor.now()', 'script_failed', 'Error: A script has no clock'],
  ['has a date of now written', 'export default () => new Intl.DateTimeFormat("en").format()', 'script_failed', 'Error: A script has no clock'],
  ['has its parts written', 'export default () => new Intl.DateTimeFormat("en").formatToParts()', 'script_failed', 'Error: A script has no clock'],
  ['calls Date', 'export default () => Date()', 'script_failed', 'Error: A script has no clock'],
  ['takes the date behind', 'export default () => Date.own.now()', 'script_failed', 'TypeError: '],
  ['draws lots', 'export default () => Math.random()', 'script_failed', 'Error: A script has no randomness'],
  ['asks for what does not exist', 'export default () => process.env', 'script_failed', 'ReferenceError: process is not defined'],
  ['looks for a way out', 'export default ({ http }) => http.get("/")', 'script_failed', 'TypeError: '],
  [
    'wants too much memory',
    'export default () => { const all = []; for (;;) all.push(new Array(100000).fill(1)) }',
    'script_memory',
    'It used more than 64 MiB.',
  ],
])('fails its step when it %s', async (_what, source, code, message) => {
  // On a busy machine, filling the memory may take longer than the five seconds that are the default.
  bench = await Bench.open(script(source, '  timeout: 1m\n'), { devices })
  await bench.live(() => done({}))
  expect(await said()).toMatchObject({ status: 'failed', error: { code, message: expect.stringContaining(message) } })
})

test('is stopped at its timeout', async () => {
  bench = await Bench.open(script('export default () => { for (;;); }', '  timeout: 200ms\n'), { devices })
  await bench.live(() => done({}))
  expect(await said()).toMatchObject({ error: { code: 'script_timeout', message: 'It took longer than 200ms.' } })
})

test('the top level of a module has no clock either', async () => {
  bench = await Bench.open(script('const began = Date.now()\nexport default () => began'), { devices })
  await bench.live(() => done({}))
  expect(await said()).toMatchObject({ error: { code: 'script_failed', message: expect.stringContaining('A script has no clock') } })
})

test('a date can be created from a text', async () => {
  bench = await Bench.open(script('export default () => [new Date("2026-01-02").getTime(), Date.parse("2026-01-02"), new Date(0) instanceof Date]'), {
    devices,
  })
  await bench.live(() => done({}))
  expect(await said()).toMatchObject({ output: [1767312000000, 1767312000000, true] })
})

test('its result is checked against its schema and the size limit', async () => {
  const output = '  output: { type: object, required: [score], properties: { score: { type: integer } } }\n'
  bench = await Bench.open(script('export default () => ({ score: "high" })', output), { devices })
  await bench.live(() => done({}))
  expect(await said()).toMatchObject({ error: { code: 'script_output_invalid', message: expect.stringContaining('score') } })
  await bench.close()
  bench = await Bench.open(script('export default () => "x".repeat(2000)').replace('steps:\n', 'limits: { output: 1KiB }\nsteps:\n'), { devices })
  await bench.live(() => done({}))
  expect(await said()).toMatchObject({ error: { code: 'output_too_large' } })
})

test('a resumed run takes its answer from the journal', async () => {
  const text = playbook(
    `- id: risk\n  script: 'export default ({ n }) => n + 1'\n  with: { n: 1 }\n- id: act\n  skill: directory.suspend_user\n  with: { user: 'u{{ steps.risk.output }}' }`,
  )
  bench = await Bench.open(text)
  await bench.live(() => {
    throw new Crash()
  })
  await bench.live(() => done({}))
  expect(bench.called).toEqual(['suspend_user u2', 'suspend_user u2'])
  expect((await bench.records()).filter((record) => record.kind === 'done' && record.address === 'risk')).toHaveLength(1)
})

test('a script without a free slot does not fail: its run sleeps and tries again', async () => {
  bench = await Bench.open(script('export default ({ n }) => n + 1'), { devices })
  const { scripts } = bench
  bench.scripts = { run: async () => ({ kind: 'busy' }) }
  for (let times = 0; times < 3; times += 1) {
    expect(await bench.live(() => done({}))).toBe(false)
    expect(await bench.ended()).toMatchObject({ state: 'waiting', wakeAt: bench.clock.now() + 10_000 })
    bench.clock.advance(10_000)
  }
  bench.scripts = scripts
  await bench.live(() => done({}))
  expect(await said()).toMatchObject({ output: 4 })
})
