import { calledBy, withNested } from '../../document/index.ts'
import { defineRule } from '../../rule.ts'

export const failureUnnoticed = defineRule({
  codes: {
    failure_unnoticed: {
      severity: 'warning',
      title: 'A change may fail without anybody noticing',
      why: 'With `on_error: continue`, the playbook goes on as if the change had been made. Check `steps.<id>.status` afterwards, or give `on_error` a list of steps that report the failure.',
      wrong: '- id: suspend\n  skill: mfa.suspend_mfa_user\n  with: { username: ada }\n  on_error: continue',
      right:
        '- id: suspend\n  skill: mfa.suspend_mfa_user\n  with: { username: ada }\n  on_error:\n    - id: say\n      case: { note: The user could not be suspended, status: analyst_pending }',
    },
  },
  check({ flow, root, world }, report) {
    const whole = JSON.stringify(root)
    for (const step of withNested(flow.steps)) {
      const impact = calledBy(step, world)?.known?.impact ?? null
      if (step.onError !== 'continue' || (impact !== 'write' && impact !== 'high') || isLookedAt(step.id, whole)) continue
      const told = `if this change fails, nothing says so: no later step reads steps.${step.id}.status`
      report.at('failure_unnoticed', [...step.path, 'on_error'], told)
    }
  },
})

function isLookedAt(id: string, whole: string): boolean {
  return new RegExp(String.raw`\bsteps\.${id.replace(/\W/g, '')}\b`).test(whole)
}
