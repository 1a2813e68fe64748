import type { FindingEntry } from '../entry.ts'

/** What the order of the steps and the ways that they may go say. */
export const flow = {
  step_may_not_have_run: {
    severity: 'error',
    title: 'What a step leaves is read where the step may not have run',
    why: 'A step leaves nothing when its `if` did not hold, when it stands in a branch that was not taken, or when it failed and the playbook went on. A value that is not there fails a text or a condition, and is left out of a call.',
    wrong:
      "- id: look\n  if: { '!=': [{ var: [inputs.user, ''] }, ''] }\n  skill: mfa.get_mfa_user_details\n  with: { username: '{{ inputs.user }}' }\n- id: say\n  case: { note: 'The user is {{ steps.look.output.status }}' }",
    right:
      "- id: look\n  if: { '!=': [{ var: [inputs.user, ''] }, ''] }\n  skill: mfa.get_mfa_user_details\n  with: { username: '{{ inputs.user }}' }\n- id: say\n  case: { note: \"The user is {{ steps.look.output.status | default: 'not known' }}\" }",
  },
  step_error_may_be_missing: {
    severity: 'error',
    title: 'The error of a step is read where the step may not have failed',
    why: '`steps.<id>.error` is there in the `on_error` of the step, and after it only where it failed.',
    wrong:
      "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n  on_error: continue\n- id: say\n  case: { note: 'It failed with {{ steps.look.error.code }}' }",
    right:
      "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n  on_error: continue\n- id: say\n  if: { '==': [{ var: steps.look.status }, failed] }\n  case: { note: 'It failed with {{ steps.look.error.code }}' }",
  },
  var_may_not_be_set: {
    severity: 'error',
    title: 'A variable is read where it may not be set',
    why: 'A variable is there once a `set` has run. One that is set in a branch, in a loop that may have no items, or later, may be missing here.',
    wrong:
      "- id: many\n  if: { '>': [{ length: { var: [inputs.users, []] } }, 5] }\n  set: { risk: high }\n- id: say\n  case: { note: 'Risk {{ vars.risk }}' }",
    right:
      "- id: begin\n  set: { risk: low }\n- id: many\n  if: { '>': [{ length: { var: [inputs.users, []] } }, 5] }\n  set: { risk: high }\n- id: say\n  case: { note: 'Risk {{ vars.risk }}' }",
  },
  step_unreachable: {
    severity: 'error',
    title: 'A step is never reached',
    why: 'The run has stopped before it, whichever way it went. What the step does is never done.',
    wrong: '- id: halt\n  stop: { outcome: completed, reason: Nothing to do }\n- id: say\n  case: { note: Never said }',
    right: '- id: say\n  case: { note: Said }\n- id: halt\n  stop: { outcome: completed, reason: Nothing to do }',
  },
  condition_decided: {
    severity: 'warning',
    title: 'A condition is asked whose answer is known already',
    why: 'The same was asked on the way to it, so that one of its ways is never taken; mostly the condition was copied and not changed.',
    wrong:
      "- id: ada\n  if: { '==': [{ var: [inputs.user, ''] }, ada] }\n  then:\n    - id: again\n      if: { '==': [{ var: [inputs.user, ''] }, ada] }\n      case: { note: Ada }",
    right: "- id: ada\n  if: { '==': [{ var: [inputs.user, ''] }, ada] }\n  then:\n    - id: again\n      case: { note: Ada }",
  },
} as const satisfies Record<string, FindingEntry>
