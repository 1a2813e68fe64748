import { isObject, type Json } from '../../../../domain/index.ts'
import { calledBy, withNested } from '../../document/index.ts'
import { defineRule } from '../../rule.ts'

/** After these errors nobody knows whether the change was made. */
const leavesDoubt: ReadonlySet<string> = new Set(['call_timeout', 'vendor_unavailable'])

export const retryNever = defineRule({
  codes: {
    retry_never: {
      severity: 'warning',
      title: 'A change has a retry that never happens',
      why: 'After these errors nobody knows whether the change was made, and the skill says that a second call is not safe. Tocsin asks a person instead.',
      wrong: '- id: suspend\n  skill: mfa.suspend_mfa_user\n  with: { username: ada }\n  retry: { attempts: 3, on: [call_timeout] }',
      right: '- id: suspend\n  skill: mfa.suspend_mfa_user\n  with: { username: ada }\n  retry: { attempts: 3, on: [rate_limited] }',
    },
  },
  check({ flow, world }, report) {
    for (const step of withNested(flow.steps)) {
      const { retry } = step.value
      const skill = isObject(retry) ? calledBy(step, world)?.known : null
      if (!isObject(retry) || !skill || skill.impact === 'read') continue
      const { idempotent } = skill.document as { readonly idempotent?: { readonly by?: string } }
      const on = retry['on']
      if ((idempotent?.by ?? 'none') !== 'none' || !Array.isArray(on) || on.length === 0) continue
      if (!(on as readonly Json[]).every((code) => leavesDoubt.has(String(code)))) continue
      report.at(
        'retry_never',
        [...step.path, 'retry', 'on'],
        'this change is never retried: after these errors it may have been made, and the skill says that a second call is not safe',
      )
    }
  },
})
