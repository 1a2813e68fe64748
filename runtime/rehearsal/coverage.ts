import type { Plan, PlanStep } from '../playbook/index.ts'
import { listsIn } from './plan-steps.ts'
import type { Trace } from './types.ts'
import { waysAt, waysTaken } from './ways.ts'

/** A way that a run may take at a step. */
export interface Branch {
  /** The step's id. */
  readonly step: string
  readonly at: PlanStep['at']
  /** Which way, in the words of the playbook: `else`, `if does not hold`, `no item`, `on_error`. */
  readonly way: string
}

/** The branches of one playbook, and which of them were taken. */
export class Coverage {
  readonly branches: readonly Branch[]
  readonly #taken = new Set<string>()

  constructor(plan: Plan) {
    this.branches = branchesOf(plan.steps)
  }

  add(trace: Trace): void {
    for (const { step, way } of waysTaken(trace)) this.#taken.add(keyOf(step.id, way))
  }

  get missed(): readonly Branch[] {
    return this.branches.filter(({ step, way }) => !this.#taken.has(keyOf(step, way)))
  }

  /** Of a hundred. A playbook without branches is covered whole. */
  get percent(): number {
    const all = this.branches.length
    return all === 0 ? 100 : ((all - this.missed.length) / all) * 100
  }
}

function keyOf(step: string, way: string): string {
  return `${step} ${way}`
}

function branchesOf(steps: readonly PlanStep[]): readonly Branch[] {
  return steps.flatMap((step) => [...waysAt(step).map((way) => ({ step: step.id, at: step.at, way })), ...listsIn(step).flatMap(branchesOf)])
}
