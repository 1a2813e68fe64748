import { afterEach, describe, expect, test } from 'vitest'
import { type Json, type Run, systemScope } from '../../runtime/domain/index.ts'
import { noTurns } from '../../runtime/fairness/index.ts'
import { createRetraces, type RetracedStep, type Retraces, type Shown, type StepQuery } from '../../runtime/retrace/index.ts'
import { Bench, Crash, call, done, failing, playbook } from './harness.ts'
import { UndoBench } from './undo-bench.ts'

/** What the steps of a run saw, from its journal alone. */
let bench: Bench
afterEach(() => bench.close())

const never = new AbortController().signal
const all: StepQuery = { within: null, states: null, loops: 'all', after: null, limit: 1_000 }
const open = async (steps: string, content: object = {}, subs: readonly string[] = [], rest = ''): Promise<void> => {
  bench = await Bench.open(playbook(steps, rest), content, subs)
}
const retraces = (): Retraces => createRetraces(bench.store, { ...bench.libraries, turns: noTurns })
const list = async (query: Partial<StepQuery> = {}, run?: Run) => retraces().list(run ?? (await bench.ended()), { ...all, ...query }, never)

function text(shown: Shown | null): string {
  return shown === null ? '' : shown.kind === 'whole' ? JSON.stringify(shown.value) : `${shown.beginning}…`
}
/** A step on one line: its address, kind, state, input and output. */
function line({ address, kind, state, input, output, failure, handled }: RetracedStep): string {
  const why = failure ? ` ${failure.code}${handled ? ' (handled)' : ''}` : ''
  return `${address} ${kind} ${state}${why}${input ? ` < ${text(input)}` : ''}${output ? ` > ${text(output)}` : ''}`
}
const lines = async (query: Partial<StepQuery> = {}): Promise<readonly string[]> => (await list(query)).items.map(line)
/** A condition, one line per part: its result, its rule and the values that it read. */
async function why(address: string): Promise<readonly string[]> {
  const { why: whys } = await retraces().one(await bench.ended(), address, never)
  return whys.flatMap(({ of, index, parts, text: said }) => [
    ...(said === null ? [] : [`${of}: ${said}`]),
    ...parts.map(({ depth, rule, looked, holds, read }) => {
      const values = read.map(({ path, value }) => ` ${path}=${value ? text(value) : 'missing'}`).join('')
      return `${of}${index ?? ''} ${'  '.repeat(depth)}${looked ? holds : '-'} ${rule}${values}`
    }),
  ])
}
const numbers = Array.from({ length: 300 }, (_, index) => index)
const inputsOfList = 'inputs: { list: { type: array, from: [content.list], required: true } }'
const user: (state: string) => () => ReturnType<typeof done> = (state) => () => done({ state })

test('each step shows its input and output, in the order of the playbook', async () => {
  await open(
    `
- id: look
  skill: directory.get_user
  with: { user: '{{ alert.content.user }}' }
- id: keep
  set: { seen: '{{ steps.look.output.state }}' }
- id: tell
  case: { note: 'It is {{ vars.seen }}', severity: high }
- id: act
  if: { '==': [{ var: vars.seen }, active] }
  skill: directory.suspend_user
  with: { user: '{{ alert.content.user }}' }
- id: end
  stop: { outcome: completed, reason: 'Seen {{ vars.seen }}' }`,
    { user: 'ada' },
  )
  await bench.live(({ skill }) => done({ state: skill.id === 'get_user' ? 'active' : 'suspended' }))
  expect(await lines()).toEqual([
    'look skill done < {"user":"ada"} > {"state":"active"}',
    'keep set done > {"seen":"active"}',
    'tell case done < {"note":"It is active","severity":"high"}',
    'act skill done < {"user":"ada"} > {"state":"suspended"}',
    'end stop done < "Seen active"',
  ])
  expect(await why('act')).toEqual(['if true vars.seen == "active" vars.seen="active"'])
  const [look] = (await list()).items
  expect(look).toMatchObject({ skill: 'directory.get_user', connection: 'dir-prod', tries: 1, line: expect.any(Number), playbook: null, why: [] })
})

test('a condition is shown with the values that it compared', async () => {
  await open(`
- id: look
  skill: directory.get_user
  with: { user: ada }
- id: decide
  if: { and: [{ '==': [{ var: steps.look.output.state }, active] }, { '>=': [{ var: [alert.content.denied, 0] }, 5] }] }
  then:
    - id: act
      skill: directory.suspend_user
      with: { user: ada }
  else:
    - id: note
      case: { note: Not strong enough }`)
  await bench.live(user('active'))
  expect(await lines()).toEqual([
    'look skill done < {"user":"ada"} > {"state":"active"}',
    'decide if done > false',
    'decide/note case done < {"note":"Not strong enough"}',
  ])
  expect(await why('decide')).toEqual([
    'test false steps.look.output.state == "active" and alert.content.denied (or 0) >= 5',
    'test   true steps.look.output.state == "active" steps.look.output.state="active"',
    'test   false alert.content.denied (or 0) >= 5 alert.content.denied=missing',
  ])
})

test('the cases of a switch are shown up to the one that was taken; a skipped step says why', async () => {
  await open(
    `
- id: choose
  switch:
    - when: { '==': [{ var: alert.content.kind }, a] }
      steps: [{ id: a, set: { x: 1 } }]
    - when: { '==': [{ var: alert.content.kind }, b] }
      steps: [{ id: b, set: { x: 2 } }]
    - default: true
      steps: [{ id: c, set: { x: 3 } }]
- id: never
  if: { '==': [{ var: alert.content.kind }, c] }
  set: { y: 1 }`,
    { kind: 'b' },
  )
  await bench.live(user('x'))
  expect(await lines()).toEqual(['choose switch done > 1', 'choose/b set done > {"x":2}', 'never set skipped'])
  expect(await why('choose')).toEqual([
    'case0 false alert.content.kind == "a" alert.content.kind="b"',
    'case1 true alert.content.kind == "b" alert.content.kind="b"',
  ])
  expect(await why('never')).toEqual(['if false alert.content.kind == "c" alert.content.kind="b"'])
})

describe('what failed', () => {
  test('a failed call shows code, message and remedy, and whether the error was handled', async () => {
    await open(`
- id: look
  skill: directory.get_user
  with: { user: ada }
  on_error: [{ id: sorry, set: { code: '{{ steps.look.error.code }}' } }]
- id: again
  skill: directory.get_user
  with: { user: bob }`)
    await bench.live(() => failing('refused', 'credentials_rejected'))
    expect(await lines()).toEqual([
      'look skill failed credentials_rejected (handled) < {"user":"ada"}',
      'look/on_error/sorry set done > {"code":"credentials_rejected"}',
      'again skill failed credentials_rejected < {"user":"bob"}',
    ])
    expect((await list({ states: ['failed'] })).items.map(({ address }) => address)).toEqual(['look', 'again'])
  })

  test('a failed template is not in the journal, but is shown with every step that it failed', async () => {
    await open(`
- id: each
  foreach: [1, 2]
  as: n
  max_items: 5
  steps:
    - id: bad
      set: { x: '{{ n | plus: alert.content.none }}' }`)
    await bench.live(user('x'))
    expect(await lines()).toEqual(['each foreach failed template_failed < [1,2]', 'each/0/bad set failed template_failed'])
    const { failure } = await retraces().one(await bench.ended(), 'each', never)
    expect(failure).toMatchObject({ step: 'each/0/bad' })
  })

  test('a cancelled run shows how far it came', async () => {
    await open(`${call('one', 'get_user', 'ada')}\n- id: two\n  set: { x: 1 }\n${call('three', 'suspend_user', 'bob')}\n- id: four\n  set: { x: 2 }`)
    await bench.live(async () => {
      await bench.cancel('A drill')
      return done({ state: 'x' })
    })
    expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'run_cancelled' } })
    expect(await lines()).toEqual([
      'one skill done < {"user":"ada"} > {"state":"x"}',
      'two set done > {"x":1}',
      'three skill interrupted < {"user":"bob"}',
    ])
  })

  test('if inputs are missing there are no steps, and the run says why', async () => {
    await open('- id: a\n  set: { x: 1 }', {}, [], 'inputs: { user: { type: string, from: [content.user], required: true } }')
    await bench.live(user('x'))
    expect(await bench.ended()).toMatchObject({ failure: { code: 'inputs_missing' } })
    expect(await list()).toMatchObject({ items: [], total: 0, note: null })
  })
})

describe('a run that has not ended', () => {
  test('shows the step that waits, and the steps that contain it', async () => {
    await open(
      `
- id: outer
  if: true
  then:
    - id: ask
      approve: { title: 'Suspend {{ alert.content.user }}?', covers: act }
    - id: act
      skill: directory.suspend_user
      with: { user: '{{ alert.content.user }}' }`,
      { user: 'ada' },
    )
    await bench.live(user('x'))
    expect(await lines()).toEqual([
      'outer if waiting',
      'outer/ask approve waiting < {"title":"Suspend ada?","by":[],"covers":[{"skill":"directory.suspend_user","with":{"user":"ada"}}]}',
    ])
    await bench.answer('approve', 'ada', { reason: 'Seen' })
    await bench.live(user('suspended'))
    const [, ask, act] = (await list()).items
    expect(ask).toMatchObject({ state: 'done', decisions: [{ state: 'approved', answers: [{ by: 'ada', reason: 'Seen' }] }] })
    expect(act).toMatchObject({ state: 'done', target: 'ada', attempts: [{ number: 1 }] })
  })

  test('a write in doubt is in doubt', async () => {
    await open(call('act', 'page_user', 'ada'))
    await bench.live(() => failing('unknown', 'network'))
    expect(await lines()).toEqual(['act skill in_doubt < {"user":"ada"}'])
    const [act] = (await list()).items
    expect(act).toMatchObject({ tries: 1, decisions: [{ kind: 'in_doubt', state: 'open' }] })
  })

  test('a run whose process died shows what its journal has', async () => {
    await open(`${call('one', 'get_user', 'ada')}\n${call('two', 'get_user', 'bob')}`)
    await bench.live((_, number) => {
      if (number === 1) return done({ state: 'x' })
      throw new Crash()
    })
    expect(await lines()).toEqual(['one skill done < {"user":"ada"} > {"state":"x"}', 'two skill under_way < {"user":"bob"}'])
  })

  test('a wait shows its end, and a poll each of its calls', async () => {
    await open(`
- id: rest
  wait: { for: 1h }
- id: search
  wait:
    poll: { skill: directory.get_user, with: { user: ada } }
    every: 10s
    until: { '==': [{ var: output.state }, done] }
    at_most: 1h`)
    await bench.live(user('x'))
    expect(await lines()).toEqual(['rest wait waiting'])
    const until = (millis: number): string => new Date(bench.clock.now() + millis).toISOString().replace('T', ' ').slice(0, 19).concat(' UTC')
    expect(await why('rest')).toEqual([`time: for 1h, until ${until(3_600_000)}`])
    bench.clock.advance(3_600_000)
    const answers = ['running', 'done']
    const time = `time: every 10s, for 1h at most, until ${until(3_600_000)}`
    const answer = () => done({ state: answers.shift() ?? '?' })
    await bench.live(answer)
    expect(await lines()).toContain('search wait waiting < {"user":"ada"}')
    expect(await why('search')).toEqual(['until false output.state == "done" output.state="running"', time])
    bench.clock.advance(10_000)
    await bench.live(answer)
    expect(await lines()).toEqual([
      'rest wait done',
      'search wait done < {"user":"ada"} > {"state":"done"}',
      'search/0 poll done > {"state":"running"}',
      'search/1 poll done > {"state":"done"}',
    ])
    expect(await why('search')).toEqual(['until true output.state == "done" output.state="done"', time])
  })
})

test('branches, loops and sub-playbooks: each step follows the one that contains it, by iteration and branch', async () => {
  const sub = `format: 1
playbook: contain
inputs: { user: { type: string, required: true } }
outputs: { was: '{{ steps.look.output.state }}' }
connections: { directory: { integration: directory } }
steps:
  - id: look
    skill: directory.get_user
    with: { user: '{{ inputs.user }}' }
`
  await open(
    `
- id: both
  parallel:
    join: all
    branches:
      b: [{ id: second, set: { x: 1 } }]
      a: [{ id: first, skill: directory.get_user, with: { user: ada } }]
- id: each
  foreach: [ada, bob]
  as: user
  max_items: 5
  concurrency: 2
  steps:
    - id: sub
      playbook: contain
      with: { user: '{{ user }}' }`,
    {},
    [sub],
  )
  await bench.live(({ input }) => done({ state: (input as { user: string }).user }))
  expect(await lines()).toEqual([
    'both parallel done > {"b":{"status":"done"},"a":{"status":"done"}}',
    'both/b/second set done > {"x":1}',
    'both/a/first skill done < {"user":"ada"} > {"state":"ada"}',
    expect.stringMatching(/^each foreach done < \["ada","bob"\] > /),
    'each/0/sub playbook done < {"user":"ada"} > {"was":"ada"}',
    'each/0/sub/look skill done < {"user":"ada"} > {"state":"ada"}',
    'each/1/sub playbook done < {"user":"bob"} > {"was":"bob"}',
    'each/1/sub/look skill done < {"user":"bob"} > {"state":"bob"}',
  ])
  expect((await list({ within: 'each/1' })).items.map(({ address, playbook: name }) => [address, name])).toEqual([
    ['each/1/sub', null],
    ['each/1/sub/look', 'contain'],
  ])
  expect(await why('each')).toEqual(['items: 2 items, at most 5 allowed'])
})

test('an undo is shown as a run', async () => {
  const undo = await UndoBench.ended(call('act', 'suspend_user', 'ada'))
  bench = undo.bench
  await undo.begin()
  await undo.live()
  const { items } = await list({}, await undo.undoRun())
  expect(items.map(line)).toEqual(['undo-1 skill done < {"user":"ada"} > {"state":"x"}'])
})

test('a step on a protected target was left out, and says so', async () => {
  await open(call('act', 'suspend_user', 'ada'))
  bench.standing = { ...bench.standing, protected: [{ names: ['ada'], pattern: null, skills: null, reason: 'Break-glass' }] }
  await bench.live(user('x'))
  bench.standing = { ...bench.standing, protected: [] }
  expect(await lines()).toEqual(['act skill skipped < {"user":"ada"}'])
  expect(await why('act')).toEqual(['left_out: ada is protected (Break-glass)'])
})

test('looking calls, writes and changes nothing', async () => {
  await open(`${call('look', 'get_user', 'ada')}\n- id: say\n  case: { note: Seen, status: contained }\n${call('act', 'page_user', 'ada')}`)
  await bench.live(({ skill }) => (skill.id === 'get_user' ? done({ state: 'x' }) : failing('unknown', 'network')))
  const before = [await bench.ended(), await bench.records(), await bench.case(), await bench.decisions(), bench.calls.length]
  await list()
  expect([await bench.ended(), await bench.records(), await bench.case(), await bench.decisions(), bench.calls.length]).toEqual(before)
})

describe('large runs', () => {
  test('a value is short in lists, longer in a single step, and whole on request', async () => {
    await open(call('look', 'get_user', 'ada'))
    const state = 'x'.repeat(200_000)
    await bench.live(user(state))
    const [look] = (await list()).items
    expect(look?.output).toMatchObject({ kind: 'cut', beginning: expect.stringMatching(/^\{"state":"x+$/) })
    expect(look?.output).toHaveProperty('beginning.length', 500)
    const run = await bench.ended()
    const one = await retraces().one(run, 'look', never)
    expect((one.output as { beginning: string }).beginning).toHaveLength(16_384)
    expect(JSON.parse(await retraces().value(run, 'look', 'output', never))).toEqual({ state })
    expect(JSON.parse(await retraces().value(run, 'look', 'input', never))).toEqual({ user: 'ada' })
    await expect(retraces().value(run, 'none', 'input', never)).rejects.toMatchObject({ code: 'step_unknown' })
  })

  test('an expensive condition is explained up to the limit of a step, and others get their turns', async () => {
    // The run evaluates the condition once. Explaining it costs that much again for each `and`.
    const pairs = { some: [{ var: 'inputs.list' }, { some: [numbers, { '<': [{ var: '' }, 0] }] }] }
    const rule = Array.from({ length: 12 }).reduce<object>((inner) => ({ and: [inner] }), pairs)
    await open(`- id: say\n  if: ${JSON.stringify(rule)}\n  case: { note: Never }`, { list: numbers }, [], inputsOfList)
    await bench.live(user('active'))
    const [say] = (await list()).items
    expect(say).toMatchObject({ state: 'skipped', why: [{ of: 'if', holds: false }] })
    const parts = say?.why[0]?.parts ?? []
    expect(parts[1]).toMatchObject({ holds: false, error: null })
    expect(parts.at(-1)).toMatchObject({ holds: null, error: 'is not shown: that takes too much work' })
  })

  test('a loop with thousands of items is shown page by page, each step once', async () => {
    const count = 3_000
    await open(
      `
- id: each
  foreach: '{{ alert.content.list }}'
  as: n
  max_items: 5000
  steps:
    - id: odd
      if: { '==': [{ '%': [{ var: n }, 2] }, 1] }
      set: { last: '{{ n }}' }`,
      { list: Array.from({ length: count }, (_, index) => index) },
      [],
      'limits: { steps: 20000 }',
    )
    await bench.live(user('x'))
    const seen: string[] = []
    for (let after: string | null = null; ; ) {
      const page = await list({ after, limit: 1_000 })
      expect(page.total).toBe(count + 1)
      seen.push(...page.items.map(({ address }) => address))
      after = page.items.at(-1)?.address ?? null
      if (!page.more) break
    }
    expect(seen).toEqual(['each', ...Array.from({ length: count }, (_, index) => `each/${index}/odd`)])
    expect((await list({ states: ['skipped'], limit: 1 })).total).toBe(count / 2)
    const grouped = await list({ loops: 'grouped' })
    expect(grouped).toMatchObject({ total: 3, states: { done: count / 2 + 1, skipped: count / 2 } })
    expect(grouped.items.map(({ address, iterations, alike }) => [address, iterations, alike])).toEqual([
      ['each', count, 0],
      ['each/0/odd', null, count / 2 - 1],
      ['each/1/odd', null, count / 2 - 1],
    ])
  })
})

test('a run whose playbook can no longer be read shows what its journal has, and says so', async () => {
  await open(`${call('look', 'get_user', 'ada')}\n${call('act', 'suspend_user', 'ada')}`)
  await bench.live(user('x'))
  const gone = { ...bench.libraries, playbooks: { byDigest: () => Promise.reject(Object.assign(new Error('gone'))) } }
  await expect(createRetraces(bench.store, { ...gone, turns: noTurns }).list(await bench.ended(), all, never)).rejects.toThrow('gone')
  const { TocsinError } = await import('../../runtime/errors/index.ts')
  const unknown = {
    ...bench.libraries,
    playbooks: { byDigest: () => Promise.reject(new TocsinError('playbook_unknown', 'The store has no playbook x.')) },
  }
  const page = await createRetraces(bench.store, { ...unknown, turns: noTurns }).list(await bench.ended(), all, never)
  expect(page.items.map(line)).toEqual(['look unknown done > {"state":"x"}', 'act unknown done < {"user":"ada"} > {"state":"x"}'])
  expect(page.note).toContain('The store has no playbook x.')
  expect(page.items[1]).toMatchObject({ skill: 'directory.suspend_user', target: 'ada' })
})

test('a playbook that would now take another way is shown as far as the journal goes', async () => {
  await open(`${call('look', 'get_user', 'ada')}\n${call('act', 'suspend_user', 'ada')}`)
  await bench.live(user('x'))
  bench.swap(playbook(`${call('look', 'get_user', 'eve')}\n${call('act', 'suspend_user', 'ada')}`))
  expect(await lines()).toEqual(['look unknown done > {"state":"x"}', 'act unknown done < {"user":"ada"} > {"state":"x"}'])
  expect((await list()).note).toContain('From look on, this version of Tocsin')
})

test('two callers at once, one of which gives up', async () => {
  await open(call('look', 'get_user', 'ada'))
  await bench.live(user('x'))
  const run = await bench.ended()
  const service = retraces()
  const all_ = await Promise.all(Array.from({ length: 8 }, () => service.list(run, all, never)))
  expect(new Set(all_.map(({ total }) => total))).toEqual(new Set([1]))
  const gone = new AbortController()
  gone.abort(new Error('gone'))
  await expect(service.list(run, all, gone.signal)).rejects.toThrow('gone')
})

test('values that change later are shown as they were', async () => {
  await open(`
- id: begin
  set: { score: 1 }
- id: low
  if: { '<': [{ var: vars.score }, 5] }
  set: { score: 9 }
- id: high
  if: { '>': [{ var: vars.score }, 5] }
  set: { score: 10 }`)
  await bench.live(user('x'))
  expect([...(await why('low')), ...(await why('high'))]).toEqual(['if true vars.score < 5 vars.score=1', 'if true vars.score > 5 vars.score=9'])
  const outputs = (await list()).items.map(({ output }) => (output as { value: Json }).value)
  expect(outputs).toEqual([{ score: 1 }, { score: 9 }, { score: 10 }])
  expect(systemScope.organizations).toBe('all')
})

test('two runs are shown at once; a third caller waits until its signal aborts', async () => {
  await open('- { id: keep, set: { seen: 1 } }')
  await bench.live(user('x'))
  const run = await bench.ended()
  const reading = Promise.withResolvers<void>()
  let reads = 0
  const slow = {
    ...bench.store,
    alerts: bench.store.alerts,
    decisions: bench.store.decisions,
    journal: {
      ...bench.store.journal,
      read: async (...given: Parameters<typeof bench.store.journal.read>) => {
        reads += 1
        await reading.promise
        return bench.store.journal.read(...given)
      },
    },
  }
  const slowly = createRetraces(slow, { ...bench.libraries, turns: noTurns })
  const given = new AbortController()
  const asked = [0, 1, 2].map((index) => slowly.list(run, all, index === 2 ? given.signal : never))
  const third = expect(asked[2]).rejects.toThrow('enough')
  given.abort(new Error('enough'))
  await third
  const fourth = slowly.list(run, all, never)
  expect(reads).toBe(2)
  reading.resolve()
  expect((await Promise.all([asked[0], asked[1], fourth])).map((page) => page?.total)).toEqual([1, 1, 1])
  expect(reads).toBe(3)
})
