import type { PlanStep, SwitchStep } from '../../playbook/index.ts'
import type { Trace } from '../types.ts'

const guardHolds = 'if holds'
const guardFails = 'if does not hold'

/** Names a case by its index from 0, as in the output of the step. */
function caseName(cases: SwitchStep['cases'], index: number): string {
  return cases[index]?.when === null ? 'default' : `case ${index}`
}

function branchName(name: string): string {
  return `branch ${name}`
}

/**
 * Returns the ways that a run may take at a step, in the words of the playbook. Empty if there is
 * only one.
 */
export function waysAt(step: PlanStep): readonly string[] {
  const { condition, onError } = step
  return [...(condition ? [guardHolds, guardFails] : []), ...ownWays(step), ...(onError === 'fail' ? [] : ['on_error'])]
}

/** Returns the ways that a run took, in order. */
export function waysTaken({
  entered,
  failed,
  decided,
}: Trace): readonly { readonly address: string; readonly step: PlanStep; readonly way: string }[] {
  const taken = [...decided].flatMap(([place, value]) => {
    const address = place.replace(/(\?if|\?|#)$/, '')
    const step = entered.get(address)
    const way = step && wayOf(step, place.endsWith('?if'), value)
    return step && way ? [{ address, step, way }] : []
  })
  const handled = [...failed.keys()].flatMap((address) => {
    const step = entered.get(address)
    return step && step.onError !== 'fail' ? [{ address, step, way: 'on_error' }] : []
  })
  const addresses = [...entered.keys()]
  const branches = [...entered].flatMap(([address, step]) =>
    step.kind === 'parallel'
      ? step.branches
          .filter(({ name }) => addresses.some((other) => other.startsWith(`${address}/${name}/`)))
          .map(({ name }) => ({ address, step, way: branchName(name) }))
      : [],
  )
  return [...taken, ...branches, ...handled]
}

function ownWays(step: PlanStep): readonly string[] {
  switch (step.kind) {
    case 'if':
      return ['then', 'else']
    case 'switch': {
      const cases = step.cases.map((_, index) => caseName(step.cases, index))
      return cases.includes('default') ? cases : [...cases, 'no case']
    }
    case 'foreach':
      return ['no item', 'an item']
    case 'parallel':
      return step.branches.map(({ name }) => branchName(name))
    default:
      return []
  }
}

function wayOf(step: PlanStep, guard: boolean, value: unknown): string | null {
  if (guard) return value === true ? guardHolds : guardFails
  switch (step.kind) {
    case 'if':
      return value === true ? 'then' : 'else'
    case 'switch':
      return typeof value === 'number' ? caseName(step.cases, value) : 'no case'
    case 'foreach':
      return value === 0 ? 'no item' : 'an item'
    default:
      return null
  }
}
