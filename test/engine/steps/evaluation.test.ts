import { afterEach, expect, test } from 'vitest'
import { Bench, done, playbook } from '../support/harness.ts'

let bench: Bench | undefined
afterEach(async () => {
  await bench?.close()
  bench = undefined
})

/** Runs these steps, and returns how the run ended. */
async function ended(steps: string, limits: string, content: object, subs: readonly string[] = []): Promise<unknown> {
  await bench?.close()
  bench = await Bench.open(playbook(steps, `limits: { ${limits} }`), content as never, subs)
  await bench.live(() => done({ state: 'active' }))
  return bench.ended()
}

const failed = (code: string, step: string): object => ({ state: 'failed', failure: { code, step } })
const content = { items: Array.from({ length: 100 }, (_, at) => at) }
const heavy = "if: { all: [{ var: alert.content.items }, { '>=': [{ var: '' }, 0] }] }"
const often = (inner: string): string => `- id: each\n  foreach: '{{ alert.content.items }}'\n  max_items: 100\n  steps:\n    - ${inner}`

test.each([
  ['conditions', often(`{ id: a, ${heavy}, set: { x: 1 } }`)],
  ['templates', often('{ id: a, set: { x: "{{ alert.content.items | json | size }}" } }')],
  ['conditions whose failure goes on', often(`{ id: a, on_error: continue, ${heavy}, set: { x: 1 } }`)],
])('all %s of a loop count together, and end the run if they take too much', async (_name, steps) => {
  expect(await ended(steps, 'evaluation: 10000', content)).toMatchObject({ state: 'failed', failure: { code: 'run_evaluation_exceeded' } })
  expect(await ended(steps, 'time: 1h', content)).toMatchObject({ state: 'completed' })
})

const sub = `format: 1\nplaybook: again\nlimits: { evaluation: 2000 }\nsteps:\n  - { id: b, ${heavy}, set: { x: 1 } }\n`

test('a sub-playbook has its own limit, and counts towards the limit of its caller', async () => {
  const run = '{ id: s, playbook: again }'
  expect(await ended(`- ${run}`, 'evaluation: 100000', content, [sub.replace('2000', '1000')])).toMatchObject(
    failed('run_evaluation_exceeded', 's/b'),
  )
  expect(await ended(often(run), 'evaluation: 10000', content, [sub])).toMatchObject({
    state: 'failed',
    failure: { code: 'run_evaluation_exceeded' },
  })
  expect(await ended(often(run), 'evaluation: 1000000', content, [sub])).toMatchObject({ state: 'completed' })
})

test('a run that holds too much data fails', async () => {
  const steps = often('{ id: a, set: { x: "{{ alert.content.long }}{{ loop }}" } }').replace('foreach', 'as: loop\n  foreach')
  const long = 'x'.repeat(1_500_000)
  expect(await ended(steps, 'time: 1h', { ...content, long })).toMatchObject({ state: 'failed', failure: { code: 'run_too_large' } })
})
