import type { FindingEntry } from '../../findings/index.ts'

/** What templates and conditions name. */
export const names = {
  root_unknown: {
    severity: 'error',
    title: 'Nothing of this name can be read here',
    why: 'Templates and conditions name `alert`, `inputs`, `steps`, `vars`, `case`, `organization`, `connections`, `run`, and the item of a loop around them. Before the first step there is less.',
    wrong: "- id: say\n  case: { note: '{{ input.user }}' }",
    right: "- id: say\n  case: { note: '{{ inputs.user }}' }",
  },
  alert_field_unknown: {
    severity: 'error',
    title: 'An alert has no such field',
    why: "What the source sent lies under `alert.content`; beside it stand the alert's own fields.",
    wrong: "- id: say\n  case: { note: '{{ alert.user }}' }",
    right: "- id: say\n  case: { note: '{{ alert.content.user }}' }",
  },
  input_unknown: {
    severity: 'error',
    title: 'The playbook has no such input',
    why: 'It would be missing in every run.',
    wrong: "- id: say\n  case: { note: '{{ inputs.usr }}' }",
    right: "- id: say\n  case: { note: '{{ inputs.user }}' }",
  },
  var_unknown: {
    severity: 'error',
    title: 'No step sets this variable',
    why: 'It would be missing in every run.',
    wrong: "- id: facts\n  set: { risk: 10 }\n- id: say\n  case: { note: '{{ vars.score }}' }",
    right: "- id: facts\n  set: { risk: 10 }\n- id: say\n  case: { note: '{{ vars.risk }}' }",
  },
  slot_unknown: {
    severity: 'error',
    title: 'The playbook has no such slot',
    why: 'A slot is declared under `connections`, or named after an integration that a step uses.',
    wrong:
      'connections: { mail: { integration: mailsec, optional: true } }\nsteps:\n  - id: issues\n    if: { "!!": [{ var: connections.mial.bound }] }\n    skill: mailsec.get_mailsec_issues',
    right:
      'connections: { mail: { integration: mailsec, optional: true } }\nsteps:\n  - id: issues\n    if: { "!!": [{ var: connections.mail.bound }] }\n    skill: mailsec.get_mailsec_issues',
  },
  step_unknown: {
    severity: 'error',
    title: 'There is no step of this id',
    why: 'Its output would be missing in every run.',
    wrong: "- id: issues\n  skill: mailsec.get_mailsec_issues\n- id: say\n  case: { note: '{{ steps.isues.output.issues | size }}' }",
    right: "- id: issues\n  skill: mailsec.get_mailsec_issues\n- id: say\n  case: { note: '{{ steps.issues.output.issues | size }}' }",
  },
  step_field_unknown: {
    severity: 'error',
    title: 'A step leaves nothing of this name',
    why: 'Under its id a step leaves `output`, `status` and, where it failed, `error`; what a skill answered lies in `output`.',
    wrong: "- id: issues\n  skill: mailsec.get_mailsec_issues\n- id: say\n  case: { note: '{{ steps.issues.result }}' }",
    right: "- id: issues\n  skill: mailsec.get_mailsec_issues\n- id: say\n  case: { note: '{{ steps.issues.output.issues | size }}' }",
  },
  step_not_before: {
    severity: 'error',
    title: 'The step has not run before this one',
    why: 'Steps run in the order of the file. What a later step leaves, or one of another branch that runs at the same time, is not there yet.',
    wrong: "- id: say\n  case: { note: '{{ steps.issues.output.issues | size }}' }\n- id: issues\n  skill: mailsec.get_mailsec_issues",
    right: "- id: issues\n  skill: mailsec.get_mailsec_issues\n- id: say\n  case: { note: '{{ steps.issues.output.issues | size }}' }",
  },
  step_in_loop: {
    severity: 'error',
    title: 'The step is inside a loop, and is read outside of it',
    why: 'It has run once for each item. Outside, `steps.<loop>.output.items` has what each iteration left.',
    wrong:
      "- id: each\n  foreach: [ada, bob]\n  steps:\n    - id: look\n      skill: mfa.get_mfa_user_details\n      with: { username: '{{ item }}' }\n- id: say\n  case: { note: '{{ steps.look.status }}' }",
    right:
      "- id: each\n  foreach: [ada, bob]\n  steps:\n    - id: look\n      skill: mfa.get_mfa_user_details\n      with: { username: '{{ item }}' }\n- id: say\n  case: { note: '{{ steps.each.output.items | size }} users' }",
  },
} as const satisfies Record<string, FindingEntry>
