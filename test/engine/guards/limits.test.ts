import { afterEach, expect, test } from 'vitest'
import type { CallResult } from '../../../runtime/plugin/index.ts'
import { Bench, Crash, call, done, playbook } from '../support/harness.ts'

let bench: Bench | undefined
afterEach(async () => {
  await bench?.close()
  bench = undefined
})

const header = 'format: 1\nplaybook: p\nalert_type: t\n'

/** Returns how a run of the playbook ends. */
async function ended(playbook: string, content: unknown = {}): Promise<unknown> {
  bench = await Bench.open(header + playbook, content as never)
  await bench.live(() => done({ state: 'active' }))
  return bench.ended()
}

const failed = (code: string, step: string): object => ({ state: 'failed', failure: { code, step } })
const small = 'limits: { output: 2KiB }\n'

test.each([
  ['a variable', '- { id: a, set: { x: "{{ alert.content.long }}" } }', 'a'],
  [
    'a variable that takes itself up',
    '- { id: a, set: { x: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy } }\n- id: each\n  foreach: [1, 2, 3, 4, 5, 6, 7, 8]\n  steps: [{ id: b, set: { x: "{{ vars.x }}{{ vars.x }}" } }]',
    'each/5/b',
  ],
  ['many small values', '- { id: a, set: { x: { list: "{{ alert.content.many }}" } } }', 'a'],
  ['a note', '- { id: a, case: { note: "{{ alert.content.long }}" } }', 'a'],
  ['the evidence of a finding', '- { id: a, case: { finding: { title: t, risk: low, evidence: { in: "{{ alert.content.many }}" } } } }', 'a'],
])('%s may not be larger than the limit of outputs', async (_, steps, step) => {
  const content = { long: 'x'.repeat(3_000), many: Array.from({ length: 1_500 }, (_item, index) => index) }
  expect(await ended(`${small}steps:\n${steps.replace(/^/gm, '  ')}\n`, content)).toMatchObject(failed('output_too_large', step))
  expect((await bench!.case()).timeline.filter(({ body }) => body.kind === 'note' || body.kind === 'finding')).toEqual([])
})

test('neither may the verdict', async () => {
  const playbook = `${small}steps: [{ id: a, set: { x: 1 } }]\nverdict: { summary: "{{ alert.content }}" }\n`
  expect(await ended(playbook, 'x'.repeat(3_000))).toMatchObject(failed('output_too_large', 'verdict'))
})

test('a value of exactly the limit is allowed', async () => {
  expect(await ended(`${small}steps: [{ id: a, set: { x: "{{ alert.content }}" } }]\n`, 'x'.repeat(2_000))).toMatchObject({ state: 'completed' })
})

test('a write with too large an answer still happened: the part that its skill requires is kept', async () => {
  bench = await Bench.open(playbook(call('act', 'pair_user', 'ada'), 'limits: { output: 2KiB }'))
  await bench.live(() => done({ state: 'paired', note: 'x'.repeat(3_000) }))
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
  expect((await bench.records()).find(({ kind }) => kind === 'done')).toMatchObject({
    output: { value: { state: 'paired' } },
    warnings: [expect.stringContaining('limits.output is 2048')],
  })
})

const inPart = (output: object): CallResult => ({
  ok: false,
  effect: 'done',
  failure: { code: 'items_failed', message: '1 of 2', remedy: null, retryAfter: null },
  output: output as never,
})

test('later steps see the known output of a failed call, in every execution of the run', async () => {
  const steps = `${call('act', 'page_user', 'ada', '  on_error: continue\n')}
- id: say
  case: { note: "{{ steps.act.error.code }}: {{ steps.act.output.results | map: 'id' | join: ' ' }}" }
${call('last', 'suspend_user', 'bob')}`
  bench = await Bench.open(playbook(steps))
  const output = { results: [{ id: 'a' }, { id: 'b', status: 'failed', error: 'x'.repeat(100_000) }] }
  await bench.live(({ skill }) => {
    if (skill.id === 'page_user') return inPart(output)
    throw new Crash()
  })
  await bench.live(() => done({}))
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
  expect(bench.called.filter((name) => name.startsWith('page_user'))).toHaveLength(1)
  expect((await bench.case()).timeline.flatMap(({ body }) => (body.kind === 'note' ? body.text : []))).toEqual(['items_failed: a b'])
})

test('it is kept if it fits into limits.output', async () => {
  bench = await Bench.open(
    playbook(
      `${call('act', 'pair_user', 'ada', '  on_error: continue\n')}\n${call('read', 'get_user', 'ada', '  on_error: continue')}`,
      'limits: { output: 2KiB }',
    ),
  )
  await bench.live(() => inPart({ state: 'paired', results: 'x'.repeat(3_000) }))
  const [act, read] = (await bench.records()).filter(({ kind }) => kind === 'failed')
  expect(act).toMatchObject({ output: { value: { state: 'paired' } }, failure: { code: 'items_failed' } })
  expect(read).not.toHaveProperty('output')
})

test('the journal has the warnings about an answer that does not match its schema', async () => {
  bench = await Bench.open(playbook(`${call('ask', 'get_user', 'ada')}\n${call('act', 'page_user', 'ada')}`))
  const warnings = ['state must be string, and is a list']
  await bench.live(() => ({ ok: true, output: { state: [] }, warnings }))
  expect((await bench.records()).filter(({ kind }) => kind === 'done')).toMatchObject([
    { address: 'ask', output: { value: { state: [] } }, warnings },
    { address: 'act', warnings },
  ])
})

test('a template that renders too much fails with its own code, and takes no memory', async () => {
  const many = '{{ alert.content }}'.repeat(60)
  expect(await ended(`steps: [{ id: a, set: { x: "${many}" } }]\n`, 'x'.repeat(400_000))).toMatchObject(failed('evaluation_exceeded', 'a'))
})

test('likewise in a Liquid loop', async () => {
  const loop = '{% for i in (1..100) %}{{ alert.content }}{% endfor %}'
  expect(await ended(`steps: [{ id: a, set: { x: "${loop}" } }]\n`, 'x'.repeat(400_000))).toMatchObject(failed('evaluation_exceeded', 'a'))
})
