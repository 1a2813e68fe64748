import { isObject, type Json } from '../../../../domain/index.ts'
import { durationPattern, parseDuration } from '../../../../yaml/index.ts'
import { type StepNode, withNested } from '../../document/index.ts'
import type { Report, Rule } from '../../rule.ts'

/** Loops that may take more steps than the run has, and times that cannot be kept. */
export const limits: Rule = {
  codes: ['loop_exceeds_steps', 'time_exceeds_limit'],
  check(subject, report) {
    const own = isObject(subject.root['limits']) ? subject.root['limits'] : {}
    const steps = typeof own['steps'] === 'number' ? own['steps'] : 1_000
    for (const step of subject.flow.steps) checkLoop(step, 1, steps, report)
    const time = durationOf(own['time'])
    if (time === null) return
    for (const step of withNested(subject.flow.steps)) checkTime(step, time, String(own['time']), report)
  },
}

/** The steps of the longest way through a list. */
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

/** The innermost loop that takes it over the limit is told, with those around it counted. */
function checkLoop(step: StepNode, times: number, limit: number, report: Report): boolean {
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

export function durationOf(value: Json | undefined): number | null {
  return typeof value === 'string' && new RegExp(durationPattern).test(value) ? parseDuration(value) : null
}

/** Time spent in waiting counts. */
function checkTime({ value, path }: StepNode, limit: number, written: string, report: Report): void {
  const wait = isObject(value['wait']) ? value['wait'] : {}
  const retry = isObject(value['retry']) ? value['retry'] : {}
  const places: readonly (readonly [readonly string[], Json | undefined])[] = [
    [['timeout'], value['timeout']],
    [['wait', 'for'], wait['for']],
    [['wait', 'at_most'], wait['at_most']],
    [['retry', 'delay'], retry['delay']],
    [['retry', 'max_delay'], retry['max_delay']],
  ]
  for (const [key, given] of places) {
    const duration = durationOf(given)
    if (duration !== null && duration > limit) {
      report.at('time_exceeds_limit', [...path, ...key], `${String(given)} is longer than a whole run may take (\`limits.time\`: ${written})`)
    }
  }
}
