import type { FindingEntry } from '../../findings/index.ts'

/** Codes about the names in templates and conditions. */
export const names = {
  root_unknown: {
    severity: 'error',
    title: 'Unknown name',
    why: 'Templates and conditions can read `alert`, `inputs`, `steps`, `vars`, `case`, `organization`, `connections`, `run`, and the item of a loop around them. Before the first step, fewer names exist.',
    wrong: "- id: say\n  case: { note: '{{ input.user }}' }",
    right: "- id: say\n  case: { note: '{{ inputs.user }}' }",
  },
  alert_field_unknown: {
    severity: 'error',
    title: 'An alert has no such field',
    why: "`alert.content` holds what the source sent. The alert's own fields are beside it.",
    wrong: "- id: say\n  case: { note: '{{ alert.user }}' }",
    right: "- id: say\n  case: { note: '{{ alert.content.user }}' }",
  },
  input_unknown: {
    severity: 'error',
    title: 'The playbook has no such input',
    why: 'The value would be missing in every run.',
    wrong: "- id: say\n  case: { note: '{{ inputs.usr }}' }",
    right: "- id: say\n  case: { note: '{{ inputs.user }}' }",
  },
  var_unknown: {
    severity: 'error',
    title: 'No step sets this variable',
    why: 'The value would be missing in every run.',
    wrong: "- id: facts\n  set: { risk: 10 }\n- id: say\n  case: { note: '{{ vars.score }}' }",
    right: "- id: facts\n  set: { risk: 10 }\n- id: say\n  case: { note: '{{ vars.risk }}' }",
  },
  slot_unknown: {
    severity: 'error',
    title: 'The playbook has no such slot',
    why: 'A slot is declared under `connections`, or has the name of an integration that a step uses.',
    wrong:
      'connections: { mail: { integration: mailsec, optional: true } }\nsteps:\n  - id: issues\n    if: { "!!": [{ var: connections.mial.bound }] }\n    skill: mailsec.get_mailsec_issues',
    right:
      'connections: { mail: { integration: mailsec, optional: true } }\nsteps:\n  - id: issues\n    if: { "!!": [{ var: connections.mail.bound }] }\n    skill: mailsec.get_mailsec_issues',
  },
  step_unknown: {
    severity: 'error',
    title: 'There is no step with this id',
    why: 'Its output would be missing in every run.',
    wrong: "- id: issues\n  skill: mailsec.get_mailsec_issues\n- id: say\n  case: { note: '{{ steps.isues.output.issues | size }}' }",
    right: "- id: issues\n  skill: mailsec.get_mailsec_issues\n- id: say\n  case: { note: '{{ steps.issues.output.issues | size }}' }",
  },
  step_field_unknown: {
    severity: 'error',
    title: 'A step has no such field',
    why: 'A step has `output`, `status` and, if it failed, `error`. The answer of a skill is in `output`.',
    wrong: "- id: issues\n  skill: mailsec.get_mailsec_issues\n- id: say\n  case: { note: '{{ steps.issues.result }}' }",
    right: "- id: issues\n  skill: mailsec.get_mailsec_issues\n- id: say\n  case: { note: '{{ steps.issues.output.issues | size }}' }",
  },
  step_not_before: {
    severity: 'error',
    title: 'The step has not run yet',
    why: 'Steps run in the order of the file. The output of a later step does not exist yet. The same is true for a step in a branch that runs at the same time.',
    wrong: "- id: say\n  case: { note: '{{ steps.issues.output.issues | size }}' }\n- id: issues\n  skill: mailsec.get_mailsec_issues",
    right: "- id: issues\n  skill: mailsec.get_mailsec_issues\n- id: say\n  case: { note: '{{ steps.issues.output.issues | size }}' }",
  },
  step_in_loop: {
    severity: 'error',
    title: 'A step inside a loop is read outside the loop',
    why: 'The step runs once for each item. Outside the loop, read `steps.<loop>.output.items`, which has the output of each iteration.',
    wrong:
      "- id: each\n  foreach: [ada, bob]\n  steps:\n    - id: look\n      skill: mfa.get_mfa_user_details\n      with: { username: '{{ item }}' }\n- id: say\n  case: { note: '{{ steps.look.status }}' }",
    right:
      "- id: each\n  foreach: [ada, bob]\n  steps:\n    - id: look\n      skill: mfa.get_mfa_user_details\n      with: { username: '{{ item }}' }\n- id: say\n  case: { note: '{{ steps.each.output.items | size }} users' }",
  },
} as const satisfies Record<string, FindingEntry>
