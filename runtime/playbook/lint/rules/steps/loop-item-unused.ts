import { withNested } from '../../document/index.ts'
import { defineRule } from '../../rule.ts'
import { readsIn } from './reads.ts'

export const loopItemUnused = defineRule({
  codes: {
    loop_item_unused: {
      severity: 'warning',
      title: 'No step in the loop reads the item',
      why: 'Every iteration does the same. Often a step reads a value from outside the loop instead of the item.',
      wrong:
        "- id: each\n  foreach: [ada, bob]\n  as: name\n  steps:\n    - id: look\n      skill: mfa.get_mfa_user_details\n      with: { username: '{{ inputs.user }}' }",
      right:
        "- id: each\n  foreach: [ada, bob]\n  as: name\n  steps:\n    - id: look\n      skill: mfa.get_mfa_user_details\n      with: { username: '{{ name }}' }",
    },
  },
  check(subject, report) {
    for (const { kind, value, path } of withNested(subject.flow.steps)) {
      if (kind !== 'foreach') continue
      const { as, steps } = value
      const name = typeof as === 'string' ? as : 'item'
      if (steps === undefined || readsIn(steps, subject).has(name)) continue
      const told = `no step of the loop reads \`${name}\`, so each iteration does the same`
      report.at('loop_item_unused', [...path, as === undefined ? 'foreach' : 'as'], told)
    }
  },
})
