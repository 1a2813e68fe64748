import { afterEach, expect, test } from 'vitest'
import { answered, handlerSystem, notSent } from '../support/handler-system.ts'
import { type Answer, Bench, done, playbook } from '../support/harness.ts'

/* The case tells what a handler has changed before its step ends, because it may wait for hours. */

let bench: Bench
afterEach(() => bench.close())

const minute = 60_000
const open = async (): Promise<void> => {
  bench = await Bench.open(
    playbook('- id: act\n  skill: directory.stamp_user\n  with: { user: ada }\n  retry: { attempts: 3, delay: 10m, on: [network] }'),
  )
}
const notes = async (): Promise<readonly string[]> => (await bench.case()).timeline.flatMap(({ body }) => (body.kind === 'note' ? [body.text] : []))
const told = [expect.stringContaining('directory.stamp_user on ada')]

test('the case tells what a handler has changed while its run sleeps before a retry', async () => {
  await open()
  let refused = false
  const answer = handlerSystem(bench, [], async ({ path }) => {
    if (path.endsWith('stamp') || refused) return answered({})
    refused = true
    return notSent
  })
  expect(await bench.live(answer)).toBe(false)
  expect(await notes()).toEqual(told)
  bench.clock.advance(10 * minute)
  expect(await bench.live(answer)).toBe(true)
  expect(await notes()).toEqual(told)
  expect((await bench.case()).timeline.filter(({ body }) => body.kind === 'action')).toHaveLength(1)
})

test('it says nothing of a handler that has changed nothing', async () => {
  await open()
  expect(await bench.live(handlerSystem(bench, [], async () => notSent))).toBe(false)
  expect(await notes()).toEqual([])
})

const act = (number: number, writes: boolean) => ({ number, digest: `d${number}`, writes, title: `act ${number}` })

test.each([
  ['long', 10 * minute, 1],
  ['short', 2_000, 0],
] as const)('during a %s sleep of a handler the case tells %s', async (_, delay, count) => {
  await open()
  let seen: readonly string[] = []
  const answer: Answer = async ({ acts, signal }) => {
    await acts?.request(act(1, true), async () => ({ ok: true, answer: { status: 200, headers: {}, body: {} } }))
    await acts?.sleep(act(2, false), delay, signal, 60 * minute)
    seen = await notes()
    return done({ state: 'sealed' })
  }
  expect(await bench.live(answer)).toBe(true)
  expect(seen).toHaveLength(count)
})
