import type { FindingEntry } from '../../findings/index.ts'

/** Codes about playbooks that run other playbooks. */
export const subPlaybooks = {
  sub_playbook_unknown: {
    severity: 'error',
    title: 'There is no playbook with this name',
    why: 'Tocsin looks for sub-playbooks in the playbook folders, beside the file, and among the active playbooks in the store.',
    wrong: "- id: again\n  playbook: recheck-usr\n  with: { user: '{{ inputs.user }}' }",
    right: "- id: again\n  playbook: recheck-user\n  with: { user: '{{ inputs.user }}' }",
  },
  sub_playbook_invalid: {
    severity: 'error',
    title: 'The sub-playbook has errors',
    why: 'The playbook that runs it cannot work either. The message shows the first error.',
    wrong: '- id: again\n  playbook: broken-user',
    right: "- id: again\n  playbook: recheck-user\n  with: { user: '{{ inputs.user }}' }",
  },
  sub_playbook_circle: {
    severity: 'error',
    title: 'Playbooks run each other in a circle',
    why: 'A run would never end.',
    wrong: '- id: again\n  playbook: example',
    right: "- id: again\n  playbook: recheck-user\n  with: { user: '{{ inputs.user }}' }",
  },
  sub_playbook_too_deep: {
    severity: 'error',
    title: 'Playbooks are nested too deep',
    why: 'At most ten playbooks may run inside each other. Deeper nesting is hard to follow, and each level multiplies what a run can do.',
    wrong: '- id: again\n  playbook: level-1',
    right: "- id: again\n  playbook: recheck-user\n  with: { user: '{{ inputs.user }}' }",
  },
  sub_playbook_has_types: {
    severity: 'error',
    title: 'The playbook has alert types, so it is not a sub-playbook',
    why: 'A playbook with `alert_type` reads its inputs from an alert and opens a case. Move the steps that several playbooks share into a playbook without `alert_type`.',
    wrong: '- id: again\n  playbook: check-of-users',
    right: "- id: again\n  playbook: recheck-user\n  with: { user: '{{ inputs.user }}' }",
  },
  sub_playbook_input_unknown: {
    severity: 'error',
    title: 'The sub-playbook has no such input',
    why: 'Nothing would read the value.',
    wrong: "- id: again\n  playbook: recheck-user\n  with: { user: '{{ inputs.user }}', dayz: 3 }",
    right: "- id: again\n  playbook: recheck-user\n  with: { user: '{{ inputs.user }}', days: 3 }",
  },
  sub_playbook_input_missing: {
    severity: 'error',
    title: 'A required input of the sub-playbook is missing',
    why: 'The step would fail in every run.',
    wrong: '- id: again\n  playbook: recheck-user',
    right: "- id: again\n  playbook: recheck-user\n  with: { user: '{{ inputs.user }}' }",
  },
  sub_playbook_input_invalid: {
    severity: 'error',
    title: 'The value does not fit the input of the sub-playbook',
    why: 'The step would fail in every run.',
    wrong: "- id: again\n  playbook: recheck-user\n  with: { user: '{{ inputs.user }}', days: three }",
    right: "- id: again\n  playbook: recheck-user\n  with: { user: '{{ inputs.user }}', days: 3 }",
  },
  sub_playbook_key: {
    severity: 'error',
    title: 'A sub-playbook has a key that only playbooks with alert types can have',
    why: "A playbook without `alert_type` is part of another playbook's run. The alert, the case and the verdict belong to that playbook, which also provides the inputs.",
    wrong: 'format: 1\nplaybook: example\ncase: { severity: high }\nsteps:\n  - id: say\n    case: { note: Looked at }',
    right: 'format: 1\nplaybook: example\nsteps:\n  - id: say\n    case: { note: Looked at, severity: high }',
  },
} as const satisfies Record<string, FindingEntry>
