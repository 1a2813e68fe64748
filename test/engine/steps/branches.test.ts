import { afterEach, describe, expect, test } from 'vitest'
import type { Json } from '../../../runtime/domain/index.ts'
import { type Answer, Bench, Crash, done, failing, playbook } from '../support/harness.ts'

let bench: Bench
afterEach(() => bench.close())

const call = (id: string, user: string, skill = 'get_user'): string => `- id: ${id}\n  skill: directory.${skill}\n  with: { user: ${user} }`
const indent = (text: string, by: number): string => text.replace(/^(?=.)/gm, ' '.repeat(by))
/** Returns a parallel step with these branches, and steps after it. */
function parallel(keys: string, branches: Readonly<Record<string, string>>, after = '', more = ''): string {
  const list = Object.entries(branches).map(([name, steps]) => `      ${name}:\n${indent(steps.trim(), 8)}`)
  return playbook(`- id: look\n${more}  parallel:\n${keys === '' ? '' : `    ${keys}\n`}    branches:\n${list.join('\n')}\n${after.trim()}`)
}
const tell = (id: string, template: string): string => `- id: ${id}\n  case: { finding: { title: ${id}, risk: low, evidence: '{{ ${template} }}' } }`

/** Returns the evidence of a finding in the case. */
async function told(title: string): Promise<Json | undefined> {
  const found = (await bench.case()).timeline.find(({ body }) => body.kind === 'finding' && body.title === title)
  return found?.body.kind === 'finding' ? found.body.evidence : undefined
}
const userOf = (input: Json): string => (input as { user: string }).user
/** Answers the calls of some users only after another user's call. */
function gated(waits: Readonly<Record<string, string>>, answer: Answer = ({ input }) => done({ state: userOf(input) })): Answer {
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const gate = (user: string): PromiseWithResolvers<void> => {
    const standing = gates.get(user) ?? Promise.withResolvers<void>()
    gates.set(user, standing)
    return standing
  }
  return async (call, number) => {
    const user = userOf(call.input)
    gate(user).resolve()
    if (waits[user] !== undefined) await gate(waits[user]).promise
    return answer(call, number)
  }
}

describe('switch', () => {
  const decide = playbook(`
- id: decide
  switch:
    - when: { '==': [{ var: alert.content.level }, high] }
      steps:
        ${call('a', 'ada').replaceAll('\n', '\n        ')}
    - when: { '!=': [{ var: alert.content.level }, none] }
      steps:
        ${call('b', 'bob').replaceAll('\n', '\n        ')}
${tell('taken', 'steps.decide.output')}`)

  test.each([
    ['high', ['get_user ada'], 0],
    ['low', ['get_user bob'], 1],
    ['none', [], null],
  ])('takes the first case that is true: %s', async (level, called, taken) => {
    bench = await Bench.open(decide, { level })
    await bench.live(() => done({ state: 'x' }))
    expect(bench.called).toEqual(called)
    expect(await told('taken')).toBe(taken)
  })

  test('the default is taken if no case is true, and its steps have addresses below the switch', async () => {
    bench = await Bench.open(playbook(`- id: decide\n  switch:\n    - default: true\n      steps:\n${indent(call('a', 'ada'), 8)}`))
    await bench.live(() => failing('refused', 'credentials_rejected'))
    expect(await bench.ended()).toMatchObject({ failure: { code: 'credentials_rejected', step: 'decide/a' } })
  })
})

describe('parallel', () => {
  test('runs its branches at the same time; later steps see their results', async () => {
    const one = `${call('a', 'ada')}\n- id: set_a\n  set: { first: '{{ steps.a.output.state }}' }`
    bench = await Bench.open(
      parallel(
        '',
        { one, two: call('b', 'bob') },
        `${tell('join', 'steps.look.output')}\n${tell('state', 'steps.b.output.state')}\n${tell('first', 'vars.first')}`,
      ),
    )
    // Each waits for the other. Run one after the other, they would wait forever.
    await bench.live(gated({ ada: 'bob', bob: 'ada' }))
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
    expect(await told('join')).toEqual({ one: { status: 'done' }, two: { status: 'done' } })
    expect([await told('state'), await told('first')]).toEqual(['bob', 'ada'])
  })

  test('fails with the failure of a branch when the others have ended', async () => {
    const two = `${call('b', 'bob')}\n${call('c', 'eve')}`
    bench = await Bench.open(parallel('', { one: call('a', 'ada'), two }, tell('why', 'steps.look.error.code'), '  on_error: continue\n'))
    await bench.live(({ input }) => (userOf(input) === 'ada' ? failing('refused', 'credentials_rejected') : done({ state: 'x' })))
    expect(bench.called.toSorted()).toEqual(['get_user ada', 'get_user bob', 'get_user eve'])
    expect(await told('why')).toBe('credentials_rejected')
  })

  test('any: continues after the first branch, and the run ends with the last', async () => {
    const slow = `${call('b', 'bob')}\n${call('c', 'eve')}`
    bench = await Bench.open(
      parallel(
        'join: any',
        { quick: call('a', 'ada'), slow },
        `${call('d', 'dan')}\n${tell('join', 'steps.look.output')}\n${tell('unseen', 'steps.b.status | default: "nothing"')}`,
      ),
    )
    await bench.live(gated({ bob: 'dan' }))
    expect(bench.called).toEqual(['get_user ada', 'get_user bob', 'get_user dan', 'get_user eve'])
    expect(await told('join')).toEqual({ quick: { status: 'done' }, slow: { status: 'left' } })
    expect(await told('unseen')).toBe('nothing')
  })

  test('any: a failed branch is not waited for, and a failure after the join is reported', async () => {
    bench = await Bench.open(
      parallel(
        'join: any',
        { bad: call('a', 'ada'), good: call('b', 'bob'), late: call('c', 'eve') },
        `${tell('join', 'steps.look.output')}\n${call('d', 'dan')}`,
      ),
    )
    await bench.live(
      gated({ bob: 'ada', eve: 'dan' }, ({ input }) =>
        ['ada', 'eve'].includes(userOf(input)) ? failing('refused', 'credentials_rejected') : done({ state: 'x' }),
      ),
    )
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
    expect(await told('join')).toMatchObject({
      bad: { status: 'failed', error: { code: 'credentials_rejected' } },
      good: { status: 'done' },
      late: { status: 'left' },
    })
    expect((await bench.case()).timeline.flatMap(({ body }) => (body.kind === 'failure' ? [body.text] : []))).toEqual([
      'look/late/c: credentials_rejected (refused)',
    ])
  })

  test('cancel: the others begin no further step, and steps under way finish', async () => {
    const slow = `${call('b', 'bob', 'suspend_user')}\n${call('c', 'eve')}`
    bench = await Bench.open(
      parallel('join: any\n    rest: cancel', { quick: call('a', 'ada'), slow }, `${call('d', 'dan')}\n${tell('join', 'steps.look.output')}`),
    )
    await bench.live(gated({ bob: 'dan' }))
    expect(bench.called.toSorted()).toEqual(['get_user ada', 'get_user dan', 'suspend_user bob'])
    expect(await told('join')).toEqual({ quick: { status: 'done' }, slow: { status: 'cancelled' } })
    expect((await bench.case()).timeline.flatMap(({ body }) => (body.kind === 'action' ? [body.outcome] : []))).toEqual(['done'])
  })

  test('at_least: fails as soon as too few branches can succeed', async () => {
    bench = await Bench.open(parallel('join: { at_least: 2 }', { one: call('a', 'ada'), two: call('b', 'bob'), three: call('c', 'eve') }))
    await bench.live(({ input }) => (userOf(input) === 'eve' ? done({ state: 'x' }) : failing('refused', 'credentials_rejected')))
    const { failure } = await bench.ended()
    expect(failure).toMatchObject({ code: 'branches_failed', step: 'look' })
    expect(failure?.message).toMatch(/^[01] of the 2 required branches succeeded \(one: credentials_rejected, .*two: credentials_rejected, /)
  })

  test('a stop in a branch ends the run: steps under way finish, no further step begins', async () => {
    const stop = `${call('a', 'ada')}\n- id: halt\n  stop: { outcome: completed, reason: enough }`
    bench = await Bench.open(parallel('', { stop, other: `${call('b', 'bob')}\n${call('c', 'eve')}` }, call('d', 'dan')))
    await bench.live(async ({ input }) => {
      if (userOf(input) === 'bob') for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
      return done({ state: 'x' })
    })
    expect(bench.called).toEqual(['get_user ada', 'get_user bob'])
    expect(await bench.ended()).toMatchObject({ state: 'completed', reason: 'enough' })
  })

  test('a stop in a branch that was left also ends the run', async () => {
    const late = `${call('b', 'bob')}\n- id: halt\n  stop: { outcome: failed, reason: enough }`
    bench = await Bench.open(parallel('join: any', { quick: call('a', 'ada'), late }, `${call('d', 'dan')}\n${call('e', 'eve')}`))
    await bench.live(
      gated({ bob: 'dan', dan: 'bob' }, async ({ input }) => {
        if (userOf(input) === 'dan') for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
        return done({ state: 'x' })
      }),
    )
    expect(bench.called).toEqual(['get_user ada', 'get_user bob', 'get_user dan'])
    expect(await bench.ended()).toMatchObject({ state: 'failed', reason: 'enough', failure: { code: 'run_stopped' } })
  })

  test('each branch has its own copy of the variables', async () => {
    const two = `${call('b', 'bob')}\n- id: see\n  case: { note: 'two sees {{ vars.n }}' }\n- id: own\n  set: { m: 5 }`
    bench = await Bench.open(
      parallel('', { one: '- id: more\n  set: { n: 2 }', two }, '- id: all\n  case: { note: "after: {{ vars.n }} {{ vars.m }}" }').replace(
        'steps:\n',
        'steps:\n  - id: start\n    set: { n: 1 }\n',
      ),
    )
    await bench.live(() => done({ state: 'x' }))
    const notes = (await bench.case()).timeline.flatMap(({ body }) => (body.kind === 'note' ? [body.text] : []))
    expect(notes).toEqual(['two sees 1', 'after: 2 5'])
  })
})

describe('a resumed run', () => {
  test('that dies at any call of its branches ends the same way', async () => {
    const text = parallel(
      '',
      {
        one: `${call('a', 'ada')}\n${call('a2', 'ada', 'suspend_user')}`,
        two: `${call('b', 'bob')}\n${call('b2', 'bob', 'suspend_user')}`,
      },
      `- id: say\n  case: { note: '{{ steps.a.output.state }} {{ steps.b.output.state }} {{ steps.look.output.two.status }}' }`,
    )
    const answer: Answer = ({ input }) => done({ state: userOf(input) })
    const whole = await Bench.open(text)
    await whole.live(answer)
    const said = async (of: Bench): Promise<string[]> => (await of.case()).timeline.map(({ body }) => JSON.stringify(body)).sort()
    const expected = await said(whole)
    expect(whole.calls).toHaveLength(4)
    await whole.close()
    for (let death = 1; death <= 4; death++) {
      bench = await Bench.open(text)
      expect(
        await bench.live((call, number) => {
          if (number === death) throw new Crash()
          return answer(call, number)
        }),
      ).toBe(false)
      expect(await bench.live(answer)).toBe(true)
      expect(await said(bench)).toEqual(expected)
      // suspend_user may be repeated, so a write at which the process died is sent twice, and no other.
      const writes = bench.called.filter((called) => called.startsWith('suspend'))
      expect(writes.length).toBeLessThanOrEqual(3)
      expect([...new Set(writes)].sort()).toEqual(['suspend_user ada', 'suspend_user bob'])
      if (death < 4) await bench.close()
    }
  })

  test('keeps its winner, and the branch that was left continues', async () => {
    bench = await Bench.open(
      parallel(
        'join: any',
        { one: call('a', 'ada'), two: call('b', 'bob') },
        `- id: act\n  skill: directory.suspend_user\n  with: { user: '{{ steps.a.output.state | default: steps.b.output.state }}' }`,
      ),
    )
    await bench.live(({ input, skill }) => {
      if (skill.id === 'suspend_user') throw new Crash()
      // Ada's answer does not arrive in this execution.
      return userOf(input) === 'ada' ? new Promise((_resolve, reject) => setTimeout(() => reject(new Crash()), 20)) : done({ state: 'bob' })
    })
    await bench.live(({ input }) => done({ state: userOf(input) }))
    expect(bench.called).toEqual(['get_user ada', 'get_user bob', 'suspend_user bob', 'get_user ada', 'suspend_user bob'])
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
  })

  test('settles the write of a branch that was cancelled, and begins nothing more in it', async () => {
    const slow = `${call('b', 'bob', 'page_user')}\n${call('c', 'eve')}`
    bench = await Bench.open(parallel('join: any\n    rest: cancel', { quick: call('a', 'ada'), slow }, `${call('d', 'dan', 'suspend_user')}`))
    await bench.live(({ input }) => {
      if (userOf(input) === 'dan') throw new Crash()
      return userOf(input) === 'bob' ? new Promise((_resolve, reject) => setTimeout(() => reject(new Crash()), 20)) : done({ state: 'x' })
    })
    // Even if nothing waits for the branch any more, people are asked before the run ends.
    expect(await bench.live(() => done({ state: 'x' }))).toBe(false)
    expect(bench.called).toEqual(['get_user ada', 'page_user bob', 'suspend_user dan', 'suspend_user dan'])
    await bench.giveUp()
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
    const actions = (await bench.case()).timeline.flatMap(({ body }) => (body.kind === 'action' ? [`${body.skill} ${body.outcome}`] : []))
    expect(actions.sort()).toEqual(['directory.page_user write_in_doubt', 'directory.suspend_user done'])
  })

  test('takes the case of a switch again, whatever its condition says now', async () => {
    bench = await Bench.open(
      playbook(
        `${call('look', 'ada')}\n- id: decide\n  switch:\n    - when: { '==': [{ var: steps.look.output.state }, active] }\n      steps:\n${indent(call('a', 'ada', 'suspend_user'), 8)}\n    - default: true\n      steps:\n${indent(call('b', 'bob', 'suspend_user'), 8)}`,
      ),
    )
    await bench.live(({ skill }) => {
      if (skill.id === 'suspend_user') throw new Crash()
      return done({ state: 'active' })
    })
    await bench.live(() => done({ state: 'changed' }))
    expect(bench.called.filter((one) => one.startsWith('suspend'))).toEqual(['suspend_user ada', 'suspend_user ada'])
  })
})

test('while one branch waits the others continue, and can complete a join', async () => {
  const branches = { slow: `- id: cool\n  wait: { for: 1h }\n${call('late', 'eve')}`, quick: `${call('a', 'ada')}\n${call('b', 'bob')}` }
  bench = await Bench.open(parallel('join: any', branches, call('d', 'dan')))
  const answer: Answer = ({ input }) => done({ state: userOf(input) })
  expect(await bench.live(answer)).toBe(false)
  expect(bench.called).toEqual(['get_user ada', 'get_user bob', 'get_user dan'])
  bench.clock.advance(3_600_000)
  expect(await bench.live(answer)).toBe(true)
  expect(bench.called).toEqual(['get_user ada', 'get_user bob', 'get_user dan', 'get_user eve'])
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

test('a branch that is cancelled while it waits does nothing more when the run is woken', async () => {
  const branches = { slow: `- id: cool\n  wait: { for: 1h }\n${call('late', 'eve')}`, quick: call('a', 'ada') }
  bench = await Bench.open(parallel('join: any\n    rest: cancel', branches, call('d', 'dan')))
  const answer: Answer = ({ input }) => done({ state: userOf(input) })
  if (!(await bench.live(answer))) {
    bench.clock.advance(3_600_000)
    expect(await bench.live(answer)).toBe(true)
  }
  expect(bench.called).toEqual(['get_user ada', 'get_user dan'])
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

describe('a stop in a branch', () => {
  const hour = 3_600_000
  const stop = `- id: enough\n  stop: { outcome: completed, reason: enough }`
  const asleep = { slow: `- id: cool\n  wait: { for: 1h }\n${call('late', 'eve')}`, asks: `- id: ask\n  approve: { title: Go on? }` }

  test('ends the run at once, although others sleep or wait for people', async () => {
    bench = await Bench.open(parallel('', { ...asleep, ends: stop }, call('d', 'dan')))
    expect(await bench.live(() => done({}))).toBe(true)
    expect(bench.called).toEqual([])
    expect(await bench.ended()).toMatchObject({ state: 'completed', reason: 'enough' })
    expect(await bench.decisions()).toMatchObject([{ state: 'withdrawn' }])
  })

  test('that was left running ends the run while the main steps sleep', async () => {
    const ends = `${call('b', 'bob')}\n${stop}`
    const after = `${call('c', 'carl')}\n- id: cool\n  wait: { for: 1h }\n${call('d', 'dan')}`
    bench = await Bench.open(parallel('join: any', { quick: call('a', 'ada'), ends }, after))
    const answer = gated({ bob: 'carl' }, async ({ input }) => {
      // Let the main steps reach their wait.
      if (userOf(input) === 'bob') for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate)
      return done({ state: userOf(input) })
    })
    expect(await bench.live(answer)).toBe(true)
    expect(bench.called).toEqual(['get_user ada', 'get_user bob', 'get_user carl'])
    expect(await bench.ended()).toMatchObject({ state: 'completed', reason: 'enough' })
  })

  test('waits until a write in doubt is settled, and nothing more begins then', async () => {
    const doubtful = `${call('b', 'bob', 'page_user')}\n${call('c', 'eve', 'page_user')}`
    const ends = `${call('a', 'ada')}\n${stop}`
    bench = await Bench.open(parallel('', { doubtful, ends, ...asleep }, call('d', 'dan')))
    const answer = gated({ ada: 'bob' }, ({ skill }) => (skill.id === 'page_user' ? failing('unknown') : done({ state: 'x' })))
    expect(await bench.live(answer)).toBe(false)
    expect((await bench.decisions()).filter(({ kind }) => kind === 'in_doubt')).toMatchObject([{ step: 'look/doubtful/b', state: 'open' }])
    const doubt = (await bench.decisions()).find(({ kind }) => kind === 'in_doubt')
    bench.clock.advance(2 * hour)
    await bench.answerTo(doubt!.id, 'happened', 'ada')
    expect(await bench.live(() => Promise.reject(new Error('nothing is to be called any more')))).toBe(true)
    expect(bench.called.filter((name) => name.startsWith('page'))).toEqual(['page_user bob'])
    expect(await bench.ended()).toMatchObject({ state: 'completed', reason: 'enough' })
    expect((await bench.case()).timeline.flatMap(({ body }) => (body.kind === 'action' ? [body.outcome] : []))).toEqual(['done'])
  })
})

test('a stop deeper inside ends the outer branches too, although a write in doubt is still to be settled', async () => {
  const stop = `- id: enough\n  stop: { outcome: completed, reason: enough }`
  const inner = `- id: inner\n  parallel:\n    branches:\n      doubtful:\n${indent(call('b', 'bob', 'page_user'), 8)}\n      ends:\n${indent(stop, 8)}`
  const late = `- id: cool\n  wait: { for: 1h }\n${call('late', 'eve', 'page_user')}`
  bench = await Bench.open(parallel('', { one: inner, two: late }))
  expect(await bench.live(() => failing('unknown'))).toBe(false)
  bench.clock.advance(2 * 3_600_000)
  const [doubt] = await bench.decisions()
  await bench.answerTo(doubt!.id, 'happened', 'ada')
  expect(await bench.live(() => Promise.reject(new Error('nothing is to be called any more')))).toBe(true)
  expect(bench.called).toEqual(['page_user bob'])
  expect(await bench.ended()).toMatchObject({ state: 'completed', reason: 'enough' })
})

test.each([
  ['beside it', (doubtful: string, fails: string) => parallel('', { doubtful, fails })],
  [
    'after a join that did not wait for it',
    (doubtful: string, fails: string) => parallel('join: any', { doubtful, quick: call('q', 'quinn') }, fails),
  ],
])('a run whose budget is used up %s does not end before a write in doubt is settled', async (_where, made) => {
  const fails = `${call('a', 'ada')}\n${call('more', 'eve', 'page_user')}`
  bench = await Bench.open(made(call('b', 'bob', 'page_user'), fails).replace('steps:\n', 'limits: { impact: { high: 1 } }\nsteps:\n'))
  const answer = gated({ ada: 'bob' }, ({ skill }) => (skill.id === 'page_user' ? failing('unknown') : done({ state: 'x' })))
  expect(await bench.live(answer)).toBe(false)
  await bench.giveUp()
  expect(bench.called.filter((name) => name.startsWith('page'))).toEqual(['page_user bob'])
  expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'impact_exceeded' } })
  expect((await bench.case()).timeline.flatMap(({ body }) => (body.kind === 'action' ? [body.outcome] : []))).toContain('write_in_doubt')
})

test('a stop in a branch ends the run even if other iterations of its loop sleep', async () => {
  bench = await Bench.open(
    playbook(`- id: each
  foreach: [a, b]
  as: user
  concurrency: 2
  steps:
    - id: first
      if: { '==': [{ var: user }, b] }
      wait: { for: 1h }
    - id: beside
      parallel:
        join: any
        branches:
          one: [{ id: enough, stop: { outcome: failed, reason: enough } }]
          two: [{ id: long, wait: { for: 2h } }]`),
  )
  expect(await bench.live(() => done({}))).toBe(true)
  expect(await bench.ended()).toMatchObject({ state: 'failed', reason: 'enough', failure: { code: 'run_stopped' } })
})
