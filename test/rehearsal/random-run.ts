import type { SkillCall } from '../../runtime/engine/call/skill-caller.ts'
import type { CallResult } from '../../runtime/plugin/index.ts'
import { type Answer, Bench, Crash, done, failing } from '../engine/support/harness.ts'
import { Death, mortal } from '../engine/support/mortal-store.ts'
import { Dice } from '../engine/support/random-playbook.ts'
import { inTime } from '../engine/support/timed.ts'
import { innerPlaybook } from './random-way.ts'

const mostLives = 300

/** A run whose processes die anywhere. Its calls and scripts take random times, fail and get lost, and people answer at random times. */
export class RandomRun {
  readonly bench: Bench
  readonly #dice: Dice
  readonly #longest: number
  #death = new Death(1, true)

  private constructor(bench: Bench, dice: Dice) {
    this.bench = bench
    this.#dice = dice
    // With short times, many things happen in the same millisecond.
    this.#longest = dice.one([2, 20])
    bench.scripts = {
      run: async ({ args }) => {
        await bench.clock.sleep(dice.roll(this.#longest))
        return { kind: 'returned', value: args }
      },
    }
  }

  /** Executes the run to its end. */
  static async ended(text: string, seed: number): Promise<Bench> {
    const run = new RandomRun(await Bench.open(text, {}, [innerPlaybook]), new Dice(seed))
    await run.#toTheEnd()
    return run.bench
  }

  async #toTheEnd(): Promise<void> {
    const timed = inTime(
      this.bench,
      () => this.#dice.roll(this.#longest),
      (call) => this.#death.attempt(() => this.#answerTo(call)),
    )
    const answer: Answer = (call, number) => (call.acts ? requests(call, () => timed(call, number)) : timed(call, number))
    for (let life = 0; life < mostLives; life += 1) {
      this.#death = new Death(this.#dice.roll(life < 30 ? 3 : 2) > 0 ? 1 + this.#dice.roll(60) : 1_000_000, this.#dice.roll(2) === 0)
      if (await this.bench.live(answer, mortal(this.bench.store, this.#death))) return
      if (!(await this.#wakes())) return
    }
    throw new Error(`it has not ended after ${mostLives} lives`)
  }

  #answerTo({ skill }: SkillCall): CallResult {
    const fate = this.#dice.roll(14)
    if (fate === 0) return failing('not_sent', 'network')
    if (fate === 1) return failing('refused', 'not_found')
    if (skill.impact === 'read') return done({ state: this.#dice.one(['gone', 'there', 'unpaired']) })
    if (fate === 2) return failing('refused', 'rate_limited')
    if (fate === 3) return failing('unknown', 'call_timeout')
    if (fate === 4) throw new Crash()
    return done(skill.id === 'tag_at_once' ? { asked: 1 } : { state: 'x' })
  }

  /** Lets the run continue, by an answer or by passing time. Returns false if it has ended. */
  async #wakes(): Promise<boolean> {
    const { clock } = this.bench
    const { state, wakeAt } = await this.bench.ended()
    if (state !== 'waiting') return state === 'running'
    if (wakeAt !== null && wakeAt <= clock.now()) return true
    const open = (await this.bench.decisions()).filter((decision) => decision.state === 'open')
    if (open.length > 0 && (wakeAt === null || this.#dice.roll(2) === 0)) {
      clock.advance(this.#dice.roll(100_000))
      const { id, kind, expiresAt } = this.#dice.one(open)
      if (expiresAt !== null && expiresAt <= clock.now()) return this.#wakes()
      const verdict =
        kind === 'in_doubt' ? this.#dice.one(['happened', 'repeat', 'give_up'] as const) : this.#dice.one(['approve', 'decline'] as const)
      await this.bench.answerTo(id, verdict, 'ada')
    } else if (wakeAt === null) throw new Error('it sleeps for ever')
    else clock.advance(wakeAt - clock.now())
    return this.#wakes()
  }
}

/** Sends the two requests of a handler. */
async function requests({ acts }: SkillCall, send: () => CallResult | Promise<CallResult>): Promise<CallResult> {
  for (const number of [1, 2]) {
    const title = `POST /users/${number}`
    const act = await acts?.request({ number, digest: title, writes: true, title }, async () => {
      const sent = await send()
      if (sent.ok) return { ok: true, answer: { status: 200, headers: {}, body: sent.output } }
      const { effect, failure } = sent
      return effect === 'done' ? { ok: true, answer: { status: 200, headers: {}, body: null } } : { ok: false, effect, failure, body: null }
    })
    if (act && !act.ok) return act
  }
  return done({ asked: 2 })
}
