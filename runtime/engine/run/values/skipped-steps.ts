import type { Failure, Json } from '../../../domain/index.ts'
import { isTocsinError, TocsinError } from '../../../errors/index.ts'
import type { Context, ValueTemplate } from '../../../expressions/index.ts'
import { expressionsIn, type PlanStep } from '../../../playbook/index.ts'
import type { EvaluationContext } from '../contexts.ts'
import { rendered } from './evaluate.ts'

/** Reasons that are not in the playbook for skipping a step, by the step's result. */
const reasons = new WeakMap<object, string>()

/** Returns the result of a skipped step. */
export function skippedResult(why: string): Json {
  const left = { status: 'skipped' }
  reasons.set(left, why)
  return left
}

/** Codes of failures that may come from the missing result of an earlier step. */
const missing: ReadonlySet<string> = new Set([
  'template_failed',
  'condition_failed',
  'skill_input_invalid',
  'loop_not_a_list',
  'inputs_missing',
  'inputs_invalid',
  'script_failed',
])

/**
 * Renders a value at the end of a playbook. If it needs the result of a skipped step, the error says why the
 * step was skipped.
 * @throws TocsinError `template_failed`, `evaluation_exceeded`, `run_evaluation_exceeded`
 */
export async function renderAtEnd(
  execution: EvaluationContext,
  value: ValueTemplate,
  context: Context,
  steps: Readonly<Record<string, Json>>,
): Promise<Json | undefined> {
  try {
    return await rendered(execution, value, context)
  } catch (error) {
    const whys = skipReasons(value.reads, steps)
    if (!isTocsinError(error) || whys.length === 0) throw error
    throw new TocsinError(error.code, `${error.message} (${whys.join('; ')})`, error.places, { cause: error })
  }
}

/** Returns a failure of a step, with the reasons why steps that it reads were skipped. */
export function withSkipReasons(failure: Failure, step: PlanStep, steps: Readonly<Record<string, Json>>): Failure {
  if (!missing.has(failure.code)) return failure
  const whys = skipReasons(
    expressionsIn(step).flatMap(({ reads }) => reads),
    steps,
  )
  return whys.length === 0 ? failure : { ...failure, message: `${failure.message} (${whys.join('; ')})` }
}

type Reads = readonly (readonly (string | number)[])[]

/** Returns why steps that are read were skipped. */
function skipReasons(reads: Reads, steps: Readonly<Record<string, Json>>): readonly string[] {
  const ids = new Set(reads.flatMap(([root, id]) => (root === 'steps' && id !== undefined ? [String(id)] : [])))
  return [...ids].flatMap((id) => {
    const left = steps[id]
    const why = typeof left === 'object' && left !== null ? reasons.get(left) : undefined
    return why === undefined ? [] : [`${id} was skipped: ${why}`]
  })
}
