import type { Plan, PlanStep } from '../playbook/index.ts'
import { listsIn } from './plan-steps.ts'
import type { Trace } from './types.ts'

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

  add({ entered, failed, decided }: Trace): void {
    for (const [address, value] of decided) {
      const guard = address.endsWith('?if')
      const step = entered.get(address.replace(/(\?if|\?|#)$/, ''))
      const way = step && wayOf(step, guard, value)
      if (step && way) this.#taken.add(keyOf(step.id, way))
    }
    for (const address of failed.keys()) {
      const step = entered.get(address)
      if (step && step.onError !== 'fail') this.#taken.add(keyOf(step.id, 'on_error'))
    }
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

const guardHolds = 'if holds'
const guardFails = 'if does not hold'

function branchesOf(steps: readonly PlanStep[]): readonly Branch[] {
  return steps.flatMap((step) => {
    const { id, at, condition, onError } = step
    const ways = [...(condition ? [guardHolds, guardFails] : []), ...waysOf(step), ...(onError === 'fail' ? [] : ['on_error'])]
    return [...ways.map((way) => ({ step: id, at, way })), ...listsIn(step).flatMap(branchesOf)]
  })
}

function waysOf(step: PlanStep): readonly string[] {
  switch (step.kind) {
    case 'if':
      return ['then', 'else']
    case 'foreach':
      return ['no item', 'an item']
    default:
      return []
  }
}

function wayOf(step: PlanStep, guard: boolean, value: unknown): string | null {
  if (guard) return value === true ? guardHolds : guardFails
  switch (step.kind) {
    case 'if':
      return value === true ? 'then' : 'else'
    case 'foreach':
      return value === 0 ? 'no item' : 'an item'
    default:
      return null
  }
}
