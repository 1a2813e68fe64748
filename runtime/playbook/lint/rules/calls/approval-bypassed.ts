import { withNested } from '../../document/index.ts'
import { isDone, presenceOf } from '../../flow/index.ts'
import { defineRule } from '../../rule.ts'
import { coversIn } from './approved-steps.ts'

export const approvalBypassed = defineRule({
  codes: {
    approval_bypassed: {
      severity: 'error',
      title: 'A path to a covered step bypasses its approval',
      why: 'A covered step runs only with its approval. It fails if the `approve` step was skipped, was not reached, or failed and the playbook continued.',
      wrong:
        '- id: ask\n  if: { "!=": [{ var: alert.alert_name }, drill] }\n  approve: { title: "Suspend ada?", covers: suspend }\n- id: suspend\n  skill: mfa.suspend_mfa_user\n  with: { username: ada }',
      right:
        '- id: ask\n  if: { "!=": [{ var: alert.alert_name }, drill] }\n  approve: { title: "Suspend ada?", covers: suspend }\n- id: suspend\n  if: { "!=": [{ var: alert.alert_name }, drill] }\n  skill: mfa.suspend_mfa_user\n  with: { username: ada }',
    },
  },
  check(subject, report) {
    const { flow, document } = subject
    const covers = coversIn(subject)
    for (const step of withNested(flow.steps)) {
      const [only, another] = covers.filter(({ id }) => id === step.id)
      // If several approvals cover the step, each may be on a path of its own.
      if (only === undefined || another !== undefined) continue
      const state = flow.entering.get(step)
      const name = `steps.${only.approve.id}`
      // The compiler reports a step that comes before its approval.
      if (state === undefined || !state.reachable || !state.names.has(name)) continue
      const passed = presenceOf(state, name)
      if (isDone(passed)) continue
      const how = passed.may.has('failed') ? 'when it was declined or has expired' : 'on a path that bypasses the approval'
      const { line } = document.locate(step.path)
      report.at('approval_bypassed', only.path, `\`${step.id}\` (line ${line}) is also reached ${how}, where it fails without the approval`)
    }
  },
})
