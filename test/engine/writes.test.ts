import { afterEach, describe, expect, test } from 'vitest'
import type { Decision } from '../../runtime/domain/index.ts'
import type { CallResult } from '../../runtime/plugin/index.ts'
import { type Answer, Bench, Crash, done, failing, playbook } from './harness.ts'

let bench: Bench
afterEach(() => bench.close())

const write = (skill: string, rest = ''): string => playbook(`- id: act\n  skill: directory.${skill}\n  with: { user: ada }\n${rest}`)

test('a write is called once, its intent durable before it leaves', async () => {
  bench = await Bench.open(write('page_user'))
  await bench.live(async () => {
    expect((await bench.records()).map(({ kind }) => kind)).toEqual(['claimed', 'decided', 'intent'])
    return done({ state: 'paged' })
  })
  expect(bench.called).toEqual(['page_user ada'])
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

test('the same step has the same call key in every life, and another step another', async () => {
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

test('a write that may not be repeated and cannot be asked about is put before a person after a crash, and not sent again', async () => {
  bench = await Bench.open(write('page_user'))
  expect(
    await bench.live(() => {
      throw new Crash()
    }),
  ).toBe(false)
  expect(await bench.live(() => done({}))).toBe(false)
  expect(bench.called).toEqual(['page_user ada'])
  expect(await bench.giveUp()).toMatchObject({
    kind: 'in_doubt',
    step: 'act',
    title: expect.stringContaining('Did directory.page_user on ada happen?'),
    actions: [{ skill: 'directory.page_user', target: 'ada', input: { user: 'ada' }, connection: { instance: 'dir-prod' } }],
    expiresAt: null,
  })
  expect(await bench.ended()).toMatchObject({
    state: 'failed',
    failure: { code: 'write_in_doubt', step: 'act', message: expect.stringContaining('directory.page_user on ada') },
  })
  expect((await bench.case()).timeline).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        body: { kind: 'action', skill: 'directory.page_user', connection: 'dir-prod', outcome: 'write_in_doubt', target: 'ada', effect: 'unknown' },
      }),
    ]),
  )
})

test.each(['unknown'] as const)('an answer that never came leaves such a write in doubt at once', async (effect) => {
  bench = await Bench.open(write('page_user'))
  await bench.live(() => failing(effect, 'call_timeout'))
  expect(bench.called).toEqual(['page_user ada'])
  await bench.giveUp()
  expect(await bench.ended()).toMatchObject({ failure: { code: 'write_in_doubt' } })
})

test('what was given up fails the step, and an on_error sees it', async () => {
  bench = await Bench.open(write('page_user', "  on_error: continue\n- id: say\n  case: { note: 'was {{ steps.act.error.code }}' }"))
  await bench.live(() => failing('unknown', 'network'))
  expect(await bench.ended()).toMatchObject({ state: 'waiting', wakeAt: null })
  await bench.giveUp()
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
  expect((await bench.case()).timeline).toEqual(
    expect.arrayContaining([expect.objectContaining({ body: { kind: 'note', text: 'was write_in_doubt' } })]),
  )
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
  /** Runs all lives until the run has ended or waits for a person. */
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

  test('counts on over lives', async () => {
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
  'what a life may have sent that only stood still is neither repeated nor asked about while it can still leave (%s)',
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
  },
)

test.each(['suspend_user', 'unpair_user'])(
  'a life whose clock was far ahead holds up the next no longer than a call can last (%s)',
  async (skill) => {
    bench = await Bench.open(write(skill))
    bench.soon = true
    bench.clock.advance(3_600_000)
    await bench.live(() => {
      throw new Crash()
    })
    bench.clock.advance(-3_600_000)
    expect(await bench.live(({ skill: { id } }) => done(id === 'get_user' ? { state: 'paired' } : {}))).toBe(true)
    expect(bench.called.filter((called) => called === `${skill} ada`)).toHaveLength(2)
    expect(bench.clock.slept.reduce((sum, slept) => sum + slept, 0)).toBeLessThan(60_000)
  },
)

test('what the probe was answered is the output of a write that it finds to have happened', async () => {
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

test('but not so late that somebody may have undone what happened: then people are asked', async () => {
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
        msg: 'whether a write happened could not be found out; people are asked',
        organization: 'ACME',
        skill: 'directory.unpair_user',
        target: 'ada',
        connection: 'dir-prod',
        why: expect.stringContaining(why),
      }),
    )
  })

  test('a probe is asked again where that may help, and not for long', async () => {
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

  test('a long cause does not take the room of what the probe could not tell', async () => {
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
  test('however long a step lets a write take', async () => {
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

test('a repeated write that is refused says nothing of the try before it, which is put before a person', async () => {
  bench = await Bench.open(write('suspend_user'))
  await bench.live((_call, number) => (number === 1 ? failing('unknown', 'call_timeout') : failing('refused', 'rate_limited')))
  expect(bench.called.length).toBeGreaterThan(1)
  expect(await bench.ended()).toMatchObject({ state: 'waiting' })
  expect(await bench.decisions()).toMatchObject([{ kind: 'in_doubt', state: 'open' }])
  const calls = bench.called.length
  await bench.answer('happened')
  await bench.live(() => Promise.reject(new Error('nothing is to be called any more')))
  expect(bench.called).toHaveLength(calls)
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
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

describe('what a person says of a write in doubt', () => {
  const noted = write('page_user', '- id: say\n  case: { note: \'is {{ steps.act.output.state | default: "unknown" }}\' }')
  const notes = async (): Promise<unknown[]> => (await bench.case()).timeline.flatMap(({ body }) => (body.kind === 'note' ? [body.text] : []))

  test.each([
    [{ state: 'paged' }, 'is paged'],
    [null, 'is unknown'],
    [{ state: 7 }, 'is unknown'],
  ])('that it happened (%j): the run goes on, and nothing is sent again', async (output, note) => {
    bench = await Bench.open(noted)
    await bench.live(() => failing('unknown'))
    await bench.answer('happened', 'ada', { output, reason: 'Seen in the console' })
    expect(await bench.live(() => done({}))).toBe(true)
    expect(bench.called).toEqual(['page_user ada'])
    expect(await notes()).toEqual([note])
    const { timeline } = await bench.case()
    expect(timeline).toContainEqual(expect.objectContaining({ body: expect.objectContaining({ kind: 'action', outcome: 'done' }) }))
    expect(timeline.filter(({ body }) => body.kind === 'decision').map(({ body }) => body)).toMatchObject([
      { state: 'open' },
      { state: 'settled', by: ['ada'], text: 'Seen in the console' },
    ])
  })

  test('that it is to be sent again: it is, once; and is asked about anew when that, too, is in doubt', async () => {
    bench = await Bench.open(noted)
    await bench.live(() => failing('unknown'))
    await bench.answer('repeat')
    expect(await bench.live(() => failing('unknown'))).toBe(false)
    expect(bench.called).toEqual(['page_user ada', 'page_user ada'])
    expect((await bench.decisions()).map(({ state }) => state).sort()).toEqual(['open', 'settled'])
    await bench.answer('repeat')
    expect(await bench.live(() => done({ state: 'paged' }))).toBe(true)
    expect(bench.called).toHaveLength(3)
    expect(await notes()).toEqual(['is paged'])
  })

  test('counts also for a life that died when it had heard it', async () => {
    bench = await Bench.open(
      playbook('- id: act\n  skill: directory.page_user\n  with: { user: ada }\n- id: next\n  skill: directory.suspend_user\n  with: { user: bob }'),
    )
    await bench.live(() => failing('unknown'))
    await bench.answer('happened')
    await bench.live(() => {
      throw new Crash()
    })
    expect(await bench.live(() => done({}))).toBe(true)
    expect(bench.called).toEqual(['page_user ada', 'suspend_user bob', 'suspend_user bob'])
    expect(await bench.decisions()).toHaveLength(1)
  })

  test('is asked of others before: while one writes is in doubt, what runs beside it goes on', async () => {
    const text = playbook(`
- id: each
  foreach: [ada, bob]
  as: user
  concurrency: 2
  steps:
    - { id: act, skill: directory.page_user, with: { user: '{{ user }}' } }
    - { id: then, skill: directory.suspend_user, with: { user: '{{ user }}' } }
`)
    bench = await Bench.open(text)
    await bench.live(({ skill, input }) => (skill.id === 'page_user' && (input as { user: string }).user === 'ada' ? failing('unknown') : done({})))
    expect(bench.called.sort()).toEqual(['page_user ada', 'page_user bob', 'suspend_user bob'])
    await bench.answer('happened')
    expect(await bench.live(() => done({}))).toBe(true)
    expect(bench.called.at(-1)).toBe('suspend_user ada')
  })

  test('is not waited for in the time limit', async () => {
    bench = await Bench.open(
      playbook('- id: act\n  skill: directory.page_user\n  with: { user: ada }\n- id: say\n  case: { note: on }', 'limits: { time: 5m }'),
    )
    await bench.live(() => failing('unknown'))
    bench.clock.advance(3_600_000)
    await bench.answer('happened')
    await bench.live(() => done({}))
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
  })
})

test('people are not asked while what was sent may still be on its way', async () => {
  bench = await Bench.open(write('page_user'))
  const began = bench.clock.now()
  await bench.live(() => failing('unknown', 'network'))
  const [asked] = await bench.decisions()
  expect((asked?.askedAt ?? 0) - began).toBeGreaterThanOrEqual(5_000)
})
