import type { Json, Unchanged } from '../../domain/index.ts'
import type { CallResult } from '../call/call-result.ts'
import type { Skill } from '../types.ts'
import { failureFromCode } from './failures.ts'
import type { JudgedItems } from './items.ts'
import { failed } from './judge.ts'

/** The result of a call that was answered. */
export interface Answered {
  /** The output that was made of the answers. */
  readonly given: Json
  /** The parts of the output that could not be made of a write's answer. */
  readonly faults: readonly string[]
  /** Of a write. */
  readonly changed?: Unchanged | undefined
  /** Whether it may have changed something. Then it counts as done, whatever its answer looks like. */
  readonly wrote: boolean
  /** Whether anything was sent. */
  readonly sent: boolean
  /** Whether one of its answers has no signature, although the system signs answers. */
  readonly unsigned: boolean
}

/** The warning about a field that an object of an answer has twice. */
export function repeatedField(field: string): string {
  return `${field} is given twice in the answer: the last one counts`
}

/**
 * Concludes a call whose answers were successes: checks its output against the skill's schema, against the input, and against the result of each
 * item.
 */
export function concluded(skill: Skill, input: Json, { given, faults, changed, wrote, sent, unsigned }: Answered): CallResult {
  const items = skill.items?.judge(input, given) ?? null
  const { output, broken, odd } = skill.judgeOutput(items?.output ?? given)
  const other = broken === null ? skill.mismatch(input, output) : null
  const effect = !sent ? 'not_sent' : skill.impact === 'read' ? 'done' : 'refused'
  if (!wrote && broken !== null) return failed(skill, effect, failureFromCode('skill_output_invalid', `${skill.id}: ${broken}`))
  if (!wrote && other !== null) return failed(skill, effect, failureFromCode('answer_not_asked_for', `${skill.id}: ${other}`))
  const warnings = [
    ...(unsigned ? ['the answer is not signed: nobody vouches for it'] : []),
    ...faults,
    ...odd,
    ...(other === null ? [] : [`not what was asked for: ${other}`]),
  ]
  const told = { output, ...(warnings.length > 0 && { warnings }) }
  if (!items?.failure) return { ok: true, ...told, ...(changed && { changed }), ...(unsigned && { unsigned }) }
  return { ...failureOf(skill, items.failure, output), ...told }
}

/** The failure if the output says that some items of the call were not done. Null: all were done. */
export function itemsFailed(skill: Skill, input: Json, given: Json): Extract<CallResult, { ok: false }> | null {
  const items = skill.items?.judge(input, given)
  return items?.failure ? failureOf(skill, items.failure, items.output) : null
}

function failureOf(skill: Skill, { message, effect }: NonNullable<JudgedItems['failure']>, output: Json): Extract<CallResult, { ok: false }> {
  return { ...failed(skill, effect, failureFromCode('items_failed', `${skill.id}: ${message}`)), output }
}

/**
 * The partial output of a call that failed: as much as its handler has reported, with its counts.
 * @returns nothing where it has told nothing
 */
export function knownOutput(skill: Skill, input: Json, told: Json | undefined): { readonly output?: Json } {
  if (told === undefined) return {}
  const { output } = skill.judgeOutput(skill.items?.judge(input, told)?.output ?? told)
  return { output: skill.items ? notAllDone(output) : output }
}

/** There was more to do than it tells of. */
function notAllDone(output: Json): Json {
  const told = typeof output === 'object' && output !== null && 'all_done' in output
  return told ? { ...output, all_done: false } : output
}
