import { isObject, type Json } from '../../../../domain/index.ts'
import { calledBy, type StepNode, withNested } from '../../document/index.ts'
import type { Report, Rule, Subject } from '../../rule.ts'

/** Failures that nobody hears of, and tries that are never made. */
export const failures: Rule = {
  codes: ['failure_unnoticed', 'retry_never', 'retry_once'],
  check(subject, report) {
    const whole = JSON.stringify(subject.root)
    for (const step of withNested(subject.flow.steps)) {
      const impact = calledBy(step, subject.world)?.known?.impact ?? null
      if (step.onError === 'continue' && (impact === 'write' || impact === 'high') && !isLookedAt(step.id, whole)) {
        report.at(
          'failure_unnoticed',
          [...step.path, 'on_error'],
          `when this change fails, nothing says so: no later step looks at steps.${step.id}.status`,
        )
      }
      checkRetry(step, subject, report)
    }
  },
}

function isLookedAt(id: string, whole: string): boolean {
  return new RegExp(String.raw`\bsteps\.${id.replace(/\W/g, '')}\b`).test(whole)
}

/** After these nobody knows whether the change was made. */
const leavesDoubt: ReadonlySet<string> = new Set(['call_timeout', 'vendor_unavailable'])

function checkRetry(step: StepNode, { world }: Subject, report: Report): void {
  const retry = isObject(step.value['retry']) ? step.value['retry'] : null
  if (retry === null) return
  if (retry['attempts'] === 1) {
    report.at('retry_once', [...step.path, 'retry', 'attempts'], 'one attempt is no retry: the first try is counted')
  }
  const skill = calledBy(step, world)?.known
  if (!skill || skill.impact === 'read') return
  const { idempotent } = skill.document as { readonly idempotent?: { readonly by?: string } }
  const on = retry['on']
  if ((idempotent?.by ?? 'none') !== 'none' || !Array.isArray(on) || on.length === 0) return
  if (!(on as readonly Json[]).every((code) => leavesDoubt.has(String(code)))) return
  report.at(
    'retry_never',
    [...step.path, 'retry', 'on'],
    'this change is never tried again: after these errors it may have been made, and the skill says that repeating it is not safe',
  )
}
