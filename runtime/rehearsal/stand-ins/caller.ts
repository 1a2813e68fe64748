import type { Millis } from '../../domain/index.ts'
import { GivenUp, type SkillCall, type SkillCaller } from '../../engine/index.ts'
import { type CallResult, itemsFailed } from '../../plugin/index.ts'
import type { Answers, Asked, Given, RehearsedCall } from '../types.ts'
import { failedCall } from './failure.ts'
import type { JumpingClock } from './jumping-clock.ts'

/** Thrown if a call has no answer. What would follow is unknown. */
export class Unanswered extends GivenUp {}

/** Thrown if the source of answers failed. The run did not fail, and what would follow is unknown. */
export class NotAsked extends GivenUp {}

const question = '#verify'

/** Answers the calls of a rehearsal instead of the external systems, and records them. */
export class RehearsedCaller implements SkillCaller {
  readonly calls: (RehearsedCall & { readonly try: number })[] = []
  readonly unanswered: RehearsedCall[] = []
  /** How long the first call of each step took, by address. */
  readonly took = new Map<string, Millis>()
  readonly #answers: Answers
  readonly #clock: JumpingClock
  readonly #tries = new Map<string, number>()

  constructor(answers: Answers, clock: JumpingClock) {
    this.#answers = answers
    this.#clock = clock
  }

  call(call: SkillCall): Promise<CallResult> {
    const step = call.step ?? ''
    if (step.endsWith(question)) return this.#verify(call, step.slice(0, -question.length))
    return call.acts ? this.#act(call, step) : this.#answer(call, step)
  }

  async #answer(call: SkillCall, step: string): Promise<CallResult> {
    const number = (this.#tries.get(step) ?? 0) + 1
    this.#tries.set(step, number)
    const asked = askedBy(call, step, number)
    const { skill, impact, connection, input } = asked
    const shown: RehearsedCall = { step, skill, impact, connection, input }
    const given = await this.#asking(() => this.#answers.answer(asked))
    if (given === null) {
      this.unanswered.push(shown)
      throw new Unanswered(`${skill} has no answer at ${step}`)
    }
    this.calls.push({ ...shown, try: number })
    const began = this.#clock.now()
    await this.#arrival(given)
    if (number === 1) this.took.set(step, this.#clock.now() - began)
    return resultOf(given, asked)
  }

  async #arrival({ arrives }: Given): Promise<void> {
    if (arrives) await ('at' in arrives ? this.#clock.arrival(arrives.at, arrives.order) : this.#clock.sleep(arrives.after))
  }

  async #asking(ask: () => Given | null | Promise<Given | null>): Promise<Given | null> {
    try {
      return await this.#clock.during(async () => ask())
    } catch (error) {
      throw new NotAsked('the answer could not be asked for', { cause: error })
    }
  }

  /**
   * Answers a handler's call as a whole. A write counts as one request of the handler. So if its
   * answer is lost, it is in doubt like a real request.
   */
  async #act(call: SkillCall, step: string): Promise<CallResult> {
    const { acts, skill } = call
    if (!acts || skill.impact === 'read') return this.#answer(call, step)
    let last: CallResult | null = null
    const act = { number: 1, digest: 'whole', writes: true, title: `${call.plugin.id}.${skill.id}` }
    const result = await acts.request(act, async () => {
      last = await this.#answer(call, step)
      if (last.ok) return { ok: true, answer: { status: 200, headers: {}, body: last.output } }
      const { effect, failure } = last
      // A write that succeeded with an unreadable answer is not in doubt.
      return effect === 'done' ? { ok: true, answer: { status: 200, headers: {}, body: null } } : { ok: false, effect, failure, body: null }
    })
    // An earlier execution of the run got the answer.
    if (last === null && result.ok) return { ok: true, output: result.answer.body }
    return last ?? (result as Extract<CallResult, { ok: false }>)
  }

  async #verify(call: SkillCall, step: string): Promise<CallResult> {
    const asked = askedBy(call, step, 1)
    const given = (await this.#asking(() => this.#answers.verify(asked))) ?? { kind: 'failed', code: 'network', message: null, effect: null }
    await this.#arrival(given)
    return resultOf(given, asked)
  }
}

function askedBy({ plugin, skill, connection, input }: SkillCall, step: string, number: number): Asked {
  return { step, try: number, skill: `${plugin.id}.${skill.id}`, impact: skill.impact, connection: connection.id, input, plugin, known: skill }
}

function resultOf(given: Given, { plugin, known, input }: Asked): CallResult {
  if (given.kind === 'output') return (given.judge && itemsFailed(known, input, given.output)) || { ok: true, output: given.output }
  if (given.kind === 'lost') return { ok: false, effect: 'unknown', failure: failedCall('network', plugin, known, 'the answer was lost').failure }
  const { failure, effect } = failedCall(given.code, plugin, known, given.message)
  return { ok: false, effect: given.effect ?? effect, failure, ...(given.output !== undefined && { output: given.output }) }
}
