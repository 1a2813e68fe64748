import { afterEach, expect, test } from 'vitest'
import { Bench, Crash, call, done, failing, playbook } from '../support/harness.ts'

let bench: Bench
afterEach(() => bench.close())

const minute = 60_000
const limits = 'limits: { time: 1h }'
const ask = '{ id: ask, approve: { title: Go on? } }, { id: never, case: { note: never } }'
const read = '{ id: quick, skill: directory.get_user, with: { user: quick } }'
const race = (rest: string, other = read) => `- { id: race, parallel: { join: any, rest: ${rest}, branches: { asks: [${ask}], other: [${other}] } } }`
const rest = '- { id: rest, wait: { for: 30m } }\n- { id: again, wait: { for: 31m } }'
const active = () => done({ state: 'active' })

/** Executes the run whenever it is due, until it has ended or only people can wake it. */
async function toItsEnd(answer: (user: string) => ReturnType<typeof active> = active): Promise<void> {
  while (!(await bench.live(({ input }) => answer((input as { readonly user: string }).user)))) {
    const { wakeAt } = await bench.ended()
    if (wakeAt === null) return
    bench.clock.advance(wakeAt - bench.clock.now())
  }
}

const states = async () => (await bench.decisions()).map(({ state }) => state)

test('the time limit counts again once a join has cancelled the branch that asks', async () => {
  bench = await Bench.open(playbook(`${race('cancel')}\n${rest}`, limits))
  const began = bench.clock.now()
  await toItsEnd()
  expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'run_timeout', step: 'again' } })
  expect(bench.clock.now() - began).toBeLessThan(61 * minute)
})

test('a branch that goes on after the join still waits, and its time does not count', async () => {
  bench = await Bench.open(playbook(`${race('finish')}\n${rest}`, limits))
  await toItsEnd()
  expect(await bench.ended()).toMatchObject({ state: 'waiting', wakeAt: null })
  expect(await states()).toEqual(['open'])
})

test('the approval is withdrawn when the run sleeps next, and the case says so', async () => {
  bench = await Bench.open(playbook(`${race('cancel')}\n${rest}`))
  await bench.live(active)
  expect(await bench.ended()).toMatchObject({ state: 'waiting' })
  expect(await states()).toEqual(['withdrawn'])
  const { timeline } = await bench.case()
  expect(timeline.flatMap(({ body }) => (body.kind === 'decision' ? body.state : []))).toEqual(['open', 'withdrawn'])
})

const sub = `format: 1
playbook: inner
connections: { directory: { integration: directory } }
steps:
  - { id: race, parallel: { branches: { asks: [${ask}], other: [${read}, { id: end, stop: { outcome: completed } }] } } }
`

test('likewise once a sub-playbook has stopped in another branch', async () => {
  bench = await Bench.open(playbook(`- { id: inner, playbook: inner }\n${rest}`, limits), {}, [sub])
  await toItsEnd()
  expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'run_timeout', step: 'again' } })
  expect(await states()).toEqual(['withdrawn'])
})

test('a process that dies right after the join: the next one withdraws the approval', async () => {
  bench = await Bench.open(playbook(`${race('cancel')}\n${call('act', 'suspend_user', 'last')}\n${rest}`))
  await bench.live(({ input }) => {
    if ((input as { readonly user: string }).user === 'last') throw new Crash()
    return active()
  })
  expect(await states()).toEqual(['open'])
  await bench.live(active)
  expect(await states()).toEqual(['withdrawn'])
  expect((await bench.records()).flatMap((record) => (record.kind === 'heard' ? [record.dropped] : []))).toEqual([true])
})

test('a question about a write in doubt in the cancelled branch stays, and its time does not count', async () => {
  const write = '{ id: act, skill: directory.page_user, with: { user: act } }, { id: never, case: { note: never } }'
  const after = '- { id: rest, wait: { for: 30m } }'
  bench = await Bench.open(
    playbook(`- { id: race, parallel: { join: any, rest: cancel, branches: { acts: [${write}], other: [${read}] } } }\n${after}`, limits),
  )
  const quick = Promise.withResolvers<void>()
  await bench.live(async ({ skill }) => {
    if (skill.id === 'get_user') await quick.promise
    if (skill.id === 'page_user') quick.resolve()
    return skill.id === 'page_user' ? failing('unknown') : active()
  })
  for (let life = 0; life < 4 && (await bench.ended()).wakeAt !== null; life += 1) {
    bench.clock.advance(((await bench.ended()).wakeAt ?? 0) - bench.clock.now())
    await bench.live(active)
  }
  expect(await bench.decisions()).toMatchObject([{ kind: 'in_doubt', state: 'open' }])
  bench.clock.advance(120 * minute)
  await bench.answer('happened')
  await bench.live(active)
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})
