import { afterEach, describe, expect, test } from 'vitest'
import { systemScope } from '../../runtime/domain/index.ts'
import type { CallResult } from '../../runtime/plugin/index.ts'
import { type Answer, Bench, Crash, call, done, failing, playbook } from './harness.ts'

let bench: Bench
afterEach(() => bench.close())

const second = 1_000
const minute = 60 * second

/** The system asks to wait. */
const limited = (retryAfter: number, parts: object = {}): CallResult => ({
  ok: false,
  effect: 'refused',
  failure: { code: 'rate_limited', message: 'Too many requests. (429)', remedy: null, retryAfter, ...parts },
})

/** Lives on until the run has ended, or waits for a person; returns when it slept until, from its beginning. */
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

describe('a read that is to be tried again much later', () => {
  const look = (rest = ''): string => playbook(`${call('look', 'get_user', 'ada')}${rest}${call('say', 'page_user', 'ada')}`)

  test('ends the job: the run sleeps in the store, and is woken when the system has asked to be', async () => {
    bench = await Bench.open(look())
    const slept = await onward((_call, number) => (number === 1 ? limited(900) : done({ state: 'active' })))
    expect(slept).toEqual([900 * second])
    // Nothing waited in the process.
    expect(bench.clock.slept).toEqual([])
    expect(bench.called).toEqual(['get_user ada', 'get_user ada', 'page_user ada'])
    expect(await tries()).toMatchObject([{ address: 'look', tries: 1, code: 'rate_limited' }])
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
  })

  test('is tried as often as its rule says, over all lives, and fails with what the system said', async () => {
    bench = await Bench.open(look())
    expect(await onward(() => limited(900))).toEqual([900 * second, 1_800 * second])
    expect(bench.called).toHaveLength(3)
    expect(await bench.ended()).toMatchObject({
      state: 'failed',
      failure: { code: 'rate_limited', message: 'Too many requests. (429)', step: 'look' },
    })
  })

  test('waits an hour at most, whatever is asked for', async () => {
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

  test('counts the tries of a life that died', async () => {
    bench = await Bench.open(look())
    await bench.live(() => limited(900))
    bench.clock.advance(900 * second)
    await bench.live(() => {
      throw new Crash()
    })
    await onward(() => limited(900))
    // The try that died left nothing; the rule counts those that were answered.
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

  test('ends with the run where somebody cancels it meanwhile', async () => {
    bench = await Bench.open(look())
    await bench.live(() => limited(900))
    await bench.cancel('enough')
    expect(await bench.live(() => done({ state: 'x' }))).toBe(true)
    expect(bench.called).toHaveLength(1)
    expect(await bench.ended()).toMatchObject({ failure: { code: 'run_cancelled' } })
  })

  test('beside others: a branch that waits holds up none that does not', async () => {
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

  test('of a few seconds it waits in the process', async () => {
    bench = await Bench.open(look())
    expect(await onward((_call, number) => (number === 1 ? limited(4) : done({ state: 'x' })))).toEqual([])
    expect(bench.clock.slept).toEqual([4_000])
    expect(await tries()).toEqual([])
  })
})

describe('a write that is to be tried again much later', () => {
  const act = (skill = 'page_user'): string => playbook(call('act', skill, 'ada'))

  test('sleeps, and each try is an intent of its own', async () => {
    bench = await Bench.open(act())
    expect(await onward((_call, number) => (number < 3 ? limited(900) : done({})))).toEqual([900 * second, 1_800 * second])
    expect(bench.called).toHaveLength(3)
    const intents = (await bench.records()).filter(({ kind }) => kind === 'intent')
    expect(intents.map((intent) => 'try' in intent && intent.try)).toEqual([1, 2, 3])
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
  })

  test('is not sent when somebody cancels meanwhile', async () => {
    bench = await Bench.open(act())
    await bench.live(() => limited(900))
    await bench.cancel()
    expect(await bench.live(() => done({}))).toBe(true)
    expect(bench.called).toHaveLength(1)
  })

  test('and is in doubt: the run sleeps on, and people are told why nobody knows', async () => {
    bench = await Bench.open(act('suspend_user'))
    await onward((_call, number) => (number === 1 ? failing('unknown', 'call_timeout') : limited(700)))
    const [decision] = await bench.decisions()
    expect(decision?.title).toContain('call_timeout')
    expect(bench.log.filter(({ msg }) => msg === 'a write is in doubt')).toHaveLength(1)
  })
})

describe('a skill that is code', () => {
  test('and only reads: what it did not wait for, its run does', async () => {
    bench = await Bench.open(playbook('- id: find\n  skill: directory.find_users'))
    expect(await onward((_call, number) => (number === 1 ? limited(900, { unwaited: true }) : done({ users: [] })))).toEqual([900 * second])
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
  })

  test('what its requests have waited for already is not waited for again', async () => {
    bench = await Bench.open(playbook('- id: find\n  skill: directory.find_users'))
    expect(await onward(() => limited(2))).toEqual([])
    expect(bench.called).toHaveLength(1)
    expect(await bench.ended()).toMatchObject({ failure: { code: 'rate_limited' } })
  })

  test('and writes: it begins again where it was, and sends nothing twice', async () => {
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
