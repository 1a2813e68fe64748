import { afterEach, describe, expect, test } from 'vitest'
import { pause, resume } from '../support/pauses.ts'
import { answered, handlerSystem, notSent } from './support/handler-system.ts'
import { type Answer, Bench, call, playbook } from './support/harness.ts'
import { sweep } from './support/paused.ts'

/*
 * A run is cancelled while the handler of a step waits before it sends a request again. The handler makes two
 * requests. After the first one, a user is half sealed.
 */

let bench: Bench
afterEach(() => bench.close())

const cancelled = { state: 'failed', failure: { code: 'run_cancelled' } }
const minute = 60_000
const stamp = (rest = ''): string =>
  playbook(
    `- id: act\n  skill: directory.stamp_user\n  with: { user: ada }\n  retry: { attempts: 3, delay: 10m, on: [network] }\n${call('next', 'page_user', 'bob')}`,
    rest,
  )
/** The system refuses a request once. @param number which. @param during is called then */
function refusing(number: number, sent: string[], during: () => Promise<unknown> = async () => {}): Answer {
  let refused = false
  return handlerSystem(bench, sent, async ({ path }) => {
    if (path.endsWith('stamp') === (number === 2) || refused) return answered({})
    refused = true
    await during()
    return notSent
  })
}
const [first, second] = ['POST /users/ada/stamp {}', 'POST /users/ada/seal {}']

describe('a handler that has changed something finishes, however long it waits', () => {
  const finishes = async (sent: string[], answer: Answer): Promise<void> => {
    // The cancellation wakes it once.
    expect(await bench.live(answer)).toBe(false)
    expect(sent).toEqual([first, second])
    expect((await bench.ended()).wakeAt).toBeGreaterThan(bench.clock.now())
    bench.clock.advance(10 * minute)
    expect(await bench.live(answer)).toBe(true)
    expect(sent).toEqual([first, second, second])
    expect(await bench.ended()).toMatchObject(cancelled)
    expect(await bench.records()).toContainEqual(expect.objectContaining({ kind: 'done', address: 'act' }))
  }

  test('if the run is cancelled while it sleeps', async () => {
    bench = await Bench.open(stamp())
    const sent: string[] = []
    const answer = refusing(2, sent)
    expect(await bench.live(answer)).toBe(false)
    await bench.cancel('a drill')
    await finishes(sent, answer)
  })

  test('if the run is cancelled during the request', async () => {
    bench = await Bench.open(stamp())
    const sent: string[] = []
    const answer = refusing(2, sent, () => bench.cancel('a drill'))
    expect(await bench.live(answer)).toBe(false)
    await finishes(sent, answer)
  })

  test('if the time of the run is over during the request', async () => {
    bench = await Bench.open(stamp('limits: { time: 1m }'))
    const sent: string[] = []
    const answer = refusing(2, sent, async () => bench.clock.advance(2 * minute))
    expect(await bench.live(answer)).toBe(false)
    bench.clock.advance(10 * minute)
    expect(await bench.live(answer)).toBe(true)
    expect(sent).toEqual([first, second, second])
    expect(await bench.ended()).toMatchObject({ failure: { code: 'run_timeout' } })
  })

  test('if the run is also paused: it sleeps until somebody resumes it', async () => {
    bench = await Bench.open(stamp())
    const sent: string[] = []
    const answer = refusing(2, sent)
    await bench.live(answer)
    const { id } = await pause(bench.store, bench.clock)
    await bench.cancel('a drill')
    bench.clock.advance(10 * minute)
    expect(await bench.live(answer)).toBe(false)
    expect(sent).toEqual([first, second])
    expect((await bench.records()).at(-1)).toMatchObject({ kind: 'slept', pause: id })
    expect(await sweep(bench)).toEqual([])
    await resume(bench.store, bench.clock)
    expect(await bench.live(answer)).toBe(true)
    expect(sent).toEqual([first, second, second])
    expect(await bench.ended()).toMatchObject(cancelled)
  })
})

test('a handler that has changed nothing sends nothing more', async () => {
  bench = await Bench.open(stamp())
  const sent: string[] = []
  const answer = refusing(1, sent)
  expect(await bench.live(answer)).toBe(false)
  await bench.cancel('a drill')
  expect(await bench.live(answer)).toBe(true)
  expect(sent).toEqual([first])
  expect(await bench.ended()).toMatchObject(cancelled)
})
