import type { Condition } from '../../expressions/index.ts'
import { ruleText } from '../../expressions/index.ts'
import { durationText } from '../../formats/index.ts'
import type { PlanStep, Wait } from '../plan.ts'

/** The most characters of a text in a node or at an edge. */
const longest = 160

/** Returns a condition as text for people. */
export function conditionText({ source }: Condition): string {
  return ruleText(source, longest)
}

/** Returns what a step decides, repeats or waits for. Null if it does none of these. */
export function detailOf(step: PlanStep): string | null {
  switch (step.kind) {
    case 'if':
      return conditionText(step.test)
    case 'foreach':
      return `for each ${step.as}${Number.isFinite(step.maxItems) ? `, at most ${step.maxItems}` : ''}`
    case 'parallel':
      return joinText(step.join)
    case 'wait':
      return waitText(step.wait)
    case 'approve':
      return step.approvers === 1 ? 'one person must approve' : `${step.approvers} people must approve`
    case 'case':
      return caseText(step)
    case 'stop':
      return `the run ends ${step.outcome}`
    case 'skill':
    case 'set':
    case 'switch':
    case 'playbook':
    case 'script':
      return null
  }
}

function joinText(join: 'all' | 'any' | number): string {
  if (join === 'all') return 'goes on when all branches have ended'
  if (join === 'any' || join === 1) return 'goes on when one branch has succeeded'
  return `goes on when ${join} branches have succeeded`
}

function waitText(wait: Wait): string {
  switch (wait.kind) {
    case 'for':
      return `for ${durationText(wait.duration)}`
    case 'until':
      return 'until a time'
    case 'poll':
      return `until ${conditionText(wait.until)}; asks every ${durationText(wait.every)}, for ${durationText(wait.atMost)} at most`
  }
}

function caseText({ note, finding, severity, disposition, status }: Extract<PlanStep, { kind: 'case' }>): string | null {
  const parts = [
    finding && 'adds a finding',
    note && 'adds a note',
    severity && `severity ${severity}`,
    disposition && `disposition ${disposition}`,
    status && `status ${status}`,
  ].filter(Boolean)
  return parts.length === 0 ? null : parts.join(', ')
}
