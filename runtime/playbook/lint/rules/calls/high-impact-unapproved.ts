import { calledBy, withNested } from '../../document/index.ts'
import { defineRule } from '../../rule.ts'
import { coversIn } from './approved-steps.ts'

export const highImpactUnapproved = defineRule({
  codes: {
    high_impact_unapproved: {
      severity: 'warning',
      title: 'No approval covers a high-impact step',
      why: "The organization's policy decides whether a person is asked, and the playbook does not show it.",
      wrong: '- id: bypass\n  skill: browser.delete_browser_account\n  with: { account_id: a1 }',
      right:
        '- id: ask\n  approve: { title: "Delete the account?", covers: bypass }\n- id: bypass\n  skill: browser.delete_browser_account\n  with: { account_id: a1 }',
    },
  },
  check(subject, report) {
    const covered = new Set(coversIn(subject).map(({ id }) => id))
    for (const step of withNested(subject.flow.steps)) {
      const called = calledBy(step, subject.world)
      if (called?.known?.impact !== 'high' || covered.has(step.id)) continue
      const skill = `${called.integration}.${called.name}`
      const told = `${skill} has high impact and no \`approve\` covers it; the organization's policy decides whether a person is asked`
      report.at('high_impact_unapproved', [...step.path, 'skill'], told)
    }
  },
})
