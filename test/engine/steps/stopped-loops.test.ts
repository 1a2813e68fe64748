import { afterEach, expect, test } from 'vitest'
import { type Answer, Bench, Crash, done, failing, playbook } from '../support/harness.ts'

let bench: Bench
afterEach(() => bench.close())

const hour = 3_600_000

/** A concurrent loop over three users. At `carl` the run stops; the others hold before they suspend their user. */
function loop(hold: string, before = ''): string {
  return playbook(`- id: each
  foreach: [ada, bob, carl]
  as: user
  concurrency: 3
  steps:
${before}    - id: enough
      if: { '==': [{ var: user }, carl] }
      stop: { outcome: completed, reason: enough }
    - id: hold
      ${hold}
    - id: last
      skill: directory.suspend_user
      with: { user: '{{ user }}' }
- id: after
  skill: directory.suspend_user
  with: { user: dan }`)
}

const never: Answer = () => Promise.reject(new Error('nothing is to be called'))

test.each([
  ['waits', 'wait: { for: 1h }', []],
  ['asks people', 'approve: { title: Go on? }', [{ state: 'withdrawn' }, { state: 'withdrawn' }]],
])('a stop in an iteration ends the run at once, although another %s', async (_what, wait, decisions) => {
  bench = await Bench.open(loop(wait))
  expect(await bench.live(never)).toBe(true)
  expect(await bench.ended()).toMatchObject({ state: 'completed', reason: 'enough' })
  expect(await bench.decisions()).toMatchObject(decisions)
})

test('a stop in an iteration wins over a failed step of another', async () => {
  bench = await Bench.open(loop('case: { note: "{{ user | date }}" }'))
  expect(await bench.live(never)).toBe(true)
  expect(await bench.ended()).toMatchObject({ state: 'completed', reason: 'enough' })
})

const page = `    - id: page
      if: { '!=': [{ var: user }, carl] }
      skill: directory.page_user
      with: { user: '{{ user }}' }
`

test('a write in doubt is settled before a stop in an iteration ends the run, and nothing more begins', async () => {
  bench = await Bench.open(loop('wait: { for: 1h }', page))
  // Ada's iteration waits after its page. Whether Bob got his is not known.
  expect(await bench.live(({ input }) => ((input as { user: string }).user === 'bob' ? failing('unknown') : done({ state: 'x' })))).toBe(false)
  expect(bench.called.toSorted()).toEqual(['page_user ada', 'page_user bob'])
  bench.clock.advance(2 * hour)
  const [doubt] = await bench.decisions()
  await bench.answerTo(doubt!.id, 'happened', 'ada')
  expect(await bench.live(never)).toBe(true)
  expect(await bench.ended()).toMatchObject({ state: 'completed', reason: 'enough' })
})

test('after a crash, the stop still ends the run before another iteration begins a step', async () => {
  bench = await Bench.open(loop('case: { note: Go on }', page))
  let called = 0
  await bench.live(() => {
    called += 1
    if (called === 2) throw new Crash()
    return done({ state: 'x' })
  })
  if (!(await bench.live(() => done({ state: 'x' })))) await bench.giveUp()
  expect(bench.called.filter((name) => name.startsWith('suspend'))).toEqual([])
  expect(await bench.ended()).toMatchObject({ state: 'completed', reason: 'enough' })
})
