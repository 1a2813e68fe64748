import { isObject, type Json } from '../../../domain/index.ts'
import type { DocumentPath } from '../../../yaml/index.ts'
import { ownValues } from '../../grammar/index.ts'
import type { StepNode } from './outline.ts'

/** A place in the file that is evaluated during a run: a value with templates, or a condition. */
export interface Expression {
  readonly form: 'value' | 'condition'
  readonly path: DocumentPath
  readonly value: Json
}

/** Returns the values that a step renders itself. Leaves out its nested steps, its `if`, and the conditions of its branches. */
export function expressionsOf({ kind, value: step, path }: StepNode): readonly Expression[] {
  if (kind === 'unknown') return []
  return ownValues(kind, step).map((one) => ({ form: 'value', path: [...path, ...one.path], value: one.value }))
}

/** Returns the condition that a poll waits for. It reads the answer as `output`. Null: the step is no poll. */
export function pollConditionOf({ kind, value: step, path }: StepNode): Expression | null {
  const { wait } = step
  if (kind !== 'wait' || !isObject(wait) || wait['poll'] === undefined || wait['until'] === undefined) return null
  return { form: 'condition', path: [...path, 'wait', 'until'], value: wait['until'] }
}

/** Returns what is evaluated after the steps: the verdict and the outputs. */
export function closingExpressions(root: Readonly<Record<string, Json>>): readonly Expression[] {
  return [...values(root['verdict'], ['verdict'], ['summary']), ...values(root, [], ['outputs'])]
}

function values(holder: Json | undefined, path: DocumentPath, keys: readonly string[]): readonly Expression[] {
  if (!isObject(holder)) return []
  return keys.flatMap((key) => {
    const value = holder[key]
    return value === undefined ? [] : [{ form: 'value' as const, path: [...path, key], value }]
  })
}
