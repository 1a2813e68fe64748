import type { Pausing } from '../../../fairness/index.ts'
import type { DocumentPath } from '../../../yaml/index.ts'
import type { PlanStep } from '../../plan.ts'
import type { Scope } from '../names/index.ts'

/** A step to compile: its document, its path, the names that it may read, and a function that compiles the steps nested in it. */
export interface StepAt<T> {
  readonly step: T
  readonly path: DocumentPath
  readonly scope: Scope
  /** The part of the plan that every kind of step has. */
  readonly base: Pick<PlanStep, 'id' | 'at' | 'condition' | 'onError'>
  /** Compiles a list of steps in this step. @param path from the step to the list */
  list(path: DocumentPath, scope: Scope): Pausing<readonly PlanStep[]>
}
