import { afterEach, describe, expect, test } from 'vitest'
import { defaultPolicy, type Policy, type ProtectedRule, systemScope } from '../../../runtime/domain/index.ts'
import { type Answer, Bench, Crash, done, failing, playbook } from '../support/harness.ts'
import { Death, mortal } from '../support/mortal-store.ts'

let bench: Bench
afterEach(() => bench.close())

const good: Answer = () => done({ state: 'x', tagged: [] })
const root: ProtectedRule = { names: ['root'], pattern: null, skills: null, reason: 'Break glass' }
const protecting = (...rules: readonly ProtectedRule[]): Policy => ({ ...defaultPolicy, protected: rules })

async function open(steps: string, standing = protecting(root), rest = '', subs: readonly string[] = []): Promise<Bench> {
  bench = await Bench.open(playbook(steps, rest), {}, subs)
  bench.standing = standing
  return bench
}
const act = (id: string, user: string, skill = 'suspend_user'): string => `- id: ${id}\n  skill: directory.${skill}\n  with: { user: ${user} }`
const notes = async (): Promise<readonly string[]> =>
  (await bench.case()).timeline.flatMap(({ body }) => (body.kind === 'note' || body.kind === 'protected' ? [body.text] : []))

test('a call that acts on something protected is not sent; the step counts as skipped, the case says so, and the run goes on', async () => {
  const say = "- id: say\n  if: { '==': [{ var: steps.a.status }, skipped] }\n  case: { note: 'it was {{ steps.a.status }}' }"
  await open(`${act('a', 'Root')}\n${say}\n${act('b', 'bob')}`)
  expect(await bench.live(good)).toBe(true)
  expect(bench.called).toEqual(['suspend_user bob'])
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
  const { timeline } = await bench.case()
  expect(timeline).toContainEqual({
    key: `${bench.run}#a#protected`,
    at: expect.any(Number),
    actor: { run: bench.run, step: 'a' },
    body: { kind: 'protected', skill: 'directory.suspend_user', connection: 'dir-prod', target: 'Root', text: 'Break glass' },
  })
  expect(await notes()).toEqual(['Break glass', 'it was skipped'])
  expect(timeline.filter(({ body }) => body.kind === 'action')).toHaveLength(1)
  expect((await bench.records()).filter(({ kind }) => kind === 'intent')).toHaveLength(1)
})

test('reads are allowed; a rule with skills blocks only those', async () => {
  await open(act('a', 'root', 'get_user'))
  await bench.live(good)
  expect(bench.called).toEqual(['get_user root'])
  await bench.close()
  await open(`${act('a', 'root')}\n${act('b', 'root', 'page_user')}`, protecting({ ...root, skills: ['directory.page_user'] }))
  await bench.live(good)
  expect(bench.called).toEqual(['suspend_user root'])
})

test('one protected target of several blocks the whole call, and is named', async () => {
  await open('- id: tag\n  skill: directory.tag_users\n  with: { users: [ada, root, bob] }')
  expect(await bench.live(good)).toBe(true)
  expect(bench.called).toEqual([])
  expect((await bench.case()).timeline).toContainEqual(
    expect.objectContaining({ body: expect.objectContaining({ kind: 'protected', skill: 'directory.tag_users', target: 'root' }) }),
  )
})

test('in a loop and in a sub-playbook only the protected call is skipped', async () => {
  const sub = `format: 1\nplaybook: inner\nconnections: { directory: { integration: directory } }\nsteps:\n${act('a', 'root').replace(/^/gm, '  ')}\n`
  const loop = `- id: each\n  foreach: [bob, root, eve]\n  as: user\n  concurrency: 2\n  steps:\n    - id: act\n      skill: directory.suspend_user\n      with: { user: '{{ user }}' }`
  await open(`- id: again\n  playbook: inner\n${loop}`, protecting(root), '', [sub])
  expect(await bench.live(good)).toBe(true)
  expect(bench.called.toSorted()).toEqual(['suspend_user bob', 'suspend_user eve'])
  expect((await bench.case()).timeline.flatMap(({ key, body }) => (body.kind === 'protected' ? [key] : [])).toSorted()).toEqual(
    [`${bench.run}#again/a#protected`, `${bench.run}#each/1/act#protected`].toSorted(),
  )
})

test('nobody is asked about a protected target, and neither budget nor quota counts it', async () => {
  const quotas = { ...defaultPolicy.limits.quotas, high: { calls: 1, per: 3_600_000 } }
  const standing = { ...protecting(root), limits: { ...defaultPolicy.limits, quotas } }
  await open(`${act('a', 'root')}\n${act('b', 'bob')}`, standing, 'limits: { impact: { high: 1, targets: 1 } }')
  bench.policy = { revision: 1, ...defaultPolicy }
  expect(await bench.live(good)).toBe(false)
  expect((await bench.decisions()).map(({ kind, step }) => [kind, step])).toEqual([['approval', 'b']])
  await bench.answer('approve')
  expect(await bench.live(good)).toBe(true)
  expect(bench.called).toEqual(['suspend_user bob'])
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

describe('the current policy is used', () => {
  test('a target that becomes protected while people are asked is not touched, whatever they answer', async () => {
    await open(act('a', 'root'), protecting())
    bench.policy = { revision: 1, ...defaultPolicy }
    await bench.live(good)
    await bench.answer('approve')
    bench.standing = protecting(root)
    expect(await bench.live(good)).toBe(true)
    expect(bench.called).toEqual([])
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
    expect((await bench.decisions()).map(({ state }) => state)).toEqual(['approved'])
  })

  test('a skipped call stays skipped in a replay, and is reported once', async () => {
    await open(`${act('a', 'root')}\n- id: rest\n  wait: { for: 10m }\n${act('b', 'bob')}`)
    expect(await bench.live(good)).toBe(false)
    bench.standing = protecting()
    bench.clock.advance(600_000)
    expect(await bench.live(good)).toBe(true)
    expect(bench.called).toEqual(['suspend_user bob'])
    expect((await bench.case()).timeline.filter(({ body }) => body.kind === 'protected')).toHaveLength(1)
  })

  test('a write in doubt is settled even if its target has become protected', async () => {
    await open(act('a', 'root', 'page_user'), protecting())
    await bench.live(() => failing('unknown'))
    bench.standing = protecting(root)
    await bench.answer('happened', 'ada', { output: { state: 'x' } })
    expect(await bench.live(good)).toBe(true)
    expect((await bench.case()).timeline.filter(({ body }) => body.kind === 'protected')).toEqual([])
  })
})

describe('a step that needs the result of the skipped one fails, and says why', () => {
  test.each([
    ['a template', "case: { note: 'it is {{ steps.a.output.state }}' }", 'template_failed'],
    ['a condition', "if: { '==': [{ var: steps.a.output.state }, x] }\n  case: { note: x }", 'condition_failed'],
    ['an input', "skill: directory.get_user\n  with: { user: '{{ steps.a.output.state }}' }", 'skill_input_invalid'],
    [
      'the input of a poll',
      "wait:\n    poll: { skill: directory.get_user, with: { user: '{{ steps.a.output.state }}' } }\n    every: 1m\n    at_most: 5m\n    until: true",
      'skill_input_invalid',
    ],
  ])('%s', async (_, needing, code) => {
    await open(`${act('a', 'root')}\n- id: b\n  ${needing}`)
    expect(await bench.live(good)).toBe(true)
    const { failure } = await bench.ended()
    expect(failure).toMatchObject({ code, step: expect.stringMatching(/^b(?:\/0)?$/) })
    expect(failure?.message).toMatch(/\(a was skipped: root is protected \(Break glass\)\)$/)
  })
})

test.each([
  ['a verdict', '', "verdict: { summary: 'It is {{ steps.a.output.state }}' }", []],
  [
    "a sub-playbook's outputs",
    'outputs',
    '',
    [
      `format: 1\nplaybook: inner\nconnections: { directory: { integration: directory } }\noutputs: { state: 'It is {{ steps.a.output.state }}' }\nsteps:\n${act('a', 'root').replace(/^/gm, '  ')}\n`,
    ],
  ],
])('%s that needs the result also fails', async (_, kind, rest, subs) => {
  await open(kind === '' ? act('a', 'root') : '- id: again\n  playbook: inner', protecting(root), rest, subs)
  expect(await bench.live(good)).toBe(true)
  const { failure } = await bench.ended()
  expect(failure).toMatchObject({ code: 'template_failed', message: expect.stringMatching(/\(a was skipped: root is protected \(Break glass\)\)$/) })
})

test('a run that is cancelled later still reports what it did after the skipped step', async () => {
  await open(`${act('a', 'root')}\n${act('b', 'bob')}\n- id: rest\n  wait: { for: 10m }`)
  expect(await bench.live(good)).toBe(false)
  await bench.cancel('enough', 'ada')
  expect(await bench.live(good)).toBe(true)
  expect(await bench.ended()).toMatchObject({ failure: { code: 'run_cancelled' } })
  expect((await bench.case()).timeline.filter(({ body }) => body.kind === 'action')).toMatchObject([{ body: { target: 'bob', outcome: 'done' } }])
})

test('however often its process dies, nothing is sent, and the case says so once', async () => {
  for (let after = 1; after < 60; after++) {
    await open(`${act('a', 'root')}\n${act('b', 'bob')}`)
    let died = false
    for (let lives = 0; lives < 5; lives++) {
      const death = new Death(lives === 0 ? after : 1_000, after % 2 === 0)
      if (await bench.live(good, mortal(bench.store, death))) break
      died = true
      // It may have died at its last operation.
      if ((await bench.ended()).state === 'completed') break
      // The rule is gone now. A recorded decision stays. Without a record the step decides again.
      if ((await bench.records()).some((record) => record.kind === 'decided' && record.address === 'a#protected')) bench.standing = protecting()
    }
    expect(bench.called.filter((call) => call.endsWith('root'))).toEqual([])
    expect((await bench.case()).timeline.filter(({ body }) => body.kind === 'protected')).toHaveLength(1)
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
    if (!died) return
    await bench.close()
  }
  throw new Crash('the run does more to the store than was tried')
})

test('without the store nothing is sent, because it could be protected', async () => {
  await open(act('a', 'ada'))
  Object.defineProperty(bench, 'standing', {
    get: () => {
      throw new Crash()
    },
  })
  expect(await bench.live(good)).toBe(false)
  expect(bench.called).toEqual([])
  expect(await bench.store.runs.get(systemScope, bench.run)).toMatchObject({ state: 'running' })
})
