import { keysOf } from '../../../compile/index.ts'
import { defineRule } from '../../rule.ts'
import { readsOf } from './reads.ts'

export const inputUnused = defineRule({
  codes: {
    input_unused: {
      severity: 'warning',
      title: 'An input is never read',
      why: 'Use it in a step, or remove it. A required input that nothing reads fails runs for nothing.',
      wrong: 'inputs: { user: { type: string, from: [content.user] } }\nsteps:\n  - id: say\n    case: { note: Somebody }',
      right:
        'inputs: { user: { type: string, from: [content.user] } }\nsteps:\n  - id: say\n    case: { note: "{{ inputs.user | default: \'Somebody\' }}" }',
    },
  },
  check(subject, report) {
    const reads = readsOf(subject)
    if (reads.has('inputs.*')) return
    for (const name of keysOf(subject.root['inputs'])) {
      if (!reads.has(`inputs.${name}`)) report.at('input_unused', ['inputs', name], `nothing reads the input \`${name}\``, { part: 'key' })
    }
  },
})
