import { afterEach, describe, expect, test } from 'vitest'
import { systemScope } from '../../../runtime/domain/index.ts'
import type { CallResult } from '../../../runtime/plugin/index.ts'
import { type Answer, Bench, Crash, call, done, failing, playbook } from '../support/harness.ts'

let bench: Bench
afterEach(() => bench.close())

const second = 1_000
const minute = 60 * second

/** Returns an answer that asks to wait. */
const limited = (retryAfter: number, parts: object = {}): CallResult => ({
  ok: false,
  effect: 'refused',
  failure: { code: 'rate_limited', message: 'Too many requests. (429)', remedy: null, retryAfter, ...parts },
})

/**
 * Executes the run again and again until it has ended or waits for a person. Returns until when it slept each
 * time, counted from its start.
 */
async function onward(answer: Answer): Promise<readonly number[]> {
  const began = bench.clock.now()
  const slept: number[] = []
  while (!(await bench.live(answer))) {
    const { wakeAt } = await bench.ended()
    if (wakeAt === null) break
    slept.push(wakeAt - began)
    bench.clock.advance(wakeAt - bench.clock.now())
  }
  return slept
}

const tries = async (): Promise<unknown[]> => (await bench.records()).filter(({ kind }) => kind === 'retried')

describe('a read whose next try is a long time away', () => {
  const look = (rest = ''): string => playbook(`${call('look', 'get_user', 'ada')}${rest}${call('say', 'page_user', 'ada')}`)

  test('ends the job: the run sleeps in the store, and wakes when the system asked for', async () => {
    bench = await Bench.open(look())
    const slept = await onward((_call, number) => (number === 1 ? limited(900) : done({ state: 'active' })))
    expect(slept).toEqual([900 * second])
    // No wait happened in the process.
    expect(bench.clock.slept).toEqual([])
    expect(bench.called).toEqual(['get_user ada', 'get_user ada', 'page_user ada'])
    expect(await tries()).toMatchObject([{ address: 'look', tries: 1, code: 'rate_limited' }])
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
  })

  test("is tried as often as its rule says over all executions, then fails with the system's error", async () => {
    bench = await Bench.open(look())
    expect(await onward(() => limited(900))).toEqual([900 * second, 1_800 * second])
    expect(bench.called).toHaveLength(3)
    expect(await bench.ended()).toMatchObject({
      state: 'failed',
      failure: { code: 'rate_limited', message: 'Too many requests. (429)', step: 'look' },
    })
  })

  test('waits at most an hour, even if the system asks for more', async () => {
    bench = await Bench.open(look())
    expect(await onward((_call, number) => (number === 1 ? limited(900_000) : done({ state: 'x' })))).toEqual([60 * minute])
  })

  test('is not tried before its time, if the run is woken for something else', async () => {
    bench = await Bench.open(look())
    await bench.live(() => limited(900))
    const until = (await bench.ended()).wakeAt
    await bench.store.runs.wake(systemScope, bench.run, bench.clock.now())
    expect(await bench.live(() => done({ state: 'x' }))).toBe(false)
    expect(bench.called).toHaveLength(1)
    expect((await bench.ended()).wakeAt).toBe(until)
  })

  test('counts the tries of a process that died', async () => {
    bench = await Bench.open(look())
    await bench.live(() => limited(900))
    bench.clock.advance(900 * second)
    await bench.live(() => {
      throw new Crash()
    })
    await onward(() => limited(900))
    // The try during which the process died left no record. The rule counts only answered tries.
    expect(bench.called).toHaveLength(4)
    expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'rate_limited' } })
  })

  test('does not outlive limits.time', async () => {
    bench = await Bench.open(playbook(call('look', 'get_user', 'ada'), 'limits: { time: 5m }'))
    const [first] = await onward(() => limited(900))
    expect(first).toBeLessThanOrEqual(5 * minute + 1)
    expect(await bench.ended()).toMatchObject({ failure: { code: 'run_timeout' } })
    expect(bench.called).toHaveLength(1)
  })

  test('ends with the run if somebody cancels it meanwhile', async () => {
    bench = await Bench.open(look())
    await bench.live(() => limited(900))
    await bench.cancel('enough')
    expect(await bench.live(() => done({ state: 'x' }))).toBe(true)
    expect(bench.called).toHaveLength(1)
    expect(await bench.ended()).toMatchObject({ failure: { code: 'run_cancelled' } })
  })

  test('in a parallel: a branch that waits does not hold up the others', async () => {
    const branch = (user: string): string => `[{ id: ${user}, skill: directory.get_user, with: { user: ${user} } }]`
    bench = await Bench.open(playbook(`- id: both\n  parallel: { branches: { a: ${branch('ada')}, b: ${branch('bob')} } }\n`))
    const first = new Set<string>()
    await onward(({ input }) => {
      const { user } = input as { user: string }
      if (user === 'bob' || first.has(user)) return done({ state: 'x' })
      first.add(user)
      return limited(900)
    })
    expect(bench.called).toEqual(['get_user ada', 'get_user bob', 'get_user ada'])
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
  })

  test('waits a few seconds in the process', async () => {
    bench = await Bench.open(look())
    expect(await onward((_call, number) => (number === 1 ? limited(4) : done({ state: 'x' })))).toEqual([])
    expect(bench.clock.slept).toEqual([4_000])
    expect(await tries()).toEqual([])
  })
})

describe('a write whose next try is a long time away', () => {
  const act = (skill = 'page_user'): string => playbook(call('act', skill, 'ada'))

  test('sleeps, and each try has its own intent', async () => {
    bench = await Bench.open(act())
    expect(await onward((_call, number) => (number < 3 ? limited(900) : done({})))).toEqual([900 * second, 1_800 * second])
    expect(bench.called).toHaveLength(3)
    const intents = (await bench.records()).filter(({ kind }) => kind === 'intent')
    expect(intents.map((intent) => 'try' in intent && intent.try)).toEqual([1, 2, 3])
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
  })

  test('is not sent if somebody cancels meanwhile', async () => {
    bench = await Bench.open(act())
    await bench.live(() => limited(900))
    await bench.cancel()
    expect(await bench.live(() => done({}))).toBe(true)
    expect(bench.called).toHaveLength(1)
  })

  test('that is in doubt: the run goes on sleeping, and people are told why nobody knows', async () => {
    bench = await Bench.open(act('suspend_user'))
    await onward((_call, number) => (number === 1 ? failing('unknown', 'call_timeout') : limited(700)))
    const [decision] = await bench.decisions()
    expect(decision?.title).toContain('call_timeout')
    expect(bench.log.filter(({ msg }) => msg === 'a write is in doubt')).toHaveLength(1)
  })
})

describe('a skill with a handler', () => {
  test('reads: the run waits for what the handler did not wait for', async () => {
    bench = await Bench.open(playbook('- id: find\n  skill: directory.find_users'))
    expect(await onward((_call, number) => (number === 1 ? limited(900, { unwaited: true }) : done({ users: [] })))).toEqual([900 * second])
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
  })

  test('does not repeat a wait that its requests have already done', async () => {
    bench = await Bench.open(playbook('- id: find\n  skill: directory.find_users'))
    expect(await onward(() => limited(2))).toEqual([])
    expect(bench.called).toHaveLength(1)
    expect(await bench.ended()).toMatchObject({ failure: { code: 'rate_limited' } })
  })

  test('writes: it goes on where it was, and sends nothing twice', async () => {
    bench = await Bench.open(playbook('- id: tag\n  skill: directory.tag_users\n  with: { users: [ada] }'))
    const sent: string[] = []
    const request = async ({ acts }: Parameters<Answer>[0], number: number, title: string, result: () => CallResult): Promise<void> => {
      const answer = await acts?.request({ number, digest: title, writes: true, title }, async () => {
        const came = result()
        sent.push(`${title} ${came.ok ? 'done' : came.failure.code}`)
        return came.ok
          ? { ok: true, answer: { status: 200, headers: {}, body: {} } }
          : { ok: false, effect: 'refused', failure: came.failure, body: null }
      })
      if (!answer?.ok) throw new Error('it was not done')
    }
    let limits = 1
    const slept = await onward(async (asked) => {
      await request(asked, 1, 'first', () => done({}))
      await request(asked, 2, 'second', () => (limits-- > 0 ? limited(900) : done({})))
      return done({})
    })
    expect(slept).toEqual([900 * second])
    expect(sent).toEqual(['first done', 'second rate_limited', 'second done'])
    expect(await tries()).toMatchObject([{ address: 'tag#2', tries: 1 }])
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
  })
})
