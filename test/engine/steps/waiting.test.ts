import { afterEach, describe, expect, test } from 'vitest'
import { systemScope } from '../../../runtime/domain/index.ts'
import { Bench, Crash, call, done, failing, playbook } from '../support/harness.ts'

let bench: Bench
afterEach(() => bench.close())

const minute = 60_000

describe('wait', () => {
  test('ends the job; later the run continues and repeats nothing', async () => {
    bench = await Bench.open(playbook(`${call('look', 'get_user', 'ada')}- id: cool\n  wait: { for: 10m }\n${call('act', 'page_user', 'ada')}`))
    const began = bench.clock.now()
    expect(await bench.live(() => done({ state: 'x' }))).toBe(false)
    expect(await bench.ended()).toMatchObject({ state: 'waiting', wakeAt: began + 10 * minute })
    expect(bench.called).toEqual(['get_user ada'])
    bench.clock.advance(10 * minute - 1)
    await expect(bench.live(() => done({}))).rejects.toThrow('asleep')
    bench.clock.advance(1)
    expect(await bench.live(() => done({}))).toBe(true)
    expect(bench.called).toEqual(['get_user ada', 'page_user ada'])
    expect(await bench.ended()).toMatchObject({ state: 'completed', epoch: 2 })
  })

  test('shows in the case what was written before it, once', async () => {
    bench = await Bench.open(
      playbook(
        `${call('act', 'suspend_user', 'ada')}- id: cool\n  wait: { for: 10m }\n${call('again', 'page_user', 'ada')}- id: rest\n  wait: { for: 10m }\n`,
      ),
    )
    const writes = async (): Promise<readonly unknown[]> =>
      (await bench.case()).timeline.flatMap(({ actor, body }) => (body.kind === 'action' && 'run' in actor ? [[actor.step, body.outcome]] : []))
    expect(await bench.live(() => done({}))).toBe(false)
    expect(await writes()).toEqual([['act', 'done']])
    bench.clock.advance(10 * minute)
    expect(await bench.live(() => done({}))).toBe(false)
    const both = [
      ['act', 'done'],
      ['again', 'done'],
    ]
    expect(await writes()).toEqual(both)
    bench.clock.advance(10 * minute)
    expect(await bench.live(() => done({}))).toBe(true)
    expect(await writes()).toEqual(both)
  })

  test('of a few seconds stays in the process', async () => {
    bench = await Bench.open(playbook(`- id: cool\n  wait: { for: 5s }\n${call('act', 'page_user', 'ada')}`))
    expect(await bench.live(() => done({}))).toBe(true)
    expect(bench.clock.slept).toEqual([5_000])
    expect(await bench.ended()).toMatchObject({ state: 'completed', epoch: 1 })
  })

  test('until a time that the alert names', async () => {
    bench = await Bench.open(playbook(`- id: cool\n  wait: { until: '{{ alert.content.when }}' }\n`), {
      when: new Date(1_800_000_000_000 + 7 * minute).toISOString(),
    })
    await bench.live(() => done({}))
    expect(await bench.ended()).toMatchObject({ state: 'waiting', wakeAt: 1_800_000_000_000 + 7 * minute })
    bench.clock.advance(7 * minute)
    expect(await bench.live(() => done({}))).toBe(true)
  })

  test('until a time within a millisecond, which some systems give, is until the end of that millisecond', async () => {
    bench = await Bench.open(playbook("- id: cool\n  wait: { until: '{{ alert.content.when }}' }\n"), { when: 1_800_000_600_000.25 })
    expect(await bench.live(() => done({}))).toBe(false)
    expect(await bench.ended()).toMatchObject({ state: 'waiting', wakeAt: 1_800_000_600_001 })
    bench.clock.advance(600_001)
    expect(await bench.live(() => done({}))).toBe(true)
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
  })

  test('until a past time does not wait', async () => {
    bench = await Bench.open(playbook("- id: cool\n  wait: { until: '2020-01-01' }\n"))
    expect(await bench.live(() => done({}))).toBe(true)
    expect(bench.clock.slept).toEqual([])
  })

  test('until a value that is not a time fails the step', async () => {
    bench = await Bench.open(playbook("- id: cool\n  wait: { until: '{{ alert.content.when }}' }\n"), { when: 'soon' })
    await bench.live(() => done({}))
    expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'template_failed', step: 'cool' } })
  })

  test('once over, stays over for a process whose clock is behind', async () => {
    bench = await Bench.open(playbook(`- id: cool\n  wait: { for: 10m }\n${call('act', 'suspend_user', 'ada')}`))
    await bench.live(() => done({}))
    bench.clock.advance(10 * minute)
    await bench.live(() => {
      throw new Crash()
    })
    // By more than five seconds, and people would be asked about the write.
    bench.clock.advance(-4_000)
    expect(await bench.live(() => done({}))).toBe(true)
  })

  test('no on_error catches a sleep', async () => {
    bench = await Bench.open(playbook(`- id: cool\n  wait: { for: 10m }\n  on_error:\n    - id: handler\n      case: { note: caught }\n`))
    await bench.live(() => done({}))
    bench.clock.advance(10 * minute)
    await bench.live(() => done({}))
    expect((await bench.case()).timeline.map(({ body }) => body.kind)).not.toContain('note')
  })
})

describe('a poll', () => {
  const poll = (rest = ''): string =>
    playbook(`
- id: gone
  wait:
    poll: { skill: directory.get_user, with: { user: ada } }
    every: 1m
    until: { '==': [{ var: output.state }, gone] }
    at_most: 3m
${rest}
- id: say
  case: { note: 'state {{ steps.gone.output.state | default: "none" }} {{ steps.gone.error.code | default: "" }}' }
`)

  test('calls at once, then after each interval, and returns the answer for which `until` is true', async () => {
    bench = await Bench.open(poll())
    for (const state of ['active', 'active']) {
      expect(await bench.live(() => done({ state }))).toBe(false)
      bench.clock.advance(minute)
    }
    expect(await bench.live(() => done({ state: 'gone' }))).toBe(true)
    // Each execution called once. Recorded answers are not requested again.
    expect(bench.called).toHaveLength(3)
    const { timeline } = await bench.case()
    expect(timeline).toContainEqual(expect.objectContaining({ body: { kind: 'note', text: 'state gone ' } }))
    expect(timeline.find(({ body }) => body.kind === 'lookups')?.body).toMatchObject({
      calls: [{ skill: 'directory.get_user', times: 3, failed: 0 }],
    })
  })

  test('fails if `until` is not true in time', async () => {
    bench = await Bench.open(poll())
    const began = bench.clock.now()
    while (!(await bench.live(() => done({ state: 'active' })))) bench.clock.advance(minute)
    expect(bench.called).toHaveLength(4)
    expect(bench.clock.now() - began).toBe(3 * minute)
    expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'wait_timed_out', step: 'gone' } })
  })

  test('that timed out can be handled by on_error', async () => {
    bench = await Bench.open(poll('  on_error: continue\n'))
    while (!(await bench.live(() => done({ state: 'active' })))) bench.clock.advance(minute)
    expect((await bench.case()).timeline).toContainEqual(expect.objectContaining({ body: { kind: 'note', text: 'state none wait_timed_out' } }))
  })

  test('continues after a temporary failure, and fails after any other', async () => {
    bench = await Bench.open(poll())
    await bench.live(() => failing('not_sent', 'network'))
    expect(await bench.ended()).toMatchObject({ state: 'waiting' })
    bench.clock.advance(minute)
    expect(await bench.live(() => failing('refused', 'credentials_rejected'))).toBe(true)
    expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'credentials_rejected', step: 'gone' } })
  })

  test('fails if its condition cannot be evaluated', async () => {
    bench = await Bench.open(poll())
    await bench.live(() => done({ other: 1 }))
    expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'condition_failed', step: 'gone' } })
  })
})

describe('the time limit', () => {
  test('includes waiting: a run that sleeps beyond it is woken to end', async () => {
    bench = await Bench.open(playbook('- id: cool\n  wait: { for: 1h }\n', 'limits: { time: 30m }'))
    const began = bench.clock.now()
    await bench.live(() => done({}))
    expect((await bench.ended()).wakeAt).toBe(began + 30 * minute + 1)
    bench.clock.advance(30 * minute + 1)
    expect(await bench.live(() => done({}))).toBe(true)
    expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'run_timeout' } })
  })

  test('does not count the time that people take', async () => {
    const steps = `- id: ask\n  approve: { title: Go on? }\n- id: cool\n  wait: { for: 20m }\n- id: say\n  case: { note: here }\n`
    bench = await Bench.open(playbook(steps, 'limits: { time: 30m }'))
    await bench.live(() => done({}))
    expect((await bench.ended()).wakeAt).toBeNull()
    bench.clock.advance(600 * minute)
    await bench.answer('approve')
    expect(await bench.live(() => done({}))).toBe(false)
    bench.clock.advance(20 * minute)
    expect(await bench.live(() => done({}))).toBe(true)
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
  })
})

test('a run whose time ends during a wait fails at the wait, and not at a step before it', async () => {
  bench = await Bench.open(
    playbook(
      `- { id: look, skill: directory.get_user, with: { user: ada } }
- { id: facts, set: { state: '{{ steps.look.output.state }}' } }
- { id: rest, wait: { for: 1s } }
- { id: longer, if: { '==': [{ var: vars.state }, active] }, then: [{ id: cool, wait: { for: 1h } }] }`,
      'limits: { time: 10m }',
    ),
  )
  await bench.live(() => done({ state: 'active' }))
  bench.clock.advance(600_001)
  await bench.live(() => done({}))
  expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'run_timeout', step: 'longer/cool' } })
})

test('a run whose time ends fails at the branch that still waits, and not at one that waited later and is over', async () => {
  bench = await Bench.open(
    playbook(
      `- id: both
  parallel:
    branches:
      long: [{ id: cool, wait: { for: 1h } }]
      short: [{ id: look, skill: directory.get_user, with: { user: ada } }, { id: rest, wait: { for: 1s } }]`,
      'limits: { time: 10m }',
    ),
  )
  await bench.live(() => done({ state: 'active' }))
  bench.clock.advance(600_001)
  await bench.live(() => done({}))
  expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'run_timeout', step: 'both/long/cool' } })
})

test('a run that sleeps and dies at any call reaches the same end, and repeats only the write at which it died', async () => {
  const text = playbook(`
${call('look', 'get_user', 'ada')}- id: cool
  wait: { for: 10m }
- id: gone
  wait: { poll: { skill: directory.get_user, with: { user: bob } }, every: 1m, until: { '==': [{ var: output.state }, gone] }, at_most: 1h }
- id: ask
  approve: { title: 'Suspend ada?', covers: act }
${call('act', 'suspend_user', 'ada')}- id: say
  case: { note: 'approved by {{ steps.ask.output.by | join: ", " }}' }
`)
  /** Executes the run until it has ended, wakes it, and answers as needed. */
  async function toTheEnd(deaths: readonly number[]): Promise<void> {
    for (let life = 0; life < 20; life += 1) {
      const ended = await bench.live(({ skill, input }, number) => {
        if (deaths.includes(number)) throw new Crash()
        const polls = bench.called.filter((name) => name === 'get_user bob').length
        return done({ state: skill.id === 'get_user' && (input as { user: string }).user === 'bob' && polls < 3 ? 'there' : 'gone' })
      })
      if (ended) return
      const run = await bench.ended()
      if (run.state === 'waiting' && run.wakeAt === null) await bench.answer('approve')
      else if (run.wakeAt !== null) bench.clock.advance(Math.max(0, run.wakeAt - bench.clock.now()))
    }
    throw new Error('the run did not end')
  }
  bench = await Bench.open(text)
  await toTheEnd([])
  const whole = bench.called
  expect(whole).toEqual(['get_user ada', 'get_user bob', 'get_user bob', 'get_user bob', 'suspend_user ada'])
  const said = async () =>
    (await bench.case()).timeline.filter(({ body }) => ['note', 'decision', 'action'].includes(body.kind)).map(({ body }) => body)
  const expected = await said()
  expect(expected).toHaveLength(4)
  for (let death = 1; death <= whole.length; death += 1) {
    await bench.close()
    bench = await Bench.open(text)
    await toTheEnd([death])
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
    expect(bench.called.filter((name) => name.startsWith('suspend'))).toHaveLength(whole[death - 1]?.startsWith('suspend') ? 2 : 1)
    expect(await said()).toEqual(expected)
  }
})

test('a run that polls keeps to its time limit, and is not woken again and again after it', async () => {
  const poll =
    "- id: poll\n  wait:\n    poll: { skill: directory.get_user, with: { user: ada } }\n    every: 5m\n    until: { '==': [{ var: output.state }, gone] }\n    at_most: 1h\n"
  bench = await Bench.open(playbook(`${poll}- id: cool\n  wait: { for: 2h }\n- id: more\n  wait: { for: 2h }\n`, 'limits: { time: 10m }'))
  await bench.live(() => done({ state: 'there' }))
  bench.clock.advance(9 * minute)
  await bench.live(() => done({ state: 'gone' }))
  const { wakeAt, startedAt } = await bench.ended()
  expect(wakeAt).toBe(startedAt + 10 * minute + 1)
  bench.clock.advance(2 * minute)
  expect(await bench.live(() => Promise.reject(new Error('nothing is to be called any more')))).toBe(true)
  expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'run_timeout' } })
})

test('a sleeping run leaves its alert in progress, and needs no session', async () => {
  bench = await Bench.open(playbook('- id: cool\n  wait: { for: 10m }\n'))
  await bench.live(() => done({}))
  expect(await bench.store.runs.orphans(systemScope, 9)).toEqual([])
  expect((await bench.store.alerts.get(systemScope, [(await bench.ended()).alert]))[0]?.status).toBe(10)
})

describe('branches', () => {
  const branches = (join: string, rest = 'finish'): string =>
    playbook(`
- id: look
  parallel:
    join: ${join}
    rest: ${rest}
    branches:
      slow:
        - { id: cool, wait: { for: 10m } }
        - { id: late, skill: directory.page_user, with: { user: ada } }
      asked:
        - { id: ask, approve: { title: Go on? } }
        - { id: told, skill: directory.page_user, with: { user: bob } }
      quick:
        - { id: now, skill: directory.page_user, with: { user: eve } }
- id: say
  case: { note: '{{ steps.look.output.slow.status }} {{ steps.look.output.asked.status }} {{ steps.look.output.quick.status }}' }
`)
  const notes = async (): Promise<unknown[]> => (await bench.case()).timeline.flatMap(({ body }) => (body.kind === 'note' ? [body.text] : []))

  test('that sleep are waited for if all are needed', async () => {
    bench = await Bench.open(branches('all'))
    expect(await bench.live(() => done({}))).toBe(false)
    expect(bench.called).toEqual(['page_user eve'])
    await bench.answer('approve')
    expect(await bench.live(() => done({}))).toBe(false)
    expect(bench.called).toEqual(['page_user eve', 'page_user bob'])
    bench.clock.advance(10 * minute)
    expect(await bench.live(() => done({}))).toBe(true)
    expect(bench.called).toEqual(['page_user eve', 'page_user bob', 'page_user ada'])
    expect(await notes()).toEqual(['done done done'])
  })

  test('that sleep delay nothing if one is enough, and the end waits for them', async () => {
    bench = await Bench.open(branches('any'))
    expect(await bench.live(() => done({}))).toBe(false)
    expect(await notes()).toEqual(['left left done'])
    bench.clock.advance(10 * minute)
    expect(await bench.live(() => done({}))).toBe(false)
    await bench.answer('decline')
    expect(await bench.live(() => done({}))).toBe(true)
    expect(bench.called).toEqual(['page_user eve', 'page_user ada'])
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
    expect(await notes()).toEqual(['left left done'])
  })

  test('that were cancelled are neither woken nor ask people any more', async () => {
    bench = await Bench.open(branches('any', 'cancel'))
    expect(await bench.live(() => done({}))).toBe(true)
    expect(bench.called).toEqual(['page_user eve'])
    expect(await notes()).toEqual(['cancelled cancelled done'])
    expect(await bench.decisions()).toMatchObject([{ state: 'withdrawn' }])
  })
})
