import { afterEach, expect, test } from 'vitest'
import { systemScope } from '../../../runtime/domain/index.ts'
import { pause, resume } from '../../support/pauses.ts'
import { type Answer, Bench, call, done, playbook } from '../support/harness.ts'
import { Death, mortal } from '../support/mortal-store.ts'
import { turnedAway } from '../support/paused.ts'

let bench: Bench
afterEach(() => bench.close())

/** Where the process dies: after this many operations. The last one still happens or does not. */
const deaths = Array.from({ length: 24 }, (_, index) => [1 + (index >> 1), index % 2 === 0] as const)

test.each(deaths)(
  'a death after %i operations around a pause (the last happens: %s) sends nothing while it stands, and nothing twice',
  async (after, lastHappens) => {
    bench = await Bench.open(playbook(`${call('look', 'get_user', 'ada')}${call('act', 'page_user', 'ada')}${call('then', 'page_user', 'bob')}`))
    const arrived: string[] = []
    let paused = false
    /** The outside world. It begins a pause while the run executes. A write that still arrives then is an error. */
    const world =
      (death: Death): Answer =>
      (one) =>
        death.attempt(async () => {
          if (one.skill.id === 'get_user') return done({ state: 'there' })
          const away = await turnedAway(bench)
          if (away) return away
          expect(paused).toBe(false)
          arrived.push(String((one.input as { user?: string }).user))
          // Pause while the first write is under way.
          if (arrived.length === 1) {
            await pause(bench.store, bench.clock)
            paused = true
          }
          return done({ state: 'paged' })
        })
    const ended = async (): Promise<boolean> => {
      const run = await bench.store.runs.get(systemScope, bench.run)
      return run?.state === 'completed' || run?.state === 'failed'
    }
    let claimedAnyway = 0
    let resumed = false
    for (let life = 0; life < 20 && !(await ended()); life += 1) {
      const open = (await bench.decisions()).find(({ state }) => state === 'open')
      // The write that was under way at the death is in doubt. A person answers what happened.
      if (open) await bench.answerTo(open.id, arrived.includes(open.actions[0]?.target ?? '') ? 'happened' : 'repeat', 'ada')
      // A process that does not know about the pause and claims the run sends nothing either.
      else if (paused && claimedAnyway++ > 1) {
        paused = false
        resumed = true
        await resume(bench.store, bench.clock)
      }
      const death = new Death(life === 0 || resumed ? after : 1_000, lastHappens)
      resumed = false
      await bench.live(world(death), mortal(bench.store, death))
    }
    expect(await bench.ended()).toMatchObject({ state: 'completed', failure: null })
    expect(claimedAnyway).toBeGreaterThan(0)
    expect(arrived).toEqual(['ada', 'bob'])
  },
)
