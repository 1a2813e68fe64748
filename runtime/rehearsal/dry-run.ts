import type { Plan } from '../playbook/index.ts'
import { rehearse } from './rehearse.ts'
import { generatedValue } from './stand-ins/generated-value.ts'
import { approving } from './stand-ins/people.ts'
import type { Answers, Asked, Circumstances, Given, Rehearsed, RehearsedCall } from './types.ts'
import type { World } from './world.ts'

/**
 * The source of an answer. `generated`: made from the output schema. `given`: from the person who
 * asks. `read`: from the external system.
 */
type AnswerSource = 'generated' | 'given' | 'read'

export interface DryCall extends RehearsedCall {
  readonly answer: AnswerSource
}

/** What a run would do. */
export interface DryRun extends Omit<Rehearsed, 'calls'> {
  readonly calls: readonly DryCall[]
}

export interface DryRunRequest extends Circumstances {
  readonly plan: Plan
  /** The answers that the person gives. */
  readonly given: Answers
  /** Calls the external system, for reads only. Null: nothing is called. */
  readonly read: ((call: Asked) => Promise<Given | null>) | null
}

/**
 * Runs a playbook for an alert without changing anything. Each call gets the given answer. Without
 * one, a read may be sent to the external system. Otherwise the answer is generated from the
 * skill's output schema. Every approval is granted.
 */
export async function dryRun({ plugins }: Pick<World, 'plugins'>, { given, read, ...request }: DryRunRequest): Promise<DryRun> {
  const sources = new Map<string, AnswerSource>()
  const sourced = (call: Asked, source: AnswerSource, answer: Given): Given => {
    sources.set(`${call.step} ${call.try}`, source)
    return answer
  }
  const answers: Answers = {
    async answer(call) {
      const own = await given.answer(call)
      if (own) return sourced(call, 'given', own)
      const found = read !== null && call.impact === 'read' ? await read(call) : null
      if (found) return sourced(call, 'read', found)
      return sourced(call, 'generated', { kind: 'output', output: generatedValue(call.known.document.output, 'all') })
    },
    verify: (call) => given.verify(call),
  }
  const rehearsed = await rehearse({ ...request, plugins, answers, people: approving })
  return { ...rehearsed, calls: rehearsed.calls.map((call) => ({ ...call, answer: sources.get(`${call.step} ${call.try}`) ?? 'generated' })) }
}
