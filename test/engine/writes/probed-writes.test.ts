import { afterEach, describe, expect, test } from 'vitest'
import type { Decision } from '../../../runtime/domain/index.ts'
import type { CallResult } from '../../../runtime/plugin/index.ts'
import { type Answer, Bench, Crash, done, failing, playbook } from '../support/harness.ts'
import { write } from '../support/one-write.ts'

let bench: Bench
afterEach(() => bench.close())

test('a write with a probe is asked about after a crash; if it happened it is not repeated', async () => {
  bench = await Bench.open(write('unpair_user'))
  await bench.live(() => {
    throw new Crash()
  })
  await bench.live(({ skill }) => {
    expect(skill.id).toBe('get_user')
    return done({ state: 'unpaired' })
  })
  expect(bench.called).toEqual(['unpair_user ada', 'get_user ada'])
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

test.each(['suspend_user', 'unpair_user', 'page_user'])(
  'a write of a stalled process is neither repeated nor asked about while it can still leave (%s)',
  async (skill) => {
    bench = await Bench.open(write(skill))
    bench.soon = true
    await bench.live(() => {
      throw new Crash()
    })
    const crashed = bench.clock.now()
    expect(await bench.live(() => done({}))).toBe(false)
    expect(bench.called).toEqual([`${skill} ada`])
    expect(await bench.decisions()).toEqual([])
    const { state, wakeAt } = await bench.ended()
    expect(state).toBe('waiting')
    expect(wakeAt).toBeGreaterThan(crashed + 30_000)
    bench.clock.advance((wakeAt ?? 0) - crashed)
    const ended = await bench.live(({ skill: { id } }) => done(id === 'get_user' ? { state: 'paired' } : {}))
    expect(bench.called.slice(1)).toEqual({ suspend_user: ['suspend_user ada'], unpair_user: ['get_user ada', 'unpair_user ada'] }[skill] ?? [])
    expect(await bench.decisions()).toHaveLength(ended ? 0 : 1)
    // Each execution finds it. People who count the lines count writes.
    expect(bench.log.filter(({ msg }) => msg === 'a write is in doubt')).toHaveLength(1)
  },
)

test.each(['suspend_user', 'unpair_user'])(
  'a process whose clock was far ahead delays the next one no longer than a call can last (%s)',
  async (skill) => {
    bench = await Bench.open(write(skill))
    bench.soon = true
    bench.clock.advance(3_600_000)
    await bench.live(() => {
      throw new Crash()
    })
    bench.clock.advance(-3_600_000)
    // Nobody knows how long ago the write left, so people are asked.
    expect(await bench.live(({ skill: { id } }) => done(id === 'get_user' ? { state: 'paired' } : {}))).toBe(false)
    expect(await bench.decisions()).toMatchObject([{ kind: 'in_doubt' }])
    expect(bench.called.filter((called) => called === `${skill} ada`)).toHaveLength(1)
    expect(bench.clock.slept.reduce((sum, slept) => sum + slept, 0)).toBeLessThan(60_000)
  },
)

test('if the probe finds the write, its answer becomes the output of the write', async () => {
  bench = await Bench.open(write('unpair_user', "- id: say\n  case: { note: 'is {{ steps.act.output.state }}' }"))
  await bench.live(({ skill }) => (skill.id === 'get_user' ? done({ state: 'unpaired' }) : failing('unknown')))
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
  expect((await bench.case()).timeline).toEqual(expect.arrayContaining([expect.objectContaining({ body: { kind: 'note', text: 'is unpaired' } })]))
})

test('if the probe finds that it did not happen, it is sent again', async () => {
  bench = await Bench.open(write('unpair_user'))
  await bench.live(() => {
    throw new Crash()
  })
  await bench.live(({ skill }) => (skill.id === 'get_user' ? done({ state: 'paired' }) : done({})))
  expect(bench.called).toEqual(['unpair_user ada', 'get_user ada', 'unpair_user ada'])
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

test('but if it is late, somebody may have undone the write, so people are asked', async () => {
  bench = await Bench.open(write('unpair_user'))
  await bench.live(() => {
    throw new Crash()
  })
  bench.clock.advance(10 * 60_000 + 1)
  await bench.live(({ skill }) => (skill.id === 'get_user' ? done({ state: 'paired' }) : done({})))
  expect(bench.called).toEqual(['unpair_user ada', 'get_user ada'])
  expect(await bench.ended()).toMatchObject({ state: 'waiting' })
  await bench.giveUp()
  expect(await bench.ended()).toMatchObject({ failure: { code: 'write_in_doubt' } })
})

test('if the probe does not answer, the write stays in doubt', async () => {
  bench = await Bench.open(write('unpair_user'))
  await bench.live(() => {
    throw new Crash()
  })
  await bench.live(() => failing('not_sent'))
  expect(bench.called.filter((call) => call.startsWith('unpair'))).toHaveLength(1)
  await bench.giveUp()
  expect(await bench.ended()).toMatchObject({ failure: { code: 'write_in_doubt' } })
})

describe('people who are asked are told why nobody knows', () => {
  const crashed = async (answer: Answer): Promise<Decision | undefined> => {
    bench = await Bench.open(write('unpair_user'))
    await bench.live(() => {
      throw new Crash()
    })
    await bench.live(answer)
    return (await bench.decisions())[0]
  }

  test.each<[string, CallResult, string]>([
    ['an answer that lacks what it looks at', done({ status: 'unpaired' }), 'output.state is not there'],
    ['an answer of another type', done({ state: 7 }), 'compare'],
    ['a refusal', failing('refused', 'access_refused'), 'access_refused'],
    ['an answer that nobody vouches for', { ok: true, output: { state: 'unpaired' }, unsigned: true }, 'is not signed'],
  ])('a probe that could not tell: %s', async (_, answer, why) => {
    const decision = await crashed(() => answer)
    expect(decision).toMatchObject({ kind: 'in_doubt', title: expect.stringContaining('directory.get_user could not tell: ') })
    expect(decision?.title).toContain(why)
    expect(bench.log).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        msg: 'a probe could not tell whether a write happened; asking people',
        organization: 'ACME',
        skill: 'directory.unpair_user',
        target: 'ada',
        connection: 'dir-prod',
        why: expect.stringContaining(why),
      }),
    )
  })

  test('a probe is retried if that may help, but not for long', async () => {
    let asked = 0
    const decision = await crashed(() => {
      asked += 1
      return asked < 3 ? failing('refused', 'rate_limited') : done({ state: 'unpaired' })
    })
    expect(decision).toBeUndefined()
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
    const slow = await crashed(() => ({
      ...failing('refused', 'rate_limited'),
      failure: { code: 'rate_limited', message: 'm', remedy: null, retryAfter: 60 },
    }))
    expect(bench.calls.filter(({ skill }) => skill.id === 'get_user')).toHaveLength(1)
    expect(slow?.title).toContain('rate_limited')
  })

  test('a long cause leaves room for the reason of the probe', async () => {
    bench = await Bench.open(write('unpair_user'))
    const long = { code: 'network', message: 'x'.repeat(5_000), remedy: null, retryAfter: null }
    await bench.live(({ skill }) => (skill.id === 'get_user' ? done({}) : { ok: false, effect: 'unknown', failure: long }))
    const [decision] = await bench.decisions()
    expect(decision?.title).toContain('directory.get_user could not tell: ')
    expect(decision?.title.length).toBeLessThanOrEqual(900)
  })

  test('each write in doubt is a line of the log, with what it was', async () => {
    bench = await Bench.open(write('page_user'))
    await bench.live(() => failing('unknown', 'call_timeout'))
    expect(bench.log.filter(({ msg }) => msg === 'a write is in doubt')).toMatchObject([
      {
        level: 'warn',
        organization: 'ACME',
        step: 'act',
        skill: 'directory.page_user',
        target: 'ada',
        connection: 'dir-prod',
        try: 1,
        code: 'call_timeout',
      },
    ])
  })
})

describe('nobody waits long to be asked', () => {
  test('however long the timeout of the write is', async () => {
    bench = await Bench.open(write('page_user', '  timeout: 1h\n'))
    await bench.live((call) => {
      expect(call.timeout).toBe(120_000)
      expect((call.sendBy ?? 0) - bench.clock.now()).toBe(120_000)
      return failing('unknown', 'call_timeout')
    })
    expect((await bench.decisions())[0]).toMatchObject({ kind: 'in_doubt' })
  })

  test('a read may take as long as its step says', async () => {
    bench = await Bench.open(playbook('- id: a\n  skill: directory.get_user\n  with: { user: ada }\n  timeout: 1h'))
    await bench.live((call) => {
      expect(call.timeout).toBe(3_600_000)
      return done({ state: 'active' })
    })
  })

  test('a probe that hangs is given up', async () => {
    bench = await Bench.open(write('unpair_user'))
    await bench.live(() => {
      throw new Crash()
    })
    await bench.live((call) => {
      expect(call.timeout).toBeLessThanOrEqual(30_000)
      bench.clock.advance(call.timeout)
      return failing('refused', 'call_timeout')
    })
    expect((await bench.decisions())[0]).toMatchObject({ kind: 'in_doubt' })
  })
})
