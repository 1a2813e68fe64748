import { join } from 'node:path'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { noTurns } from '../../runtime/fairness/index.ts'
import { compilePlaybook, type Plan } from '../../runtime/playbook/index.ts'
import { createRecordings, openWorld, type Recording, replayRun, type World } from '../../runtime/rehearsal/index.ts'
import { replayRecording } from '../../runtime/rehearsal/recording/replay-recording.ts'
import { type Answer, Bench, done, failing, playbook } from '../engine/support/harness.ts'
import { Death, mortal } from '../engine/support/mortal-store.ts'
import { retracing } from '../engine/support/retraced.ts'
import { inTime } from '../engine/support/timed.ts'

/** Runs whose order a replay cannot tell from how long calls take. */
let bench: Bench
let world: World
beforeAll(async () => {
  world = await openWorld({ plugins: [join(import.meta.dirname, '../engine/support/plugins')], playbooks: [] })
})
afterEach(() => bench.close())

const compiled = (text: string): Plan => compilePlaybook(text, 'test.yaml', world.lookup)
const userOf = ({ input }: { readonly input: unknown }): string => (input as { readonly user: string }).user
const read = (id: string): string => `{ id: ${id}, skill: directory.get_user, with: { user: ${id} } }`
const write = (id: string): string => `{ id: ${id}, skill: directory.page_user, with: { user: ${id} } }`
const fine: Answer = (call) => done({ state: userOf(call) })

/** Starts a run whose calls and scripts take these times. The id of a script is its argument. */
async function opened(steps: string, takes: Readonly<Record<string, number>>, answer: Answer = fine): Promise<{ text: string; live: Answer }> {
  const text = playbook(steps)
  bench = await Bench.open(text)
  bench.scripts = {
    run: async ({ args }) => {
      await bench.clock.sleep(takes[userOf({ input: args })] ?? 20)
      return { kind: 'returned', value: args }
    },
  }
  return { text, live: inTime(bench, (call) => takes[userOf(call)] ?? 20, answer) }
}

async function unchanged(text: string): Promise<Recording> {
  const kept = await createRecordings(bench.store, { byDigest: async () => compiled(text) }, noTurns).recording(await bench.ended())
  const recording = JSON.parse(JSON.stringify({ ...kept, playbook: { ...kept.playbook, text } })) as Recording
  const nothing = { added: [], removed: [], changed: [], missing: [], assumed: [] }
  expect(await replayRun(world, recording, compiled(text))).toMatchObject({ ...nothing, outcome_after: recording.state })
  return recording
}

test.each([
  ['a script was faster than a call', { s: 10, b: 30 }, 'low'],
  ['a call was faster than a script', { s: 30, b: 10 }, 'high'],
])('%s', async (_, takes, severity) => {
  const script = `{ id: s, script: 'export default (given) => given', with: { user: s } }`
  const left = `${script}, { id: up, case: { severity: high } }`
  const right = `${read('b')}, { id: down, case: { severity: low } }`
  const { text, live } = await opened(`- { id: both, parallel: { branches: { left: [${left}], right: [${right}] } } }`, takes)
  await bench.live(live)
  expect((await bench.case()).case.severity).toBe(severity)
  const own = await replayRecording(world, await unchanged(text))
  expect(own).toMatchObject({ rehearsed: { case: { severity } } })
})

test('a wait that another process may have begun, long after the answer before it', async () => {
  const branches = `left: [{ id: z, wait: { for: 15ms } }, ${write('w')}], right: [${read('b')}, { id: s, stop: { outcome: completed } }]`
  const steps = `- ${read('first')}\n- { id: race, parallel: { branches: { ${branches} } } }`
  for (let operations = 1; operations <= 24; operations += 1) {
    const { text, live } = await opened(steps, { b: 18, w: 5 })
    const death = new Death(operations, true)
    await bench.live((call, number) => death.attempt(() => live(call, number)), mortal(bench.store, death))
    for (let { state } = await bench.ended(); state === 'running' || state === 'waiting'; { state } = await bench.ended()) {
      if (state === 'waiting') await bench.answer('happened', 'ada', { output: { state: 'x' } })
      await bench.live(live)
    }
    await unchanged(text)
    if (operations < 24) await bench.close()
  }
})

test('a decision of a cancelled branch that would have expired before the run went on', async () => {
  const ask = `{ id: ask, approve: { title: Go on?, expires: 30m } }, ${write('w')}`
  const race = `- { id: race, parallel: { join: any, rest: cancel, branches: { left: [${ask}], right: [${read('r')}] } } }`
  const { text, live } = await opened(`${race}\n- { id: z, wait: { for: 1h } }\n- ${read('b')}`, {})
  await bench.live(live)
  bench.clock.advance(7_200_000)
  await bench.live(live)
  expect((await unchanged(text)).state).toBe('completed')
})

test('what follows a failed call in a cancelled branch, beside an iteration that is still at work', async () => {
  const loop = `{ id: each, foreach: [x, y], concurrency: 2, steps: [{ id: act, skill: directory.page_user, with: { user: '{{ item }}' }, on_error: [${write('no')}] }] }`
  const { text, live } = await opened(
    `- { id: race, parallel: { join: any, rest: cancel, branches: { left: [${loop}], right: [${read('b')}] } } }`,
    { x: 50, y: 30, b: 20 },
    (call) => (userOf(call) === 'y' ? failing('refused', 'not_found') : done({ state: 'x' })),
  )
  await bench.live(live)
  expect(bench.called).not.toContain('page_user no')
  await unchanged(text)
})

test('the console shows what a cancelled branch wrote into the case after its last call', async () => {
  const tell = '{ id: tell, case: { note: seen, severity: high } }'
  const never = '{ id: never, case: { note: never } }'
  const branches = `left: [${read('a')}, ${tell}, { id: z, wait: { for: 1h } }, ${never}], right: [${read('b')}]`
  const { text, live } = await opened(`- { id: race, parallel: { join: any, rest: cancel, branches: { ${branches} } } }`, { a: 10, b: 20 })
  await bench.live(live)
  const { timeline } = await bench.case()
  const wrote = timeline.flatMap(({ actor, body }) => ('run' in actor && body.kind === 'note' ? [actor.step] : []))
  const shown = (await retracing(() => bench).list()).items.map(({ address }) => address)
  expect(wrote.filter((step) => !shown.includes(step))).toEqual([])
  expect(shown).not.toContain('race/left/never')
  await unchanged(text)
})
