import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import { noTurns } from '../../runtime/fairness/index.ts'
import { compilePlaybook, type Plan } from '../../runtime/playbook/index.ts'
import { createRecordings, openWorld, type Recording, recordTest, replayRun, type World } from '../../runtime/rehearsal/index.ts'
import { type Answer, Bench, done, failing, playbook } from '../engine/support/harness.ts'
import { Dice, RandomPlaybook } from '../engine/support/random-playbook.ts'
import { inTime } from '../engine/support/timed.ts'

/** Runs whose way depends on how long calls take. A replay and a recorded test must take the same way. */
let bench: Bench
let world: World
beforeAll(async () => {
  world = await openWorld({ plugins: [join(import.meta.dirname, '../engine/support/plugins')], playbooks: [] })
})
afterEach(() => bench.close())

const compiled = (text: string): Plan => compilePlaybook(text, 'test.yaml', world.lookup)
const userOf = ({ input }: { readonly input: unknown }): string => (input as { readonly user: string }).user

async function recorded(text: string, content: object, takes: (user: string) => number, answer: Answer): Promise<Recording> {
  bench = await Bench.open(text, content)
  const timed = inTime(bench, (call) => takes(userOf(call)), answer)
  while (!(await bench.live(timed))) {
    const { wakeAt } = await bench.ended()
    if (wakeAt === null) throw new Error('the run waits for people')
    bench.clock.advance(Math.max(wakeAt - bench.clock.now(), 0))
  }
  const kept = await createRecordings(bench.store, { byDigest: async () => compiled(text) }, noTurns).recording(await bench.ended())
  return JSON.parse(JSON.stringify({ ...kept, playbook: { ...kept.playbook, text } })) as Recording
}

const fine: Answer = (call) => (userOf(call) === 'bad' ? failing('refused', 'credentials_rejected') : done({ state: userOf(call) }))
const same = ({ state }: Recording): object => ({ added: [], removed: [], changed: [], missing: [], outcome_before: state, outcome_after: state })
const read = (id: string): string => `{ id: ${id}, skill: directory.get_user, with: { user: ${id} } }`
const write = (id: string): string => `{ id: ${id}, skill: directory.page_user, with: { user: ${id} } }`
const race = (left: string, right: string, join = 'any', rest = 'cancel'): string =>
  `- id: race\n  parallel: { join: ${join}, rest: ${rest}, branches: { left: [${left}], right: [${right}] } }\n`
const skipped = `{ id: w, if: { '==': [1, 2] }, skill: directory.page_user, with: { user: w } }`
const nested = `{ id: in, parallel: { join: any, rest: cancel, branches: { x: [${write('x')}, ${write('x2')}], y: [${read('y')}] } } }`
const inLoop = `- id: each
  foreach: [one, two, three]
  as: item
  max_items: 3
  concurrency: 2
  steps:
${race(`${read('a')}, ${write('w')}, ${write('n')}`, read('b')).replace(/^/gm, '    ')}`

describe('a run whose branches end at different times', () => {
  it.each<[name: string, steps: string, takes: Readonly<Record<string, number>>, writes: readonly string[]]>([
    ['a write was under way', race(`${read('a')}, ${write('w')}, ${write('n')}`, read('b')), { a: 10, w: 100, b: 50 }, ['w']],
    ['a write was done', race(`${read('a')}, ${write('w')}, ${write('n')}`, read('b')), { a: 10, w: 10, b: 50, n: 100 }, ['w', 'n']],
    ['the next write was not begun', race(`${read('a')}, ${write('n')}`, read('b')), { a: 51, b: 50 }, []],
    ['both ended in the same millisecond', race(`${read('a')}, ${write('n')}`, read('b')), { a: 50, b: 50 }, ['n']],
    ['both ended in the same millisecond, the other first', race(read('b'), `${read('a')}, ${write('n')}`), { a: 50, b: 50 }, []],
    ['it waited', race(`${write('w')}, { id: z, wait: { for: 2s } }, ${write('n')}`, read('b')), { w: 10, b: 50 }, ['w']],
    ['it slept', race(`${write('w')}, { id: z, wait: { for: 1h } }, ${write('n')}`, read('b')), { w: 10, b: 50 }, ['w']],
    ['it asked', race(`${write('w')}, { id: z, approve: { title: Go on?, by: [approver] } }, ${write('n')}`, read('b')), { w: 10, b: 50 }, ['w']],
    [
      'a branch inside was cancelled',
      race(`${nested}, ${write('w')}, ${write('n')}`, read('b')),
      { x: 10, y: 15, x2: 99, w: 99, b: 50 },
      ['x', 'x2', 'w'],
    ],
    ['a later write was skipped', race(`${read('a')}, ${skipped}, ${write('n')}`, read('b')), { a: 10, b: 50, n: 99 }, ['n']],
    ['in a loop', inLoop, { a: 10, w: 100, b: 50 }, ['w', 'w', 'w']],
    ['too many failed', race(`${read('a')}, ${write('w')}`, read('bad'), '{ at_least: 2 }'), { a: 50, w: 99, bad: 60 }, ['w']],
    [
      'the other stopped the run',
      race(`${read('a')}, ${write('w')}, ${write('n')}`, `${read('b')}, { id: s, stop: { outcome: completed } }`, 'all'),
      { a: 50, w: 99, b: 50 },
      ['w'],
    ],
  ])('%s', async (_, steps, takes, writes) => {
    const text = playbook(steps)
    const recording = await recorded(text, {}, (user) => takes[user] ?? 20, fine)
    expect(bench.called.flatMap((one) => (one.startsWith('page_user ') ? [one.slice('page_user '.length)] : [])).toSorted()).toEqual(
      writes.toSorted(),
    )
    expect(await replayRun(world, recording, compiled(text))).toMatchObject(same(recording))
    const { text: made } = await recordTest(world, recording, [])
    expect([...made.matchAll(/skill: directory\.page_user\n\s+with:\n\s+user: (\w+)/g)].map(([, user]) => user).toSorted()).toEqual(writes.toSorted())
  })

  it('shows what an edit changes in a branch that was cancelled', async () => {
    const text = playbook(race(`${read('a')}, ${write('w')}, ${write('n')}`, read('b')))
    const recording = await recorded(text, {}, (user) => ({ a: 10, w: 100 })[user] ?? 50, fine)
    const edited = compiled(text.replace('user: w', 'user: other'))
    expect(await replayRun(world, recording, edited)).toMatchObject({ removed: [{ input: { user: 'w' } }], added: [{ input: { user: 'other' } }] })
    // Without the slow write, the branch comes to its next write before the other branch has ended.
    const without = compiled(text.replace(`${write('w')}, `, ''))
    expect(await replayRun(world, recording, without)).toMatchObject({ removed: [{ step: 'race/left/w' }], added: [{ step: 'race/left/n' }] })
  })

  it('keeps what a cancelled branch changed in the case', async () => {
    const text = playbook(race(`${read('a')}, { id: tell, case: { severity: high } }, ${write('n')}`, read('b')))
    const recording = await recorded(text, {}, (user) => ({ a: 10, n: 100 })[user] ?? 50, fine)
    expect((await bench.case()).case.severity).toBe('high')
    expect((await recordTest(world, recording, [])).text).toContain('severity: high')
  })

  it('says in a recorded test how long calls take only if the way depends on it', async () => {
    const steps = race(read('a'), read('b'), 'any', 'finish')
    const told = `- id: told\n  if: { '==': [{ var: steps.race.output.left.status }, left] }\n  then: [${write('w')}]\n`
    const takes = (user: string): number => ({ a: 90 })[user] ?? 50
    const timed = await recordTest(world, await recorded(playbook(steps + told), {}, takes, fine), [])
    expect(timed.text).toMatch(/race\/left\/a\n\s+output:\n\s+state: a\n\s+after: 90ms/)
    await bench.close()
    const plain = await recordTest(world, await recorded(playbook(steps), {}, takes, fine), [])
    expect(plain.text).not.toContain('after:')
  })
})

const withBranches = Array.from({ length: 40 }, (_, at) => at + 1).filter((seed) => /parallel|concurrency/.test(new RandomPlaybook(seed).text))

test.each(withBranches)('a random playbook whose calls take different times: %i', async (seed) => {
  const { text, flags, lists } = new RandomPlaybook(seed)
  const dice = new Dice(seed + 7)
  const items = lists.map(({ name, most }) => [name, Array.from({ length: dice.roll(most + 1) }, (_, at) => `${name}-${at}`)])
  const content = { user: 'ada', ...Object.fromEntries([...flags.map((flag) => [flag, dice.roll(2) === 0]), ...items]) }
  const recording = await recorded(
    text,
    content,
    () => dice.roll(20),
    (call) => {
      if (dice.roll(6) === 0) return failing('refused', 'credentials_rejected')
      return call.skill.id === 'tag_at_once' ? done({ tagged: ['x'], refused: [] }) : done({ state: `state-${dice.roll(3)}`, asked: 1 })
    },
  )
  const writes = bench.calls.filter(({ skill }) => skill.impact !== 'read').map(({ step }) => step)
  expect(await replayRun(world, recording, compiled(text))).toMatchObject(same(recording))
  const { text: made } = await recordTest(world, recording, [])
  const expected = [...(made.split('expect:')[1] ?? '').matchAll(/- step: (\S+)\n\s+skill/g)].map(([, step]) => step)
  expect(expected.toSorted()).toEqual([...new Set(writes)].toSorted())
})
