import { calledBy, withNested } from '../../document/index.ts'
import { defineRule } from '../../rule.ts'
import { coversIn } from './approved-steps.ts'

export const approvalCoversNothing = defineRule({
  codes: {
    approval_covers_nothing: {
      severity: 'warning',
      title: 'An approval covers no step, but a change follows it',
      why: 'People approve a specific call. Only a step in `covers` is shown to them, and must be sent exactly as shown.',
      wrong: '- id: ask\n  approve: { title: "Suspend ada?" }\n- id: suspend\n  skill: mfa.suspend_mfa_user\n  with: { username: ada }',
      right:
        '- id: ask\n  approve: { title: "Suspend ada?", covers: suspend }\n- id: suspend\n  skill: mfa.suspend_mfa_user\n  with: { username: ada }',
    },
  },
  check(subject, report) {
    const covers = coversIn(subject)
    const covered = new Set(covers.map(({ id }) => id))
    const covering = new Set(covers.map(({ approve }) => approve))
    for (const approve of withNested(subject.flow.steps)) {
      if (approve.kind !== 'approve' || covering.has(approve)) continue
      const after = [...subject.flow.entering].find(([step, state]) => {
        const impact = calledBy(step, subject.world)?.known?.impact
        return (impact === 'write' || impact === 'high') && state.names.has(`steps.${approve.id}`) && !covered.has(step.id)
      })
      if (after === undefined) continue
      const [step] = after
      const { line } = subject.document.locate(step.path)
      const told = `this approval covers no step, so \`${step.id}\` (line ${line}) may run with values that nobody approved; name it in \`covers\``
      report.at('approval_covers_nothing', [...approve.path, 'approve'], told, { part: 'key' })
    }
  },
})
