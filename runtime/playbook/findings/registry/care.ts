import type { FindingEntry } from '../entry.ts'

/** What would run, and most likely not as it was meant. */
export const care = {
  input_unused: {
    severity: 'warning',
    title: 'Nothing reads an input',
    why: 'Either a step was meant to, or the input can go; a required one fails runs for nothing.',
    wrong: 'inputs: { user: { type: string, from: [content.user] } }\nsteps:\n  - id: say\n    case: { note: Somebody }',
    right:
      'inputs: { user: { type: string, from: [content.user] } }\nsteps:\n  - id: say\n    case: { note: "{{ inputs.user | default: \'Somebody\' }}" }',
  },
  slot_unused: {
    severity: 'warning',
    title: 'No step uses a slot',
    why: 'A run needs a connection for every slot that is not optional, and fails without one.',
    wrong: 'connections: { mail: { integration: mailsec } }\nsteps:\n  - id: say\n    case: { note: Nothing is called }',
    right: 'connections: { mail: { integration: mailsec } }\nsteps:\n  - id: issues\n    skill: mailsec.get_mailsec_issues',
  },
  var_set_misspelt: {
    severity: 'warning',
    title: 'A variable is set that nothing reads, and that is named almost like another',
    why: 'Every name makes a variable. The one that was meant keeps its former value.',
    wrong: "- id: begin\n  set: { outcome: nothing }\n- id: found\n  set: { outcmoe: something }\n- id: say\n  case: { note: '{{ vars.outcome }}' }",
    right: "- id: begin\n  set: { outcome: nothing }\n- id: found\n  set: { outcome: something }\n- id: say\n  case: { note: '{{ vars.outcome }}' }",
  },
  loop_item_unused: {
    severity: 'warning',
    title: 'No step of a loop reads its item',
    why: 'Every iteration does the same; mostly a step names something outside of the loop where it meant the item.',
    wrong:
      "- id: each\n  foreach: [ada, bob]\n  as: name\n  steps:\n    - id: look\n      skill: mfa.get_mfa_user_details\n      with: { username: '{{ inputs.user }}' }",
    right:
      "- id: each\n  foreach: [ada, bob]\n  as: name\n  steps:\n    - id: look\n      skill: mfa.get_mfa_user_details\n      with: { username: '{{ name }}' }",
  },
  slot_may_be_unbound: {
    severity: 'error',
    title: 'An optional slot is used without asking whether it is bound',
    why: 'Where an organization has no connection for it, the step fails, and the run with it. `connections.<slot>.bound` says whether there is one; a step with `on_error` may fail.',
    wrong: 'connections: { mail: { integration: mailsec, optional: true } }\nsteps:\n  - id: issues\n    skill: mailsec.get_mailsec_issues',
    right:
      'connections: { mail: { integration: mailsec, optional: true } }\nsteps:\n  - id: issues\n    if: { var: connections.mail.bound }\n    skill: mailsec.get_mailsec_issues',
  },
  connection_missing: {
    severity: 'error',
    title: 'There is no connection for a slot',
    why: 'Every run would fail before its first step. This is found where the connections are known: at activation, and with `--connections`.',
    wrong: '- id: account\n  skill: browser.list_browser_accounts',
    right: '- id: issues\n  skill: mailsec.get_mailsec_issues',
  },
  connection_ambiguous: {
    severity: 'error',
    title: 'Several connections could serve a slot',
    why: 'Which is used must not be chance, so the run fails. One of them can be the default, or serve the slot by name (`slots`). This is found where the connections are known.',
    wrong: '- id: query\n  skill: crm.list_crm_event_types',
    right: '- id: issues\n  skill: mailsec.get_mailsec_issues',
  },
  connection_role_too_low: {
    severity: 'error',
    title: "A connection's role is too low for a skill",
    why: 'The call would be refused before it is sent. This is found where the connections are known and say their role.',
    wrong: '- id: entities\n  skill: mailsec.get_mailsec_trusted_entities',
    right: '- id: issues\n  skill: mailsec.get_mailsec_issues',
  },
  connection_expired: {
    severity: 'error',
    title: "A connection's credentials have expired",
    why: 'Calls over it are refused until new ones are entered. This is found where the connections are known.',
    wrong: '- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }',
    right: '- id: issues\n  skill: mailsec.get_mailsec_issues',
  },
  impact_over_budget: {
    severity: 'error',
    title: 'A run may do more than the impact budget allows',
    why: 'A run that comes to its budget fails with `impact_exceeded` before the call that would be too many, in the middle of its work. `tocsin playbook impact` shows what counts. Bound the loops, let branches exclude each other, or raise `limits.impact` to what you are ready for.',
    wrong:
      "limits: { impact: { write: 10 } }\nsteps:\n  - id: each\n    foreach: '{{ inputs.users }}'\n    max_items: 50\n    steps:\n      - id: out\n        skill: mfa.suspend_mfa_user\n        with: { username: '{{ item }}' }",
    right:
      "limits: { impact: { write: 10 } }\nsteps:\n  - id: each\n    foreach: '{{ inputs.users }}'\n    max_items: 10\n    steps:\n      - id: out\n        skill: mfa.suspend_mfa_user\n        with: { username: '{{ item }}' }",
  },
  loop_exceeds_steps: {
    severity: 'warning',
    title: 'A loop may take more steps than a run has',
    why: 'The run ends with `steps_exceeded` in the middle of its work. Steps of a loop count each time; `limits.steps` is 1000 unless the playbook says otherwise.',
    wrong:
      "limits: { steps: 100 }\nsteps:\n  - id: each\n    foreach: '{{ inputs.users }}'\n    max_items: 500\n    steps:\n      - id: look\n        case: { note: '{{ item }}' }",
    right:
      "limits: { steps: 600 }\nsteps:\n  - id: each\n    foreach: '{{ inputs.users }}'\n    max_items: 500\n    steps:\n      - id: look\n        case: { note: '{{ item }}' }",
  },
  time_exceeds_limit: {
    severity: 'warning',
    title: 'A step may take longer than the whole run',
    why: 'The run ends with `run_timeout` before the time that the step was given is over.',
    wrong: 'limits: { time: 1m }\nsteps:\n  - id: issues\n    skill: mailsec.get_mailsec_issues\n    timeout: 5m',
    right: 'limits: { time: 10m }\nsteps:\n  - id: issues\n    skill: mailsec.get_mailsec_issues\n    timeout: 5m',
  },
  failure_unnoticed: {
    severity: 'warning',
    title: 'A change may fail and nobody hears of it',
    why: '`on_error: continue` goes on as if the change had been made. Look at `steps.<id>.status` afterwards, or give a list of steps that say so.',
    wrong: '- id: suspend\n  skill: mfa.suspend_mfa_user\n  with: { username: ada }\n  on_error: continue',
    right:
      '- id: suspend\n  skill: mfa.suspend_mfa_user\n  with: { username: ada }\n  on_error:\n    - id: say\n      case: { note: The user could not be suspended, status: analyst_pending }',
  },
  retry_never: {
    severity: 'warning',
    title: 'A change is given a retry that is never made',
    why: 'After these errors nobody knows whether the change was made, and the skill says that repeating it is not safe. It is put before a person instead.',
    wrong: '- id: suspend\n  skill: mfa.suspend_mfa_user\n  with: { username: ada }\n  retry: { attempts: 3, on: [call_timeout] }',
    right: '- id: suspend\n  skill: mfa.suspend_mfa_user\n  with: { username: ada }\n  retry: { attempts: 3, on: [rate_limited] }',
  },
  retry_once: {
    severity: 'warning',
    title: 'A retry has one attempt',
    why: 'The first try counts, so that nothing is tried again.',
    wrong: '- id: issues\n  skill: mailsec.get_mailsec_issues\n  retry: { attempts: 1 }',
    right: '- id: issues\n  skill: mailsec.get_mailsec_issues\n  retry: { attempts: 3 }',
  },
} as const satisfies Record<string, FindingEntry>
