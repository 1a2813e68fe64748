import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { defaultPolicy, type Policy, systemScope } from '../../../runtime/domain/index.ts'
import type { SkillCall } from '../../../runtime/engine/call/skill-caller.ts'
import { Sweeper } from '../../../runtime/engine/worker/sweeper.ts'
import { isTocsinError } from '../../../runtime/errors/index.ts'
import type { CallResult } from '../../../runtime/plugin/index.ts'
import type { Queue } from '../../../runtime/queue/index.ts'
import { createLogger } from '../../../runtime/telemetry/index.ts'
import { Bench, Crash, done, failing } from '../support/harness.ts'
import { Death, mortal } from '../support/mortal-store.ts'
import { Dice } from '../support/random-playbook.ts'
import { innerPlaybook, RandomSleeper } from '../support/random-sleeper.ts'

const quiet = createLogger({ level: 'silent' })
const deafQueue = { enqueueAgain: async () => {} } as unknown as Queue
const mostLives = 400

/** One run of a random playbook whose processes die again and again, and a world that counts the calls that reach it. */
class Ordeal {
  readonly wrong: string[] = []
  readonly #dice: Dice
  readonly #made: RandomSleeper
  readonly #bench: Bench
  /** How often the write of each step arrived, for steps whose write must not arrive twice. */
  readonly #arrived = new Map<string, number>()
  /** Steps that sent something of high impact. */
  readonly #high = new Set<string>()
  readonly #repeats = new Map<string, number>()
  /** Whether the person who cancelled the run was told that it is cancelled. */
  #cancelled = false

  constructor(dice: Dice, made: RandomSleeper, bench: Bench) {
    this.#dice = dice
    this.#made = made
    this.#bench = bench
  }

  async toTheEnd(): Promise<void> {
    for (let life = 0; life < mostLives; life += 1) {
      const run = life === 0 ? null : await this.#bench.ended()
      if (run && run.state !== 'running' && run.state !== 'waiting') return this.#judge()
      if (run?.state === 'waiting' && !(await this.#wake(run.wakeAt))) return
      if (this.#dice.roll(40) === 0) await this.#cancel()
      // Deaths become rarer with time, so that the test ends.
      const death = new Death(this.#dice.roll(life < 60 ? 4 : 2) > 0 ? 1 + this.#dice.roll(40) : 1_000_000, this.#dice.roll(2) === 0)
      await this.#bench.live((call) => this.#arrive(call, death), mortal(this.#bench.store, death))
      if (this.#dice.roll(3) === 0) this.#bench.clock.advance(this.#dice.roll(120_000))
    }
    this.wrong.push(`it has not ended after ${mostLives} lives`)
  }

  async #arrive(call: SkillCall, death: Death): Promise<CallResult> {
    return death.attempt(async () => {
      const { skill, input } = call
      const step = stepOf(call)
      if (skill.id !== 'get_user' && /[37]$/.test((input as { readonly user: string }).user) && this.#bench.standing.protected.length > 0)
        this.wrong.push(`${step} acted on something protected`)
      if (skill.id === 'get_user') return this.#dice.roll(4) === 0 ? done({ state: 'gone' }) : done({ state: 'there' })
      const fate = this.#dice.roll(8)
      if (this.#dice.roll(60) === 0) await this.#cancel()
      if (fate === 0) return this.#dice.roll(2) === 0 ? failing('not_sent', 'network') : failing('refused', 'rate_limited')
      this.#high.add(step)
      if (skill.id === 'page_user') {
        this.#arrived.set(step, (this.#arrived.get(step) ?? 0) + 1)
        await this.#checkApproved(call)
      }
      // People may answer while the run is still at work.
      if (fate === 1) await this.#answer()
      if (fate === 2) throw new Crash()
      return fate === 3 ? failing('unknown', 'call_timeout') : done({ state: 'x' })
    })
  }

  async #checkApproved(call: SkillCall): Promise<void> {
    const { input } = call
    const step = stepOf(call)
    const at = step.lastIndexOf('/') + 1
    const id = step.slice(at)
    const approval = id === 'again' ? 'ask' : this.#made.covered.get(id)
    if (approval === undefined) return
    const digest = hash('sha256', JSON.stringify(input), 'base64url')
    const approved = (await this.#bench.decisions()).some(
      (decision) =>
        decision.step === `${step.slice(0, at)}${approval}` &&
        decision.state === 'approved' &&
        new Set(decision.answers.map(({ principal }) => principal)).size >= decision.approvers &&
        decision.actions.some((action) => action.step === id && action.digest === digest),
    )
    if (!approved) this.wrong.push(`${step} was sent and not approved`)
  }

  /** Lets the run continue, by an answer or by passing time. Returns false if nothing ever will. */
  async #wake(wakeAt: number | null): Promise<boolean> {
    const { clock, store } = this.#bench
    await new Sweeper(store, deafQueue, clock, quiet, 3).sweep(0)
    const open = (await this.#bench.decisions()).filter(({ state }) => state === 'open')
    const now = (await this.#bench.ended()).wakeAt
    if (now !== null && now <= clock.now()) return true
    if (open.length === 0 && now === null) {
      this.wrong.push(`it sleeps for ever (wakeAt was ${wakeAt})`)
      return false
    }
    if (open.length > 0 && (now === null || this.#dice.roll(3) > 0)) await this.#answer()
    else if (now !== null) clock.advance(now - clock.now())
    const { wakeAt: then, state } = await this.#bench.ended()
    return state === 'waiting' && (then === null || then > clock.now()) ? this.#wake(then) : true
  }

  /** Two people answer at once. One may be too late, and the process may die at that moment. */
  async #answer(): Promise<void> {
    const open = (await this.#bench.decisions()).filter(({ state }) => state === 'open')
    const decision = this.#dice.one(open)
    if (!decision) return
    const verdict =
      decision.kind !== 'in_doubt'
        ? this.#dice.one(['approve', 'approve', 'approve', 'decline'] as const)
        : this.#dice.one(['happened', 'repeat', 'give_up'] as const)
    const death = new Death(this.#dice.roll(3) === 0 ? 1 + this.#dice.roll(6) : 1_000_000, this.#dice.roll(2) === 0)
    const names = this.#dice.roll(2) === 0 ? ['ada', 'bob'] : [this.#dice.one(['ada', 'bob', 'eve'])]
    await Promise.all(
      names.map(async (name) => {
        try {
          await this.#bench.answerTo(decision.id, verdict, name, mortal(this.#bench.store, death))
        } catch (error) {
          if (!(error instanceof Crash || isTocsinError(error))) throw error
        }
      }),
    )
    const settled = await this.#bench.store.decisions.get(systemScope, decision.id)
    const answers = settled?.answers ?? []
    if (decision.kind === 'in_doubt' && answers.length > 1) this.wrong.push(`${decision.step} was settled ${answers.length} times`)
    if (settled?.state === 'settled' && answers[0]?.verdict === 'repeat')
      this.#repeats.set(decision.step, (this.#repeats.get(decision.step) ?? 0) + 1)
  }

  /** Cancels the run at any moment. The process may die at that moment. */
  async #cancel(): Promise<void> {
    const death = new Death(this.#dice.roll(2) === 0 ? 1 + this.#dice.roll(3) : 1_000_000, this.#dice.roll(2) === 0)
    try {
      await this.#bench.cancel('enough', 'ada', mortal(this.#bench.store, death))
      this.#cancelled = true
    } catch (error) {
      // The process may have died, or the store refused the cancellation because a claim had only begun.
      if (!(error instanceof Crash || isTocsinError(error))) throw error
    }
  }

  /** Checks that a cancelled run ends as cancelled, and sends nothing without an earlier intent in the journal. */
  async #judgeCancel(): Promise<void> {
    const { failure, cancelled } = await this.#bench.ended()
    const records = await this.#bench.records()
    const at = records.findIndex(({ kind }) => kind === 'cancelled')
    if (this.#cancelled && !(failure?.code === 'run_cancelled' && cancelled)) this.wrong.push(`it was cancelled, and ended with ${failure?.code}`)
    if (at < 0) return
    const before = new Set(records.slice(0, at).flatMap((record) => (record.kind === 'intent' ? [record.address] : [])))
    for (const step of this.#high) if (!before.has(step)) this.wrong.push(`${step} was sent after the run was cancelled`)
  }

  /** Checks that no span has more calls of a skill than its quota, except those that people allowed. */
  async #judgeQuotas(): Promise<void> {
    const { quotas } = this.#bench.standing.limits
    if (!quotas.high) return
    const { calls, per } = quotas.high
    const begun = (await this.#bench.records()).flatMap((record) => (record.kind === 'intent' && record.try === 1 ? [record] : []))
    const anyway = (await this.#bench.decisions()).filter(({ kind, state }) => kind === 'quota' && state === 'approved').map(({ step }) => step)
    const bySkill = Map.groupBy(
      begun.filter(({ address }) => !anyway.includes(address)),
      ({ address }) => this.#made.skillOf(address.split('/').at(-1) ?? ''),
    )
    for (const [skill, sent] of bySkill) {
      const most = Math.max(...sent.map(({ at }) => sent.filter((other) => other.at <= at && other.at > at - per).length))
      if (most > calls) this.wrong.push(`${skill} was sent ${most} times, and its quota is ${calls}`)
    }
  }

  /** Checks everything that must be true at the end. */
  async #judge(): Promise<void> {
    for (const [step, times] of this.#arrived) {
      if (times > 1 + (this.#repeats.get(step) ?? 0)) this.wrong.push(`${step} came ${times} times`)
    }
    if (this.#made.high !== null && this.#high.size > this.#made.high)
      this.wrong.push(`${this.#high.size} calls, and ${this.#made.high} were allowed`)
    await this.#judgeCancel()
    await this.#judgeQuotas()
    const { timeline } = await this.#bench.case()
    const told = new Set(timeline.flatMap(({ body, actor }) => (body.kind === 'action' && 'run' in actor ? [actor.step] : [])))
    for (const step of this.#high) if (!told.has(step)) this.wrong.push(`the case does not tell of ${step}`)
    await new Sweeper(this.#bench.store, deafQueue, this.#bench.clock, quiet, 3).withdrawLeft()
    const left = (await this.#bench.decisions()).filter(({ state }) => state === 'open')
    for (const { step } of left) this.wrong.push(`${step} still asks, and the run is over`)
  }
}

/** A policy with small quotas or none, and with a protected target or none. */
function standingOf(dice: Dice): Policy {
  const high = dice.one([null, { calls: 1, per: 3_600_000 }, { calls: 3, per: 7_200_000 }])
  const rule = { names: [], pattern: '[37]$', skills: null, reason: 'Odd' }
  const limits = { ...defaultPolicy.limits, quotas: { ...defaultPolicy.limits.quotas, high } }
  return { ...defaultPolicy, limits, protected: dice.roll(2) === 0 ? [rule] : [] }
}

const seeds = Number(process.env['TOCSIN_TEST_SEEDS'] ?? 25)
const first = Number(process.env['TOCSIN_TEST_FIRST_SEED'] ?? 1)

test.each(Array.from({ length: seeds }, (_, index) => first + index))(
  'a run that dies anywhere, is answered anytime and sleeps in between keeps what it promises (%i)',
  async (seed) => {
    const made = new RandomSleeper(seed)
    const bench = await Bench.open(made.text, {}, [innerPlaybook])
    bench.standing = standingOf(new Dice(seed * 31))
    const ordeal = new Ordeal(new Dice(seed * 7_919), made, bench)
    try {
      await ordeal.toTheEnd()
      expect(ordeal.wrong).toEqual([])
    } finally {
      await bench.close()
    }
  },
)

function stepOf({ step }: SkillCall): string {
  if (step === undefined) throw new Error('a call of no step')
  return step
}
