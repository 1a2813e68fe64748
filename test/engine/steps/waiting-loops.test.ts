import { afterEach, describe, expect, test } from 'vitest'
import { Bench, done, failing, playbook } from '../support/harness.ts'

let bench: Bench
afterEach(() => bench.close())

const minute = 60_000

describe('several iterations at once', () => {
  const loop = (concurrency: number): string =>
    playbook(`
- id: each
  foreach: '{{ alert.content.items }}'
  as: one
  max_items: 9
  concurrency: ${concurrency}
  steps:
    - id: cool
      if: { '>': [{ var: one.wait }, 0] }
      wait: { until: '{{ one.until }}' }
    - id: act
      skill: directory.page_user
      with: { user: '{{ one.user }}' }
`)
  const start = 1_800_000_000_000
  const item = (user: string, wait: number) => ({ user, wait, until: start + wait * minute })

  test('the others continue while one sleeps, and the earliest wake time wakes the run', async () => {
    bench = await Bench.open(loop(3), { items: [item('ada', 20), item('bob', 10), item('eve', 0), item('fay', 0)] })
    expect(await bench.live(() => done({}))).toBe(false)
    expect(bench.called).toEqual(['page_user eve', 'page_user fay'])
    expect(await bench.ended()).toMatchObject({ state: 'waiting', wakeAt: start + 10 * minute })
    bench.clock.advance(10 * minute)
    expect(await bench.live(() => done({}))).toBe(false)
    expect(bench.called.slice(2)).toEqual(['page_user bob'])
    bench.clock.advance(10 * minute)
    expect(await bench.live(() => done({}))).toBe(true)
    expect(bench.called.slice(3)).toEqual(['page_user ada'])
  })

  test('a sleeping iteration counts towards the concurrency', async () => {
    bench = await Bench.open(loop(1), { items: [item('ada', 20), item('bob', 0)] })
    await bench.live(() => done({}))
    expect(bench.called).toEqual([])
  })

  test('after a failure of one, the sleeping ones are waited for like the others', async () => {
    bench = await Bench.open(loop(2), { items: [item('ada', 20), item('bob', 0)] })
    const answer = (user: string) => (user === 'bob' ? failing('refused', 'credentials_rejected') : done({}))
    expect(await bench.live(({ input }) => answer((input as { user: string }).user))).toBe(false)
    bench.clock.advance(20 * minute)
    expect(await bench.live(({ input }) => answer((input as { user: string }).user))).toBe(true)
    expect(bench.called).toEqual(['page_user bob', 'page_user ada'])
    expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'credentials_rejected' } })
  })

  test.each([
    ['waits', { wait: { for: '30m' } }],
    ['asks people', { approve: { title: 'Go on with {{ user }}?' } }],
  ])('after a failure of one, another that %s goes on too if it began later', async (_what, hold) => {
    const held = { if: { '==': [{ var: 'user' }, 'eve'] }, id: 'hold', ...hold }
    bench = await Bench.open(
      playbook(`
- id: each
  foreach: [ada, bob, eve]
  as: user
  concurrency: 2
  steps:
    - { id: cool, if: { '==': [{ var: user }, bob] }, wait: { for: 20m } }
    # Ada's iteration is long, so every later execution meets Bob's failure before it comes to Eve.
    - { id: look, if: { '==': [{ var: user }, ada] }, foreach: [1, 2, 3, 4], as: one, steps: [{ id: one, script: 'export default () => 1' }] }
    - ${JSON.stringify(held)}
    - { id: act, skill: directory.page_user, with: { user: '{{ user }}' } }
`),
    )
    const life = () => bench.live(({ input }) => ((input as { user: string }).user === 'bob' ? failing('refused', 'credentials_rejected') : done({})))
    expect(await life()).toBe(false)
    bench.clock.advance(20 * minute)
    expect(await life()).toBe(false)
    bench.clock.advance(10 * minute)
    for (const { id } of await bench.decisions()) await bench.answerTo(id, 'approve', 'mo')
    expect(await life()).toBe(true)
    expect(bench.called).toEqual(['page_user ada', 'page_user bob', 'page_user eve'])
    expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'credentials_rejected' } })
  })
})
