import type { Pausing } from '../../../fairness/index.ts'
import type { ForeachStepDocument } from '../../grammar/index.ts'
import type { ForeachStep } from '../../plan.ts'
import type { Compilation } from '../compilation.ts'
import type { StepAt } from './step-at.ts'

/** Compiles a loop over a list, with its steps. Reports an item name that is taken. */
export function* compileForeach(compilation: Compilation, { step, path, scope, base, list }: StepAt<ForeachStepDocument>): Pausing<ForeachStep> {
  const item = step.as ?? 'item'
  if (scope.roots.includes(item)) {
    compilation.fault(
      'loop_item_name_taken',
      [...path, step.as === undefined ? 'foreach' : 'as'],
      `\`${item}\` already means something else here; give the item another name with \`as\``,
    )
  }
  const concurrency = step.concurrency ?? 1
  const items = compilation.value(step.foreach, [...path, 'foreach'], scope)
  if (typeof step.foreach === 'string' && !/^\{\{.*\}\}$/s.test(step.foreach)) {
    compilation.fault('loop_list_invalid', [...path, 'foreach'], 'must be one {{ … }} and nothing else, or a list')
  }
  return {
    ...base,
    kind: 'foreach',
    items,
    as: item,
    maxItems: maxItemsOf(compilation, step, path),
    concurrency,
    steps: yield* list(['steps'], {
      ...scope,
      roots: [...scope.roots, item],
      loops: [...scope.loops, base.id],
      concurrent: scope.concurrent || concurrency > 1,
    }),
  }
}

/** Returns the most items that the loop can have. A literal list has its length. Any other list needs `max_items`, so that the worst case is known. */
function maxItemsOf(compilation: Compilation, step: ForeachStepDocument, path: readonly (string | number)[]): number {
  if (step.max_items !== undefined) {
    if (typeof step.foreach !== 'string' && step.foreach.length > step.max_items) {
      compilation.fault('loop_bound_too_small', [...path, 'max_items'], `the list has ${step.foreach.length} items`)
    }
    return step.max_items
  }
  if (typeof step.foreach !== 'string') return step.foreach.length
  compilation.fault('loop_unbounded', [...path, 'max_items'], '`max_items` is missing: the length of this list is not known before the run')
  return Number.POSITIVE_INFINITY
}
