import type { Json } from '../../../domain/index.ts'
import type { Pausing } from '../../../fairness/index.ts'
import type { DocumentPath } from '../../../yaml/index.ts'
import type { ParallelStepDocument } from '../../grammar/index.ts'
import type { ParallelStep } from '../../plan.ts'
import type { Compilation } from '../compilation.ts'
import { findSteps, keysOf } from '../names/index.ts'
import type { StepAt } from './step-at.ts'

/** Compiles branches that run at the same time. Reports a join that they can never reach. */
export function* compileParallel(compilation: Compilation, { step, path, scope, base, list }: StepAt<ParallelStepDocument>): Pausing<ParallelStep> {
  const { join = 'all', rest = 'finish', branches } = step.parallel
  const names = Object.keys(branches)
  const least = typeof join === 'object' ? join.at_least : join
  if (typeof least === 'number' && least > names.length) {
    compilation.fault(
      'parallel_join_impossible',
      [...path, 'parallel', 'join', 'at_least'],
      `there are only ${names.length} branches, and the join waits for ${least}`,
    )
  }
  checkVars(compilation, branches as unknown as Readonly<Record<string, Json>>, [...path, 'parallel', 'branches'])
  const compiled: ParallelStep['branches'][number][] = []
  // A branch sees the steps before the `parallel`, but not those of other branches. After the join, all are visible.
  for (const name of names) compiled.push({ name, steps: yield* list(['parallel', 'branches', name], scope) })
  return { ...base, kind: 'parallel', join: least, rest, branches: compiled }
}

/** Reports variables that two branches set. They would have the value of the branch that sets them last. */
function checkVars(compilation: Compilation, branches: Readonly<Record<string, Json>>, path: DocumentPath): void {
  const setBy = new Map<string, string>()
  for (const [branch, steps] of Object.entries(branches)) {
    for (const { step, path: at } of findSteps(steps, [...path, branch])) {
      for (const name of keysOf(step['set'])) {
        const other = setBy.get(name) ?? branch
        setBy.set(name, other)
        if (other === branch) continue
        const message = `the branch \`${other}\` sets \`${name}\` too, at the same time; use another name in one of them`
        compilation.fault('parallel_sets_var', [...at, 'set', name], message, 'key')
      }
    }
  }
}
