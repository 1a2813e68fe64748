import type { FindingEntry } from '../../findings/index.ts'

/** Playbooks that run others. */
export const subPlaybooks = {
  sub_playbook_unknown: {
    severity: 'error',
    title: 'There is no playbook of this name',
    why: 'A sub-playbook is looked for in the playbook folders, beside the file, and among the active ones of the store.',
    wrong: "- id: again\n  playbook: recheck-usr\n  with: { user: '{{ inputs.user }}' }",
    right: "- id: again\n  playbook: recheck-user\n  with: { user: '{{ inputs.user }}' }",
  },
  sub_playbook_invalid: {
    severity: 'error',
    title: 'The sub-playbook is not good itself',
    why: 'What runs it cannot be better. The message has the first thing that is wrong with it.',
    wrong: '- id: again\n  playbook: broken-user',
    right: "- id: again\n  playbook: recheck-user\n  with: { user: '{{ inputs.user }}' }",
  },
  sub_playbook_circle: {
    severity: 'error',
    title: 'Playbooks run each other in a circle',
    why: 'A run of it would never end.',
    wrong: '- id: again\n  playbook: example',
    right: "- id: again\n  playbook: recheck-user\n  with: { user: '{{ inputs.user }}' }",
  },
  sub_playbook_too_deep: {
    severity: 'error',
    title: 'Playbooks run each other too deep',
    why: 'Ten within each other are more than anybody can follow, and what they may do grows with each level.',
    wrong: '- id: again\n  playbook: level-1',
    right: "- id: again\n  playbook: recheck-user\n  with: { user: '{{ inputs.user }}' }",
  },
  sub_playbook_has_types: {
    severity: 'error',
    title: 'The playbook investigates alerts, and is no sub-playbook',
    why: 'A playbook with `alert_type` reads its inputs from an alert and opens a case. What several have in common goes into a playbook without one.',
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
    title: 'The sub-playbook needs an input that is not given',
    why: 'The step would fail in every run.',
    wrong: '- id: again\n  playbook: recheck-user',
    right: "- id: again\n  playbook: recheck-user\n  with: { user: '{{ inputs.user }}' }",
  },
  sub_playbook_input_invalid: {
    severity: 'error',
    title: 'The value does not fit what the sub-playbook declares',
    why: 'The step would fail in every run.',
    wrong: "- id: again\n  playbook: recheck-user\n  with: { user: '{{ inputs.user }}', days: three }",
    right: "- id: again\n  playbook: recheck-user\n  with: { user: '{{ inputs.user }}', days: 3 }",
  },
  sub_playbook_key: {
    severity: 'error',
    title: 'A sub-playbook has a key that only a playbook for alerts can have',
    why: 'A playbook without `alert_type` is part of a run: the alert, the case and the verdict are those of the playbook that runs it, which also gives it its inputs.',
    wrong: 'format: 1\nplaybook: example\ncase: { severity: high }\nsteps:\n  - id: say\n    case: { note: Looked at }',
    right: 'format: 1\nplaybook: example\nsteps:\n  - id: say\n    case: { note: Looked at, severity: high }',
  },
} as const satisfies Record<string, FindingEntry>
