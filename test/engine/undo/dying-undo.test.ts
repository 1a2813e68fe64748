import { expect, test } from 'vitest'
import { systemScope } from '../../../runtime/domain/index.ts'
import { Sweeper } from '../../../runtime/engine/worker/sweeper.ts'
import type { Job, Queue } from '../../../runtime/queue/index.ts'
import { createLogger } from '../../../runtime/telemetry/index.ts'
import { type Answer, Crash } from '../support/harness.ts'
import { Death, mortal } from '../support/mortal-store.ts'
import { ada, fine, UndoBench } from '../support/undo-bench.ts'

const steps = `
- id: a
  skill: directory.suspend_user
  with: { user: ada }
- id: b
  skill: directory.grant_role
  with: { user: bob }
- id: c
  skill: directory.unpair_user
  with: { user: eve }
- id: d
  skill: directory.suspend_user
  with: { user: joe }`

/** The inverse calls in order. The third may be sent again, the others may not. */
const expected = ['activate_user joe', 'pair_user eve', 'revoke_grant grant of bob of bob', 'activate_user ada']
const mostLives = 40
const asked = { by: ada, reason: null, uncertain: false, seen: null }

/**
 * Asks for the undo and executes it to its end. The first process dies after this many operations. Returns
 * whether it died.
 */
async function ordeal(undo: UndoBench, after: number, lastHappens: boolean): Promise<boolean> {
  const { bench } = undo
  const death = new Death(after, lastHappens)
  const dying: Answer = (call, number) => death.attempt(() => fine(call, number))
  const store = mortal(bench.store, death)
  let died = false
  const unlessDead = async (act: () => Promise<unknown>): Promise<void> => {
    try {
      await act()
    } catch (error) {
      if (!(error instanceof Crash)) throw error
      died = true
    }
  }
  const run = await undo.run()
  await unlessDead(() => bench.undoDesk(store).begin(run, asked))
  // The caller who got no answer asks again. The sweeper hands over what the store has.
  await bench.undoDesk().begin(run, asked)
  const handed: Job[] = []
  const queue = { enqueueAgain: async (jobs: readonly Job[]) => void handed.push(...jobs) } as unknown as Queue
  const sweeper = new Sweeper(bench.store, queue, bench.clock, createLogger({ level: 'silent' }), 3)
  for (let life = 0; life < mostLives; life += 1) {
    const { state } = await undo.undoRun()
    if (state === 'completed' || state === 'failed') return died
    handed.length = 0
    await sweeper.sweep(0)
    if (handed.some(({ run: id }) => id === undo.id())) {
      await unlessDead(async () => {
        if (!(await undo.live(died ? fine : dying, 1, died ? bench.store : store))) died = died || (await undo.undoRun()).state === 'running'
      })
      continue
    }
    const open = (await undo.decisions()).find((one) => one.state === 'open')
    if (open) await bench.answerTo(open.id, open.kind === 'approval' ? 'approve' : 'give_up', 'ada')
  }
  throw new Error(`it has not ended after ${mostLives} lives`)
}

/** This many tests share the places to die at, so that none takes long. */
const parts = 4
const ways = [true, false].flatMap((lastHappens) => Array.from({ length: parts }, (_, part) => [lastHappens, part] as const))

test.each(ways)(
  'an undo that dies anywhere repeats only what may be repeated, and reports what is missing (the last happens: %s, part %i)',
  async (lastHappens, part) => {
    let deaths = 0
    for (let after = part + 1; ; after += parts) {
      const undo = await UndoBench.ended(steps)
      const died = await ordeal(undo, after, lastHappens)
      const where = `death after ${after}`
      const run = await undo.undoRun()
      const ends = [...((await undo.look()).last?.ends.values() ?? [])].map(({ outcome }) => outcome)
      const times = expected.map((call) => undo.called.filter((one) => one === call).length)
      // Only what may be repeated came twice. Calls that did not arrive are reported as in doubt.
      expect(Math.max(times[1] ?? 0, times[2] ?? 0), where).toBeLessThanOrEqual(1)
      for (const [index, count] of times.entries()) {
        if (count === 0) expect(ends[index], where).toBe('in_doubt')
        else expect(['undone', 'in_doubt'], where).toContain(ends[index])
      }
      expect(ends.filter((end) => end === 'in_doubt').length, where).toBeLessThanOrEqual(1)
      expect(run.state, where).toBe(ends.includes('in_doubt') ? 'failed' : 'completed')
      // In the order of the plan.
      expect([...new Set(undo.called)], where).toEqual(expected.filter((_, index) => (times[index] ?? 0) > 0))
      const { timeline } = await undo.bench.case()
      const said = timeline.filter(({ key }) => key.startsWith(`${undo.id()}#`)).map(({ body }) => body.kind)
      expect(
        said.filter((kind) => kind === 'action'),
        where,
      ).toHaveLength(4)
      expect(
        said.filter((kind) => kind === 'undo'),
        where,
      ).toHaveLength(1)
      expect((await undo.bench.store.alerts.get(systemScope, [run.alert]))[0], where).toMatchObject({ status: 15, retryCount: 0 })
      await undo.close()
      if (!died) break
      deaths += 1
    }
    // The test reached every place to die at, and the last execution did not die.
    expect(deaths).toBeGreaterThan(20 / parts)
  },
)
