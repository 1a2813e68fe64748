import { afterEach, describe, expect, test } from 'vitest'
import { type Json, systemScope } from '../../../runtime/domain/index.ts'
import { type Bench, call, done, failing } from '../support/harness.ts'
import { line, never, type Opening, opened, retracing, user } from '../support/retraced.ts'
import { UndoBench } from '../support/undo-bench.ts'

let bench: Bench
afterEach(() => bench.close())
const open = async (...given: Opening): Promise<void> => {
  bench = await opened(...given)
}
const { retraces, list, lines, why } = retracing(() => bench)

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
