import { afterEach, describe, expect, test } from 'vitest'
import { type Answer, Bench, Crash, done, playbook } from '../support/harness.ts'
import { write } from '../support/one-write.ts'

/* The clock of the process that began a write was an hour ahead. It is right again when the run continues. */

let bench: Bench
afterEach(() => bench.close())

const [minute, hour] = [60_000, 3_600_000]
const dying: Answer = () => {
  throw new Crash()
}

/** The process dies while the clock is ahead. */
async function dieAhead(skill: string): Promise<void> {
  bench = await Bench.open(write(skill))
  bench.soon = true
  bench.clock.advance(hour)
  await bench.live(dying)
  bench.clock.advance(-hour)
}

describe('a write that may be repeated for ten minutes', () => {
  test.each(['ring_user', 'suspend_user'])('is not repeated without a question if the clock cannot tell its age: %s', async (skill) => {
    await dieAhead(skill)
    bench.clock.advance(20 * minute)
    expect(await bench.live(() => done({ state: 'x' }))).toBe(false)
    expect(bench.called).toEqual([`${skill} ada`])
    expect(await bench.decisions()).toMatchObject([{ kind: 'in_doubt', state: 'open' }])
  })

  test('nor later, when the clock has passed the time of its first try', async () => {
    await dieAhead('ring_user')
    bench.clock.advance(minute)
    // This process dies before it can ask.
    const open = () => Promise.reject(new Crash())
    await bench.live(dying, { ...bench.store, decisions: { ...bench.store.decisions, open } })
    bench.clock.advance(hour + minute)
    expect(await bench.live(() => done({ state: 'x' }))).toBe(false)
    expect(bench.called).toEqual(['ring_user ada'])
  })

  test('is not repeated if its probe does not find it: somebody may have undone it', async () => {
    await dieAhead('unpair_user')
    bench.clock.advance(20 * minute)
    expect(await bench.live(() => done({ state: 'paired' }))).toBe(false)
    expect(bench.called).toEqual(['unpair_user ada', 'get_user ada'])
    expect(await bench.decisions()).toMatchObject([{ kind: 'in_doubt', state: 'open' }])
  })
})

test('a write that may be repeated at any time is repeated', async () => {
  await dieAhead('admit_user')
  bench.clock.advance(20 * minute)
  expect(await bench.live(() => done({ state: 'x' }))).toBe(true)
  expect(bench.called).toEqual(['admit_user ada', 'admit_user ada'])
})

test('a handler does not sleep longer than it asked for', async () => {
  bench = await Bench.open(playbook('- id: tag\n  skill: directory.tag_users\n  with: { users: [ada] }'))
  const act = (number: number, writes: boolean) => ({ number, digest: `d${number}`, writes, title: `act ${number}` })
  const answered = { ok: true, answer: { status: 200, headers: {}, body: {} } } as const
  const handler =
    (asleep: () => Promise<void>): Answer =>
    async ({ acts, signal }) => {
      await acts?.request(act(1, true), async () => answered)
      if (!(await acts?.sleep(act(2, false), 2_000, signal, minute))) throw new Error('it could not sleep')
      await asleep()
      return done({ tagged: ['ada'] })
    }
  bench.clock.advance(hour)
  await bench.live(handler(() => Promise.reject(new Crash())))
  bench.clock.advance(-hour)
  bench.clock.slept.length = 0
  expect(await bench.live(handler(async () => {}))).toBe(true)
  expect(bench.clock.slept).toEqual([2_000])
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})
