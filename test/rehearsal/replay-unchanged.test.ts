import { join } from 'node:path'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { defaultPolicy, type Policy, type Verdict } from '../../runtime/domain/index.ts'
import { noTurns } from '../../runtime/fairness/index.ts'
import { compilePlaybook, sourcesOf, withPlaybooks } from '../../runtime/playbook/index.ts'
import { createRecordings, openWorld, type Recording, type Replayed, recordTest, replayRun, type World } from '../../runtime/rehearsal/index.ts'
import { type Answer, Bench, Crash, done, failing, playbook } from '../engine/support/harness.ts'
import { Dice, RandomPlaybook } from '../engine/support/random-playbook.ts'

/** Replays recorded runs of all kinds with their own playbook. Nothing may differ. */
let bench: Bench
let world: World
beforeAll(async () => {
  world = await openWorld({ plugins: [join(import.meta.dirname, '../engine/support/plugins')], playbooks: [] })
})
afterEach(() => bench.close())

type Say = readonly [verdict: Verdict, output?: { readonly state: string }]

/** Executes a run to its end. People answer in turn. When they have no more answers, time passes. */
async function recorded(
  text: string,
  content: object,
  answer: Answer,
  said: readonly Say[] = [],
  subs: readonly string[] = [],
  standing = defaultPolicy,
): Promise<Recording> {
  bench = await Bench.open(text, content, subs)
  bench.standing = standing
  const answers = [...said]
  while (!(await bench.live(answer))) {
    const { state, wakeAt } = await bench.ended()
    if (state !== 'waiting') continue
    bench.clock.advance(61_000)
    const [next, ...rest] = answers
    if (next && (await bench.decisions()).some((decision) => decision.state === 'open')) {
      await bench.answer(next[0], 'ada', { reason: 'Seen', output: next[1] ?? null })
      answers.splice(0, answers.length, ...rest)
    } else if (wakeAt === null) break
    else bench.clock.advance(Math.max(wakeAt - bench.clock.now(), 0))
  }
  return recordingOf(text, subs)
}

/** Returns the recording as the API would return it now. */
async function recordingOf(text: string, subs: readonly string[] = []): Promise<Recording> {
  const run = await bench.ended()
  const kept = await createRecordings(bench.store, { byDigest: async () => compiled(text, subs) }, noTurns).recording(run)
  const sources = [...sourcesOf(subs.map((one, index) => ({ text: one, file: `sub-${index}.yaml` })))]
  const playbooks = sources.map(([name, source]) => ({ name, digest: name, text: source.text }))
  return JSON.parse(JSON.stringify({ ...kept, playbook: { ...kept.playbook, text }, playbooks })) as Recording
}

function compiled(text: string, subs: readonly string[] = []) {
  const sources = sourcesOf(subs.map((one, index) => ({ text: one, file: `sub-${index}.yaml` })))
  return compilePlaybook(text, 'test.yaml', withPlaybooks(world.lookup, sources))
}

const replay = (recording: Recording, text: string, subs: readonly string[] = []): Promise<Replayed> =>
  replayRun(world, recording, compiled(text, subs))

const nothing = { added: [], removed: [], changed: [], missing: [], assumed: [], other_plugins: [] }
const same = (recording: Recording): object => ({ ...nothing, outcome_before: recording.state, outcome_after: recording.state })
const call = (id: string, user: string, skill = 'get_user'): string => `{ id: ${id}, skill: directory.${skill}, with: { user: ${user} } }`
const fine: Answer = ({ input }) => done({ state: String((input as { user?: string }).user) })
const lost: Answer = ({ skill }) => (skill.id === 'get_user' ? failing('refused', 'credentials_rejected') : failing('unknown', 'call_timeout'))

const doubt = `- ${call('act', 'ada', 'page_user')}\n  on_error: continue\n- id: say\n  case: { note: "{{ steps.act.status }}" }`.replace(
  /\{ (id: act.*) \}\n/,
  (_, inner: string) => `${inner.replaceAll(/, (skill|with)/g, '\n  $1')}\n`,
)
const tagging = `- id: tag
  skill: directory.tag_users
  with: { users: [ada, bob] }
  on_error: continue
- id: then
  skill: directory.page_user
  with: { user: '{{ steps.tag.status }}' }`
/** Returns a handler that sends `count` writes, none of which gets an answer. */
function requests(count: number): Answer {
  return async (call, number) => {
    const { acts } = call
    if (!acts || call.skill.id !== 'tag_users') return fine(call, number)
    for (let at = 1; at < count; at += 1) {
      const title = `POST /users/${at}`
      const act = await acts.request({ number: at, digest: title, writes: true, title }, async () => ({
        ok: false,
        effect: 'unknown',
        failure: { code: 'call_timeout', message: 'lost', remedy: null, retryAfter: null },
        body: null,
      }))
      if (!act.ok) return act
    }
    return done({ tagged: ['ada', 'bob'], refused: [] })
  }
}
/** Returns a handler that sends a write and dies, and cannot start again. */
function notRestarted(): Answer {
  return async (call, number) => {
    if (call.skill.id !== 'tag_users') return fine(call, number)
    if (number > 1) return failing('not_sent', 'connection_changed')
    await call.acts?.request({ number: 1, digest: 'one', writes: true, title: 'POST /users/1' }, () => Promise.reject(new Crash()))
    throw new Error('the write was answered')
  }
}
const approval = `
- id: ask
  approve: { title: Page ada?, by: [approver], expires: 1h, covers: page }
  on_error: continue
- id: page
  if: { '==': [{ var: steps.ask.status }, done] }
  skill: directory.page_user
  with: { user: ada }
- id: told
  if: { '==': [{ var: steps.ask.status }, done] }
  skill: directory.get_user
  with: { user: '{{ steps.ask.output.by | first }} {{ steps.ask.output.at }}' }`
const race = (join: string, rest: string): string => `
- id: each
  foreach: '{{ alert.content.users }}'
  as: one
  max_items: 9
  steps:
    - id: race
      parallel:
        join: ${join}
        rest: ${rest}
        branches:
          left: [${call('a', "'l-{{ one }}'")}]
          middle: [${call('b', "'m-{{ one }}'")}, ${call('b2', "'n-{{ one }}'")}]
          right: [${call('c', "'r-{{ one }}'")}]
    - id: won
      if: { '==': [{ var: steps.race.output.right.status }, done] }
      skill: directory.page_user
      with: { user: '{{ steps.c.output.state }}' }
    - id: lost
      if: { '!=': [{ var: steps.race.output.right.status }, done] }
      skill: directory.suspend_user
      with: { user: '{{ one }}' }`
/** Answers the right branch first, and the left one after that. */
function rightFirst(): Answer {
  const right = Promise.withResolvers<void>()
  return async (request, number) => {
    const { user } = request.input as { readonly user: string }
    if (/^[lmn]-/.test(user)) await right.promise
    if (user.startsWith('r-')) setImmediate(() => setImmediate(right.resolve))
    return fine(request, number)
  }
}
const poll = `
- id: gone
  wait:
    poll: ${call('look', 'ada').replace('id: look, ', '')}
    every: 1m
    until: { '==': [{ var: output.state }, gone] }
    at_most: 10m
  on_error: continue
- id: act
  skill: directory.page_user
  with: { user: '{{ steps.gone.status }}' }`
const sub = `format: 1
playbook: again
inputs: { who: { type: string, required: true } }
connections: { directory: { integration: directory } }
steps:
  - ${call('look', "'{{ inputs.who }}'")}
  - id: cool
    wait: { for: 10m }
  - ${call('act', "'{{ steps.look.output.state }}'", 'page_user')}
outputs: { state: '{{ steps.act.output.state }}' }
`
const subs = `- id: again\n  playbook: again\n  with: { who: ada }\n- ${call('more', "'{{ steps.again.output.state }}'", 'suspend_user')}`

function slowly(answer: Answer): Answer {
  return async (request, number) => {
    bench.clock.advance(47_000)
    return answer(request, number)
  }
}

test.each<[name: string, steps: string, answer: () => Answer, said?: readonly Say[], subs?: readonly string[]]>([
  ['an approval that was given', approval, () => fine, [['approve']]],
  ['an approval that was declined', approval, () => fine, [['decline']]],
  ['an approval that expired', approval, () => fine],
  ['a write in doubt that had happened', doubt, () => lost, [['happened', { state: 'paged' }]]],
  ['a write in doubt that was given up', doubt, () => lost, [['give_up']]],
  [
    'a write in doubt that was sent again',
    doubt,
    () => (request, number) => (number === 1 ? lost(request, number) : fine(request, number)),
    [['repeat']],
  ],
  ['a handler that was given up', tagging, () => requests(2), [['give_up']]],
  ['a handler of which the last request was given up', tagging, () => requests(3), [['happened', { state: 'x' }], ['give_up']]],
  [
    'a handler of which a request had happened',
    tagging,
    () => requests(3),
    [
      ['happened', { state: 'x' }],
      ['happened', { state: 'y' }],
    ],
  ],
  ['a handler that could not start again, of which a request had happened', tagging, notRestarted, [['happened']]],
  ['a handler that could not start again, of which no request had happened', tagging, notRestarted, [['repeat']]],
  ['a handler that could not start again and was given up', tagging, notRestarted, [['give_up']]],
  ['a handler that failed', tagging, () => () => failing('refused', 'credentials_rejected')],
  ['branches of which the last one won', race('any', 'finish'), rightFirst],
  ['branches of which the others were cancelled', race('any', 'cancel'), rightFirst],
  ['branches of which two had to end', race('{ at_least: 2 }', 'finish'), rightFirst],
  ['a poll that came to its end', poll, () => (_, number) => done({ state: number === 4 ? 'gone' : 'there' })],
  ['a poll of slow answers that did not', poll, () => slowly(() => done({ state: 'there' }))],
  ['a sub-playbook that waits', subs, () => fine, [], [sub]],
  ['reads and writes that failed', `- ${call('a', 'ada')}`, () => () => failing('not_sent', 'network')],
  ['writes that failed', `- ${call('a', 'ada', 'suspend_user')}`, () => () => failing('refused', 'credentials_rejected')],
])('%s', async (name, steps, answer, said = [], parts = []) => {
  const text = playbook(steps)
  const recording = await recorded(text, { users: ['x', 'y'] }, answer(), said, parts)
  expect(['completed', 'failed']).toContain(recording.state)
  expect(recording.decisions.filter(({ answers }) => answers.length > 0)).toHaveLength(said.length)
  expect(await replay(recording, text, parts)).toMatchObject(same(recording))
  // Here no time passes between answers. A test cannot say which of such answers came together.
  if (!/slow|cancelled/.test(name)) expect((await recordTest(world, recording, [])).text).toContain('recorded: a run for test')
})

const limits = { ...defaultPolicy.limits, quotas: { ...defaultPolicy.limits.quotas, high: { calls: 1, per: 3_600_000 } } }
const suspends = `- ${call('a', 'ada', 'suspend_user')}\n- ${call('b', 'bob', 'suspend_user')}\n- ${call('c', 'ada', 'page_user')}`

test.each<[name: string, standing: Policy, said: readonly Say[]]>([
  ['a run of which a step was left out', { ...defaultPolicy, protected: [{ names: ['BOB'], pattern: null, skills: null, reason: 'VIP' }] }, []],
  ['a run that went beyond a quota', { ...defaultPolicy, limits }, [['approve']]],
  ['a run that was not let beyond a quota', { ...defaultPolicy, limits }, [['decline']]],
])('%s', async (_, standing, said) => {
  const text = playbook(suspends)
  const recording = await recorded(text, {}, fine, said, [], standing)
  expect(await replay(recording, text)).toMatchObject(same(recording))
  expect((await recordTest(world, recording, [])).text).toContain('recorded: a run for test')
})

test('replays a run whose time limit ended it', async () => {
  const text = playbook(`- ${call('a', 'ada')}\n- ${call('b', 'ada', 'page_user')}\n- ${call('c', 'bob', 'page_user')}`, 'limits: { time: 1m }')
  const recording = await recorded(text, {}, slowly(fine))
  expect(recording.error).toMatchObject({ code: 'run_timeout' })
  expect(await replay(recording, text)).toMatchObject(same(recording))
})

test('reports plugins of another version, and an alert that the edited playbook does not take', async () => {
  const text = playbook(`- ${call('a', 'ada')}`)
  const recording = await recorded(text, {}, fine)
  expect(await replay({ ...recording, plugins: { directory: 'another' } }, text)).toMatchObject({ ...same(recording), other_plugins: ['directory'] })
  const other = await replay(recording, text.replace('alert_type: test', 'alert_type: [other, another]'))
  expect(other).toMatchObject({ outcome_after: null, note: 'test is for alerts of the type other, another, but this alert has the type test' })
})

test('says that a run that somebody cancelled cannot be replayed', async () => {
  const text = playbook(`- ${call('a', 'ada')}\n- id: cool\n  wait: { for: 1h }\n- ${call('b', 'ada', 'page_user')}`)
  bench = await Bench.open(text)
  await bench.live(fine)
  await bench.cancel('Not needed')
  await bench.live(fine)
  const recording = await recordingOf(text)
  expect(await replay(recording, text)).toMatchObject({ outcome_after: null, note: 'somebody cancelled it, and a replay cannot repeat that' })
  await expect(recordTest(world, recording, [])).rejects.toThrow('Somebody cancelled it, and a replay cannot repeat that.')
})

test('replays a run at every point of its way, sleeping or dead', async () => {
  const text = playbook(`- ${call('a', 'ada')}\n- id: cool\n  wait: { for: 1h }\n${approval}`)
  bench = await Bench.open(text)
  const seen: string[] = []
  const compare = async (): Promise<void> => {
    const recording = await recordingOf(text)
    seen.push(recording.state)
    expect(await replay(recording, text)).toMatchObject(same(recording))
  }
  await bench.live(() => {
    throw new Crash()
  })
  await compare()
  await bench.live(fine)
  await compare()
  bench.clock.advance(3_600_000)
  await bench.live(fine)
  await compare()
  await bench.answer('approve')
  await bench.live(() => {
    throw new Crash()
  })
  await compare()
  expect(seen).toEqual(['running', 'waiting', 'waiting', 'running'])
})

test('replays an edit that lets another branch win a join', async () => {
  const text = playbook(race('any', 'finish'))
  const recording = await recorded(text, { users: ['x'] }, rightFirst())
  const edited = text.replace(`${call('c', "'r-{{ one }}'")}`, `$&, { id: never, wait: { until: '{{ alert.content.users }}' } }`)
  expect(await replay(recording, edited)).toMatchObject({
    outcome_after: 'completed',
    added: [{ skill: 'directory.suspend_user', input: { user: 'x' } }],
    removed: [{ skill: 'directory.page_user', input: { user: 'r-x' } }],
    missing: [],
  })
})

test.each(Array.from({ length: 30 }, (_, at) => at + 1))('replays a random playbook: %i', async (seed) => {
  const { text, flags, lists } = new RandomPlaybook(seed)
  const dice = new Dice(seed)
  const items = lists.map(({ name, most }) => [name, Array.from({ length: dice.roll(most + 1) }, (_, at) => `${name}-${at}`)])
  const content = { user: 'ada', ...Object.fromEntries([...flags.map((flag) => [flag, dice.roll(2) === 0]), ...items]) }
  let answers = 0
  const recording = await recorded(text, content, () =>
    dice.roll(6) === 0 ? failing('refused', 'not_allowed') : done({ state: `state-${answers++}`, asked: 1 }),
  )
  expect(await replay(recording, text)).toMatchObject(same(recording))
})
