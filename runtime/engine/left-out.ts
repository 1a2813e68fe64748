import type { Failure, Json } from '../domain/index.ts'
import type { PlanStep } from '../playbook/index.ts'

/** What skipped steps have left under their ids, and why they were left out though nothing in the playbook says so. */
const reasons = new WeakMap<object, string>()

/** What a step leaves that was left out. */
export function leftOut(why: string): Json {
  const left = { status: 'skipped' }
  reasons.set(left, why)
  return left
}

/** Codes of failures that may come from what a step before has not left. */
const missing: ReadonlySet<string> = new Set([
  'template_failed',
  'condition_failed',
  'skill_input_invalid',
  'loop_not_a_list',
  'inputs_missing',
  'inputs_invalid',
  'script_failed',
])

/** A failure of a step that reads what a step before would have left, had it not been left out: with that said. */
export function withLeftOut(failure: Failure, step: PlanStep, steps: Readonly<Record<string, Json>>): Failure {
  if (!missing.has(failure.code)) return failure
  const whys = [...new Set(stepsRead(step))].flatMap((id) => {
    const left = steps[id]
    const why = typeof left === 'object' && left !== null ? reasons.get(left) : undefined
    return why === undefined ? [] : [`${id} was skipped: ${why}`]
  })
  return whys.length === 0 ? failure : { ...failure, message: `${failure.message} (${whys.join('; ')})` }
}

type Reading = { readonly reads?: readonly (readonly (string | number)[])[] }

/** The ids of the steps that the templates and conditions of a step read; not those of the steps in it. */
function stepsRead(step: PlanStep): readonly string[] {
  const parts: readonly unknown[] = [
    ...Object.values(step),
    ...(step.kind === 'wait' ? Object.values(step.wait) : []),
    ...(step.kind === 'switch' ? step.cases.map(({ when }) => when) : []),
    ...(step.kind === 'approve' ? step.covered.map((covered) => covered.with) : []),
  ]
  const reads = parts.flatMap((part) => (typeof part === 'object' && part !== null ? ((part as Reading).reads ?? []) : []))
  return reads.flatMap(([root, id]) => (root === 'steps' && id !== undefined ? [String(id)] : []))
}
