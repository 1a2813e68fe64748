import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { SkillCall } from '../../../runtime/engine/call/skill-caller.ts'
import type { CallResult } from '../../../runtime/plugin/index.ts'
import { Bench, done, failing } from '../support/harness.ts'
import { Death, mortal } from '../support/mortal-store.ts'
import { Dice } from '../support/random-playbook.ts'
import { innerPlaybook, RandomSteady } from '../support/random-steady.ts'

const mostLives = 400

/** A number from 0 to `sides - 1` that depends on the text alone. So the world says the same in each run. */
function chosen(text: string, sides: number): number {
  return Number.parseInt(hash('sha256', text, 'hex').slice(0, 8), 16) % sides
}

/** A run, and a world whose answers depend on what is asked alone. */
class SteadyRun {
  readonly bench: Bench
  /** How often the write to each user took effect. */
  readonly #written = new Map<string, number>()

  constructor(bench: Bench) {
    this.bench = bench
    bench.scripts = { run: async ({ args }) => ({ kind: 'returned', value: args }) }
  }

  /** Executes the run to its end. @param dice when its processes die, and who answers first. Null: no process dies */
  async toTheEnd(dice: Dice | null): Promise<void> {
    for (let life = 0; life < mostLives; life += 1) {
      const death = new Death(dice && dice.roll(life < 40 ? 4 : 2) > 0 ? 1 + dice.roll(50) : Number.POSITIVE_INFINITY, dice?.roll(2) === 0)
      if (await this.bench.live((call) => death.attempt(() => this.#answerTo(call)), mortal(this.bench.store, death))) return
      const { state } = await this.bench.ended()
      if (state !== 'running' && state !== 'waiting') return
      while (!(await this.#canGoOn())) await this.#help(dice)
    }
    throw new Error(`it has not ended after ${mostLives} lives`)
  }

  #answerTo({ skill, input }: SkillCall): CallResult {
    const { user } = input as { readonly user: string }
    if (skill.id === 'get_user')
      return chosen(user, 5) === 0 ? failing('refused', 'not_found') : done({ state: chosen(user, 2) === 0 ? 'gone' : 'there' })
    if (chosen(user, 4) === 0) return failing('refused', 'not_found')
    this.#written.set(user, (this.#written.get(user) ?? 0) + 1)
    return done({ state: 'x' })
  }

  async #canGoOn(): Promise<boolean> {
    const { state, wakeAt } = await this.bench.ended()
    return state !== 'waiting' || (wakeAt !== null && wakeAt <= this.bench.clock.now())
  }

  /** Answers a decision. If none is open, lets time pass. */
  async #help(dice: Dice | null): Promise<void> {
    const open = (await this.bench.decisions()).filter(({ state }) => state === 'open')
    const decision = dice ? dice.one(open) : open[0]
    if (decision === undefined) {
      const { wakeAt } = await this.bench.ended()
      if (wakeAt === null) throw new Error('it sleeps for ever')
      return this.bench.clock.advance(wakeAt - this.bench.clock.now())
    }
    const { id, kind, title, actions } = decision
    if (kind === 'in_doubt') await this.bench.answerTo(id, this.#written.has(String(actions[0]?.target)) ? 'happened' : 'repeat', 'ada')
    // A quota asks with the time in its title.
    else await this.bench.answerTo(id, kind === 'approval' && chosen(title, 3) === 0 ? 'decline' : 'approve', 'ada')
  }

  /** What people see in the end. If several parts fail at once, any of them may be the one that is named. */
  async outcome(): Promise<object> {
    const { state, failure } = await this.bench.ended()
    const notes = (await this.bench.case()).timeline.flatMap(({ body }) => (body.kind === 'note' ? [body.text] : []))
    const asked = (await this.bench.decisions()).flatMap((one) => (one.kind === 'approval' ? [`${one.title} ${one.state}`] : []))
    return { state, code: failure?.code, written: [...this.#written].toSorted(), notes: notes.toSorted(), asked: asked.toSorted() }
  }
}

async function ended(text: string, dice: Dice | null): Promise<object> {
  const run = new SteadyRun(await Bench.open(text, {}, [innerPlaybook]))
  try {
    await run.toTheEnd(dice)
    return await run.outcome()
  } finally {
    await run.bench.close()
  }
}

const seeds = Number(process.env['TOCSIN_TEST_SEEDS'] ?? 12)
const first = Number(process.env['TOCSIN_TEST_FIRST_SEED'] ?? 1)

test.each(Array.from({ length: seeds }, (_, index) => first + index))(
  'a run whose processes die anywhere writes, notes and asks the same as one whose process lives (%i)',
  async (seed) => {
    const { text } = new RandomSteady(seed)
    const dying = await ended(text, new Dice(seed * 7_919))
    if ('code' in dying && dying.code === 'process_died') return
    expect(dying).toEqual(await ended(text, null))
  },
)
