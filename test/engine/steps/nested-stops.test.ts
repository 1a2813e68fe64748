import { afterEach, expect, test } from 'vitest'
import { type Answer, Bench, Crash, done, playbook } from '../support/harness.ts'

let bench: Bench
afterEach(() => bench.close())

const call = (user: string, skill = 'get_user'): string => `{ id: ${user}, skill: directory.${skill}, with: { user: ${user} } }`
const stop = '{ id: enough, stop: { outcome: completed, reason: enough } }'
/** Stops while another branch inside is at work. */
const inner = `{ id: inner, parallel: { branches: { slow: [${call('slow')}], ends: [${call('before')}, ${stop}] } } }`
const beside = `${call('first')}, ${call('second', 'page_user')}`

/** `first` is answered some time after the stop behind `before`, and `slow` long after `first`. */
const inTime: Answer = async ({ input }) => {
  const turns = { before: 20, first: 60, slow: 200 }[(input as { user: string }).user] ?? 0
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
  return done({ state: 'x' })
}

test.each([
  ['another branch further out', `[{ id: outer, parallel: { branches: { one: [${inner}], two: [${beside}] } } }]`],
  [
    'the steps after a join that did not wait',
    `[{ id: outer, parallel: { join: any, branches: { one: [${inner}], two: [${call('quick')}] } } }, ${beside}]`,
  ],
  [
    'another iteration further out',
    `[{ id: each, foreach: [a, b], as: one, concurrency: 2, steps: [{ id: which, if: { '==': [{ var: one }, a] }, then: [${inner}], else: [${beside}] }] }]`,
  ],
  [
    'another branch, if a loop inside stops',
    `[{ id: outer, parallel: { branches: { one: [{ id: each, foreach: [slow, before], as: user, concurrency: 2, steps: [{ id: call, skill: directory.get_user, with: { user: '{{ user }}' } }, { id: last, if: { '==': [{ var: user }, before] }, then: [${stop}] }] }], two: [${beside}] } } }]`,
  ],
])('after a stop deep inside, %s begins nothing', async (_where, steps) => {
  bench = await Bench.open(playbook('- id: x').replace(/steps:[\s\S]*/, `steps: ${steps}`))
  expect(await bench.live(inTime)).toBe(true)
  expect(bench.called).toContain('get_user first')
  expect(bench.called).not.toContain('page_user second')
  expect(await bench.ended()).toMatchObject({ state: 'completed', reason: 'enough' })
})

test('after a stop deep inside a sub-playbook, only its own steps begin no more', async () => {
  const sub = `format: 1\nplaybook: inside\nsteps: [{ id: around, parallel: { branches: { one: [${inner}], two: [${call('first')}, ${call('never', 'page_user')}] } } }]\n`
  const text = playbook('- id: x').replace(
    /steps:[\s\S]*/,
    `steps: [{ id: outer, parallel: { branches: { one: [{ id: sub, playbook: inside }, ${call('after')}], two: [${call('beside')}, ${call('second', 'page_user')}] } } }]`,
  )
  bench = await Bench.open(text, {}, [sub])
  expect(await bench.live(inTime)).toBe(true)
  expect(bench.called).toEqual(expect.arrayContaining(['get_user after', 'page_user second']))
  expect(bench.called).not.toContain('page_user never')
  expect(await bench.ended()).toMatchObject({ state: 'completed', failure: null })
})

test('a stop deep inside stands after a crash, for everything that it ended', async () => {
  bench = await Bench.open(
    playbook('- id: x').replace(/steps:[\s\S]*/, `steps: [{ id: outer, parallel: { branches: { one: [${inner}], two: [${beside}] } } }]`),
  )
  // The stop is recorded together with the answer for `slow`. Then the process dies.
  const dies: Answer = async (asked, number) => {
    const answer = await inTime(asked, number)
    if ((asked.input as { user: string }).user !== 'first') return answer
    for (let turn = 0; turn < 300; turn++) await new Promise((resolve) => setImmediate(resolve))
    throw new Crash()
  }
  expect(await bench.live(dies)).toBe(false)
  expect((await bench.records()).flatMap((record) => (record.kind === 'decided' ? [record.address] : []))).toContain('#stop')
  expect(await bench.live(inTime)).toBe(true)
  expect(bench.called).not.toContain('page_user second')
  expect(await bench.ended()).toMatchObject({ state: 'completed', reason: 'enough' })
})
