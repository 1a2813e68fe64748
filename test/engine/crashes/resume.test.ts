import { afterEach, expect, test } from 'vitest'
import type { Store } from '../../../runtime/storage/index.ts'
import { Bench, Crash, done, failing, playbook } from '../support/harness.ts'
import { retracing } from '../support/retraced.ts'

let bench: Bench
afterEach(() => bench.close())

const loop = playbook(`
- id: each
  foreach: '{{ alert.content.users }}'
  as: user
  max_items: 10
  steps:
    - id: look
      skill: directory.get_user
      with: { user: '{{ user }}' }
    - id: active
      if: { '==': [{ var: steps.look.output.state }, active] }
      then:
        - id: act
          skill: directory.suspend_user
          with: { user: '{{ user }}' }
- id: say
  case: { note: '{{ steps.each.output.items | size }} users', severity: high }
`)

const users = ['ada', 'bob', 'eve']
const states: Record<string, string> = { ada: 'active', bob: 'gone', eve: 'active' }

/** Returns what the case says, without times. */
async function said(bench: Bench): Promise<string[]> {
  return (await bench.case()).timeline.map(({ body }) => JSON.stringify(body)).sort()
}

test('a run that dies at any call reaches the same end, and repeats only what it must', async () => {
  const whole = await Bench.open(loop, { users })
  await whole.live(({ input }) => done({ state: states[(input as { user: string }).user] ?? '' }))
  const calls = whole.called
  expect(calls).toEqual(['get_user ada', 'suspend_user ada', 'get_user bob', 'get_user eve', 'suspend_user eve'])
  const expected = await said(whole)
  await whole.close()

  for (let death = 1; death <= calls.length; death++) {
    bench = await Bench.open(loop, { users })
    await bench.live(({ input }, number) => {
      if (number === death) throw new Crash()
      return done({ state: states[(input as { user: string }).user] ?? '' })
    })
    await bench.live(({ input }) => done({ state: states[(input as { user: string }).user] ?? '' }))
    expect(await bench.ended()).toMatchObject({ state: 'completed', epoch: 2 })
    // A read whose record was not durable may be repeated. A write is repeated only where the process died.
    const writes = bench.called.filter((call) => call.startsWith('suspend'))
    const died = calls[death - 1] ?? ''
    expect(writes).toEqual(
      died.startsWith('suspend')
        ? [...calls.slice(0, death), ...calls.slice(death - 1)].filter((call) => call.startsWith('suspend'))
        : calls.filter((call) => call.startsWith('suspend')),
    )
    expect(await said(bench)).toEqual(expected)
    if (death < calls.length) await bench.close()
  }
})

test('a replay takes the same branch, whatever the condition says now', async () => {
  bench = await Bench.open(
    playbook(`
- id: look
  skill: directory.get_user
  with: { user: ada }
- id: branch
  if: { '==': [{ var: steps.look.output.state }, active] }
  then: [{ id: act, skill: directory.suspend_user, with: { user: ada } }]
  else: [{ id: other, skill: directory.suspend_user, with: { user: bob } }]`),
  )
  await bench.live(({ skill }) => {
    if (skill.id === 'suspend_user') throw new Crash()
    return done({ state: 'active' })
  })
  await bench.live(({ skill }) => done({ state: skill.id === 'get_user' ? 'changed' : '' }))
  expect(bench.called.filter((call) => call.startsWith('suspend'))).toEqual(['suspend_user ada', 'suspend_user ada'])
})

test('a worker that has lost its run sends no further write', async () => {
  bench = await Bench.open(
    playbook('- id: look\n  skill: directory.get_user\n  with: { user: ada }\n- id: act\n  skill: directory.page_user\n  with: { user: ada }'),
  )
  let second: Promise<boolean> | null = null
  const first = bench.live(async ({ skill }, number) => {
    if (number > 1) return done({})
    // While it reads, its session is declared dead and another process takes the run to its end.
    await bench.store.sessions.bury({ organizations: 'all' }, -1)
    second = bench.live(() => done({ state: 'active' }))
    await second
    expect(skill.id).toBe('get_user')
    return done({ state: 'active' })
  })
  await expect(first).rejects.toThrow(expect.objectContaining({ name: 'Superseded' }))
  expect(bench.called.filter((call) => call.startsWith('page'))).toEqual(['page_user ada'])
  expect(await bench.ended()).toMatchObject({ state: 'completed', epoch: 2 })
})

test('a resumed run that renders another input stops with its own error, whatever on_error says', async () => {
  const steps = (user: string): string =>
    playbook(`
- id: look
  skill: directory.get_user
  with: { user: ${user} }
  on_error: continue
- id: act
  skill: directory.page_user
  with: { user: ada }`)
  bench = await Bench.open(steps('ada'))
  await bench.live((_call, number) => {
    if (number === 2) throw new Crash()
    return done({ state: 'x' })
  })
  bench.swap(steps('bob'))
  await bench.live(() => done({ state: 'x' }))
  expect(bench.called).toEqual(['get_user ada', 'page_user ada'])
  // Before it ends, people are asked about the write that was under way.
  await bench.giveUp()
  expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'journal_mismatch', step: 'look' } })
})

test.each(['suspend_user', 'page_user', 'ring_user'])('a write in doubt is not sent with another input: %s', async (skill) => {
  const steps = (user: string): string => playbook(`[{ id: act, skill: directory.${skill}, with: { user: ${user} } }]`)
  bench = await Bench.open(steps('ada'))
  await bench.live(() => {
    throw new Crash()
  })
  bench.swap(steps('bob'))
  await bench.live(() => done({ state: 'x' }))
  // Nobody else knows whether the first one happened.
  const asked = await bench.giveUp()
  expect(asked.title).toContain(`directory.${skill} on ada`)
  expect(bench.called).toEqual([`${skill} ada`])
  expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'journal_mismatch', step: 'act' } })
})

test('a large output is stored beside the journal and is there after a crash', async () => {
  bench = await Bench.open(
    playbook(`
- id: look
  skill: directory.get_user
  with: { user: ada }
- id: act
  skill: directory.suspend_user
  with: { user: '{{ steps.look.output.state | slice: 0, 3 }}' }`),
  )
  const state = `bob${'x'.repeat(100_000)}`
  await bench.live(({ skill }) => {
    if (skill.id === 'suspend_user') throw new Crash()
    return done({ state })
  })
  await bench.live(() => done({}))
  expect(bench.called).toEqual(['get_user ada', 'suspend_user bob', 'suspend_user bob'])
  const record = (await bench.records()).find(({ kind }) => kind === 'done')
  expect(JSON.stringify(record).length).toBeLessThan(1_000)
})

test('a large output whose process died before it was recorded does not come back in place of the next one', async () => {
  bench = await Bench.open(
    playbook(`
- id: look
  skill: directory.get_user
  with: { user: ada }
- id: again
  skill: directory.get_user
  with: { user: '{{ steps.look.output.state | slice: 0, 3 }}' }
- id: rest
  wait: { for: 10m }
- id: act
  skill: directory.suspend_user
  with: { user: '{{ steps.look.output.state | slice: 0, 3 }}' }`),
  )
  const long = (user: string): string => `${user}${'x'.repeat(100_000)}`
  let stored = false
  const dies: Store = {
    ...bench.store,
    journal: {
      ...bench.store.journal,
      async putOutput(...parameters) {
        await bench.store.journal.putOutput(...parameters)
        stored = true
      },
      async append(...parameters) {
        if (stored) throw new Crash()
        return bench.store.journal.append(...parameters)
      },
    },
  }
  await bench.live(() => done({ state: long('bob') }), dies)
  expect(stored).toBe(true)
  await bench.live(({ input }) => done({ state: (input as { user: string }).user === 'ada' ? long('eve') : 'active' }))
  bench.clock.advance(600_000)
  await bench.live(() => done({}))
  expect(await bench.ended()).toMatchObject({ state: 'completed', failure: null })
  expect(bench.called.slice(-2)).toEqual(['get_user eve', 'suspend_user eve'])
})

test('a run that was refused ends with the reason, also if its process dies before it has said so', async () => {
  bench = await Bench.open(playbook('- { id: act, skill: directory.page_user, with: { user: ada } }'))
  bench.refused = { code: 'playbook_invalid', message: '7:5 there is no skill directory.page_user', remedy: 'Correct it.', step: null }
  const end = (): Promise<never> => Promise.reject(new Crash())
  await bench.live(() => done({}), { ...bench.store, runs: { ...bench.store.runs, end } })
  await bench.live(() => done({}))
  expect(bench.called).toEqual([])
  const run = await bench.ended()
  expect(run).toMatchObject({ state: 'failed', epoch: 2, failure: bench.refused })
  expect(await retracing(() => bench).list()).toMatchObject({ items: [], note: null })
  expect(run.pins.refused).toEqual(bench.refused)
})

test('a step that failed fails again in the next execution without a call', async () => {
  bench = await Bench.open(
    playbook(
      '- id: look\n  skill: directory.get_user\n  with: { user: ada }\n  on_error: continue\n- id: act\n  skill: directory.suspend_user\n  with: { user: bob }',
    ),
  )
  await bench.live(({ skill }) => {
    if (skill.id === 'suspend_user') throw new Crash()
    return failing('refused', 'credentials_rejected')
  })
  await bench.live(() => done({}))
  expect(bench.called).toEqual(['get_user ada', 'suspend_user bob', 'suspend_user bob'])
})

test('an iteration that an earlier execution began is settled, although another one has failed', async () => {
  bench = await Bench.open(
    playbook(`
- id: each
  foreach: [ada, bob, eve]
  as: user
  concurrency: 2
  steps:
    - id: act
      skill: directory.page_user
      with: { user: '{{ user }}' }`),
  )
  await bench.live(async ({ input }) => {
    const { user } = input as { user: string }
    if (user === 'ada') return done({})
    if (user === 'eve') throw new Crash()
    await new Promise((resolve) => setImmediate(resolve))
    return failing('refused', 'credentials_rejected')
  })
  await bench.live(() => done({}))
  await bench.giveUp()
  // Nobody knows whether eve's page was sent. The case says so, and it is not sent again.
  expect(bench.called).toEqual(['page_user ada', 'page_user bob', 'page_user eve'])
  const outcomes = (await bench.case()).timeline.flatMap(({ body }) => (body.kind === 'action' ? [body.outcome] : []))
  expect(outcomes.sort()).toEqual(['credentials_rejected', 'done', 'write_in_doubt'])
})
