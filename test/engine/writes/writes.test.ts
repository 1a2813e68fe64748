import { afterEach, describe, expect, test } from 'vitest'
import { type Answer, Bench, Crash, done, failing, playbook } from '../support/harness.ts'
import { write } from '../support/one-write.ts'

let bench: Bench
afterEach(() => bench.close())

test('a write is called once, its intent durable before it leaves', async () => {
  bench = await Bench.open(write('page_user'))
  await bench.live(async () => {
    expect((await bench.records()).map(({ kind }) => kind)).toEqual(['claimed', 'decided', 'intent'])
    return done({ state: 'paged' })
  })
  expect(bench.called).toEqual(['page_user ada'])
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

test('the same step has the same call key in every execution, and another step has another', async () => {
  bench = await Bench.open(
    playbook('- id: a\n  skill: directory.suspend_user\n  with: { user: ada }\n- id: b\n  skill: directory.suspend_user\n  with: { user: ada }'),
  )
  await bench.live((_call, number) => {
    if (number === 1) throw new Crash()
    return done({})
  })
  await bench.live(() => done({}))
  const [first, again, other] = bench.calls.map(({ key }) => key)
  expect(again).toBe(first)
  expect(other).not.toBe(first)
})

test('a write that is safe to repeat is repeated after a crash', async () => {
  bench = await Bench.open(write('suspend_user'))
  await bench.live(() => {
    throw new Crash()
  })
  await bench.live(() => done({ state: 'suspended' }))
  expect(bench.called).toEqual(['suspend_user ada', 'suspend_user ada'])
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

test('but not when more time has passed than its skill allows', async () => {
  bench = await Bench.open(write('suspend_user'))
  await bench.live(() => {
    throw new Crash()
  })
  bench.clock.advance(10 * 60_000 + 1)
  await bench.live(() => done({}))
  expect(bench.called).toEqual(['suspend_user ada'])
  await bench.giveUp()
  expect(await bench.ended()).toMatchObject({ failure: { code: 'write_in_doubt' } })
})

describe('the time within which a write may be repeated', () => {
  const minute = 60_000
  /** Executes the run again and again until it has ended or waits for a person. */
  const onward = async (answer: Answer): Promise<void> => {
    for (;;) {
      if (await bench.live(answer)) return
      const { wakeAt } = await bench.ended()
      if (wakeAt === null) return
      bench.clock.advance(wakeAt - bench.clock.now())
    }
  }
  const repeated = (skill: string, delay: string): string =>
    write(skill, `  retry: { attempts: 5, backoff: constant, delay: ${delay}, max_delay: ${delay}, on: [rate_limited] }\n`)

  test.each(['suspend_user', 'ring_user'])(
    'begins with the first try that may have happened, however often it was repeated since (%s)',
    async (skill) => {
      bench = await Bench.open(repeated(skill, '6m'))
      await onward(() => failing('unknown', 'call_timeout'))
      expect(bench.called).toEqual([`${skill} ada`, `${skill} ada`])
      expect(await bench.decisions()).toMatchObject([{ kind: 'in_doubt', state: 'open' }])
    },
  )

  test('continues over several executions', async () => {
    bench = await Bench.open(write('suspend_user'))
    for (let lives = 0; lives < 2; lives += 1) {
      await bench.live(() => {
        throw new Crash()
      })
      bench.clock.advance(6 * minute)
    }
    await bench.live(() => done({}))
    expect(bench.called).toHaveLength(2)
    expect(await bench.decisions()).toMatchObject([{ kind: 'in_doubt', state: 'open' }])
  })

  test.each([
    ['a key, which the system may have kept', 'ring_user', 2],
    ['a state, which it has not set', 'suspend_user', 3],
  ])('with a try that was refused counts for %s', async (_what, skill, calls) => {
    bench = await Bench.open(repeated(skill, '6m'))
    await onward((_call, number) => (number === 1 ? failing('refused', 'rate_limited') : failing('unknown', 'call_timeout')))
    expect(bench.called).toHaveLength(calls)
    expect(await bench.decisions()).toMatchObject([{ kind: 'in_doubt', state: 'open' }])
  })

  test('is that in which the repeat must have left', async () => {
    bench = await Bench.open(repeated('ring_user', '590s'))
    await onward((_call, number) => (number === 1 ? failing('unknown', 'call_timeout') : done({})))
    const intents = (await bench.records()).flatMap((record) => (record.kind === 'intent' ? [record] : []))
    const began = intents[0]?.at ?? 0
    expect(intents.map(({ sendBy }) => sendBy - began)).toEqual([30_000, 10 * minute])
    expect(bench.calls.map(({ sendBy }) => sendBy)).toEqual(intents.map(({ sendBy }) => sendBy))
  })
})

test.each(['not_sent', 'refused'] as const)('a write that is known to have changed nothing (%s) is tried again as its rule says', async (effect) => {
  bench = await Bench.open(write('page_user'))
  await bench.live((_call, number) => (number < 3 ? failing(effect, 'rate_limited') : done({})))
  expect(bench.called).toHaveLength(3)
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

test('a write that was refused for good fails with the reason, not in doubt', async () => {
  bench = await Bench.open(write('page_user'))
  await bench.live(() => failing('refused', 'permission_missing'))
  expect(bench.called).toHaveLength(1)
  expect(await bench.ended()).toMatchObject({ failure: { code: 'permission_missing', step: 'act' } })
})

test('a crash after the answer was recorded repeats nothing', async () => {
  bench = await Bench.open(
    playbook('- id: act\n  skill: directory.page_user\n  with: { user: ada }\n- id: next\n  skill: directory.page_user\n  with: { user: bob }'),
  )
  await bench.live((_call, number) => {
    if (number === 2) throw new Crash()
    return done({})
  })
  await bench.live(() => done({}))
  expect(bench.called).toEqual(['page_user ada', 'page_user bob'])
  expect(await bench.giveUp()).toMatchObject({ step: 'next' })
  expect(await bench.ended()).toMatchObject({ failure: { code: 'write_in_doubt', step: 'next' } })
})
