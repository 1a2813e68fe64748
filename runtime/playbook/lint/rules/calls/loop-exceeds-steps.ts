import { isObject } from '../../../../domain/index.ts'
import type { StepNode } from '../../document/index.ts'
import { defineRule, type Report } from '../../rule.ts'

/** The steps that a run may take unless its playbook sets `limits.steps`. */
const defaultSteps = 1_000

export const loopExceedsSteps = defineRule({
  codes: {
    loop_exceeds_steps: {
      severity: 'warning',
      title: 'A loop may take more steps than a run may',
      why: 'The run would end with `steps_exceeded` in the middle of its work. Each iteration counts its steps again. `limits.steps` is 1000 by default.',
      wrong:
        "limits: { steps: 100 }\nsteps:\n  - id: each\n    foreach: '{{ inputs.users }}'\n    max_items: 500\n    steps:\n      - id: look\n        case: { note: '{{ item }}' }",
      right:
        "limits: { steps: 600 }\nsteps:\n  - id: each\n    foreach: '{{ inputs.users }}'\n    max_items: 500\n    steps:\n      - id: look\n        case: { note: '{{ item }}' }",
    },
  },
  check({ flow, root }, report) {
    const own = isObject(root['limits']) ? root['limits'] : {}
    const steps = typeof own['steps'] === 'number' ? own['steps'] : defaultSteps
    for (const step of flow.steps) checkLoop(step, 1, steps, report)
  },
})

/** Returns the number of steps on the longest path through a list. */
function longest(steps: readonly StepNode[]): number {
  return steps.reduce((sum, step) => sum + 1 + longestIn(step), 0)
}

function longestIn(step: StepNode): number {
  const lists = step.branches.map((branch) => longest(branch.steps))
  if (step.kind === 'foreach') return (lists[0] ?? 0) * (itemsOf(step) ?? 1)
  return step.kind === 'parallel' ? lists.reduce((sum, length) => sum + length, 0) : Math.max(0, ...lists)
}

function itemsOf({ value }: StepNode): number | null {
  const { foreach, max_items: most } = value
  return typeof most === 'number' ? most : Array.isArray(foreach) ? foreach.length : null
}

/** Reports the innermost loop that exceeds the limit. The loops around it multiply its steps. Returns whether it reported one. */
function checkLoop(step: StepNode, times: number, limit: number, report: Report<'loop_exceeds_steps'>): boolean {
  const items = step.kind === 'foreach' ? (itemsOf(step) ?? 1) : 1
  const told = step.branches.map(({ steps }) => steps.map((inner) => checkLoop(inner, times * items, limit, report)).some(Boolean)).some(Boolean)
  if (told || step.kind !== 'foreach') return told
  const total = times * longestIn(step)
  if (total <= limit) return false
  const at = step.value['max_items'] === undefined ? [...step.path, 'foreach'] : [...step.path, 'max_items']
  const around = times > 1 ? `, ${times} times for the loops around it` : ''
  report.at('loop_exceeds_steps', at, `with ${items} items${around} this loop takes ${total} steps, and the run has ${limit} (\`limits.steps\`)`)
  return true
}
