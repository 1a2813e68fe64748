import type { Json, Unchanged } from '../../domain/index.ts'
import type { CallResult, HeardByRead } from '../call/call-result.ts'
import type { Skill } from '../types.ts'
import { failureFromCode } from './failures.ts'
import type { JudgedItems } from './items.ts'
import { failed } from './judge.ts'

/** A call that was answered. */
export interface Answered {
  /** The output, made from the answers. */
  readonly given: Json
  /** Which parts of the output could not be made from a write's answer, and why. */
  readonly faults: readonly string[]
  /** Only for writes: set if the write found that nothing had to change. */
  readonly changed?: Unchanged | undefined
  /** Set if the call may have changed something. It then counts as done, whatever its answer looks like. */
  readonly wrote: boolean
  /** Set if anything was sent. */
  readonly sent: boolean
  /** Set if one of the answers has no signature although the system signs its answers. */
  readonly unsigned: boolean
  readonly heard: HeardByRead
}

/** Returns the warning about a field that appears twice in an object of an answer. */
export function repeatedField(field: string): string {
  return `the answer has ${field} twice; the last value is used`
}

/**
 * Makes the result of a call whose answers were successes. Checks the output against the skill's
 * schema, against the input, and against the result of each item.
 */
export function concluded(skill: Skill, input: Json, { given, faults, changed, wrote, sent, unsigned, heard }: Answered): CallResult {
  const items = skill.items?.judge(input, given) ?? null
  const { output, broken, odd } = skill.judgeOutput(items?.output ?? given)
  const other = broken === null ? skill.mismatch(input, output) : null
  const effect = !sent ? 'not_sent' : skill.impact === 'read' ? 'done' : 'refused'
  if (!wrote && broken !== null) return failed(skill, effect, failureFromCode('skill_output_invalid', `${skill.id}: ${broken}`))
  if (!wrote && other !== null) return failed(skill, effect, failureFromCode('answer_not_asked_for', `${skill.id}: ${other}`))
  const warnings = [
    ...(unsigned ? ['the answer is not signed, so it may be forged'] : []),
    ...faults,
    ...odd,
    ...(other === null ? [] : [`the answer does not match the request: ${other}`]),
  ]
  const told = { output, ...(warnings.length > 0 && { warnings }) }
  if (!items?.failure) return { ok: true, ...told, ...(changed && { changed }), ...(unsigned && { unsigned }), ...(skill.impact === 'read' && heard) }
  return { ...failureOf(skill, items.failure, output), ...told }
}

/** Returns the failure if the output says that some items were not done. Null if all were done. */
export function itemsFailed(skill: Skill, input: Json, given: Json): Extract<CallResult, { ok: false }> | null {
  const items = skill.items?.judge(input, given)
  return items?.failure ? failureOf(skill, items.failure, items.output) : null
}

function failureOf(skill: Skill, { message, effect }: NonNullable<JudgedItems['failure']>, output: Json): Extract<CallResult, { ok: false }> {
  return { ...failed(skill, effect, failureFromCode('items_failed', `${skill.id}: ${message}`)), output }
}

/**
 * Returns the partial output of a failed call: what its handler has reported, with its counts.
 * @returns an empty object if the handler has reported nothing
 */
export function knownOutput(skill: Skill, input: Json, told: Json | undefined): { readonly output?: Json } {
  if (told === undefined) return {}
  const { output } = skill.judgeOutput(skill.items?.judge(input, told)?.output ?? told)
  return { output: skill.items ? notAllDone(output) : output }
}

/** Sets `all_done` to false: the handler failed, so there was more to do than it has reported. */
function notAllDone(output: Json): Json {
  const told = typeof output === 'object' && output !== null && 'all_done' in output
  return told ? { ...output, all_done: false } : output
}
