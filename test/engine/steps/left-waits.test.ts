import { afterEach, expect, test } from 'vitest'
import { Bench, done, playbook } from '../support/harness.ts'

let bench: Bench
afterEach(() => bench.close())

const call = (id: string, skill = 'get_user'): string => `{ id: ${id}, skill: directory.${skill}, with: { user: ${id} } }`
const race = (left: string, right: string, rest: string): string =>
  `parallel: { join: any, rest: ${rest}, branches: { left: [${left}], right: [${right}] } }`

test.each([
  ['an approval', '{ id: ask, approve: { title: Go on? } }', ['withdrawn']],
  ['a time', '{ id: rest, wait: { for: 10h } }', []],
])('a branch that a join left waits for %s, and the branch around it is cancelled: the run ends', async (_, waits, asked) => {
  const inner = `{ id: inner, ${race(call('fast'), `${waits}, ${call('never', 'page_user')}`, 'finish')} }`
  const outer = `- { id: outer, ${race(`${inner}, ${call('slow')}`, call('quick'), 'cancel')} }`
  bench = await Bench.open(playbook(`${outer}\n- ${call('after', 'page_user')}`))
  const slow = Promise.withResolvers<void>()
  const after = Promise.withResolvers<void>()
  await bench.live(async ({ input }) => {
    const { user } = input as { readonly user: string }
    // The branch is cancelled after the inner join, and while its next step is under way.
    if (user === 'slow') slow.resolve()
    if (user === 'quick') await slow.promise
    if (user === 'after') after.resolve()
    if (user === 'slow') await after.promise
    return done({ state: 'x' })
  })
  expect(await bench.ended()).toMatchObject({ state: 'completed', wakeAt: null })
  expect(bench.called).toEqual(['get_user fast', 'get_user quick', 'get_user slow', 'page_user after'])
  expect((await bench.decisions()).map(({ state }) => state)).toEqual(asked)
})

test('a branch that a join left still waits if nothing around it is cancelled', async () => {
  const waits = '{ id: ask, approve: { title: Go on? } }'
  bench = await Bench.open(playbook(`- { id: inner, ${race(call('fast'), `${waits}, ${call('then', 'page_user')}`, 'finish')} }`))
  const answer = () => done({ state: 'x' })
  await bench.live(answer)
  expect(await bench.ended()).toMatchObject({ state: 'waiting' })
  await bench.answer('approve')
  await bench.live(answer)
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
  expect(bench.called).toEqual(['get_user fast', 'page_user then'])
})
