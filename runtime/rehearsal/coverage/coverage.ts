import type { Plan, PlanStep } from '../../playbook/index.ts'
import { ownSteps } from '../plan-steps.ts'
import type { Trace } from '../types.ts'
import { waysAt, waysTaken } from './ways.ts'

/** A way that a run may take at a step. */
export interface Branch {
  /** The step's id. */
  readonly step: string
  readonly at: PlanStep['at']
  /** The way, in the words of the playbook: `else`, `if does not hold`, `no item`, `on_error`. */
  readonly way: string
}

/** The branches of one playbook, and which of them its tests took. */
export class Coverage {
  readonly branches: readonly Branch[]
  readonly #taken = new Set<string>()

  readonly #own: ReadonlySet<string>

  /** @param plan the playbook; its sub-playbooks have tests of their own */
  constructor(plan: Plan) {
    const steps = ownSteps(plan)
    this.#own = new Set(steps.map(placeOf))
    this.branches = steps.flatMap((step) => waysAt(step).map((way) => ({ step: step.id, at: step.at, way })))
  }

  add(trace: Trace): void {
    for (const { step, way } of waysTaken(trace)) if (this.#own.has(placeOf(step))) this.#taken.add(keyOf(step.id, way))
  }

  get missed(): readonly Branch[] {
    return this.branches.filter(({ step, way }) => !this.#taken.has(keyOf(step, way)))
  }

  /** The share of branches that were taken, in percent. 100 for a playbook without branches. */
  get percent(): number {
    const all = this.branches.length
    return all === 0 ? 100 : ((all - this.missed.length) / all) * 100
  }
}

/** Identifies a step. A step of a sub-playbook may have the same id, but not the same id and position. */
function placeOf({ id, at }: PlanStep): string {
  return `${id} ${at.line}:${at.column}`
}

function keyOf(step: string, way: string): string {
  return `${step} ${way}`
}
