import type { typing } from '../../../expressions/index.ts'
import type { FindingEntry } from '../entry.ts'

/** What the types of values tell of templates and conditions by themselves. */
export const types = {
  unknown_member: {
    severity: 'error',
    title: 'A value has no member of this name',
    why: 'The schema of what is read names its members, and this is none of them, or nearly one. The value would be missing in every run.',
    wrong:
      "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: say\n  case: { note: '{{ steps.look.output.devcies | size }} devices' }",
    right:
      "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: say\n  case: { note: '{{ steps.look.output.devices | size }} devices' }",
  },
  undeclared_member: {
    severity: 'warning',
    title: 'The schema of a value does not name this member',
    why: 'It allows others than it names, so that this one may be there; but nothing says so, and nothing is known of its type.',
    wrong:
      "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: keep\n  set: { department: '{{ steps.look.output.department }}' }",
    right: "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: keep\n  set: { role: '{{ steps.look.output.role }}' }",
  },
  no_members: {
    severity: 'error',
    title: 'A member is read of what has none',
    why: 'A text, a number or a boolean has no members, and those of a list are its items: it is entered by an index or a loop, or by filters such as `map` and `first`.',
    wrong:
      "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: keep\n  set: { model: '{{ steps.look.output.devices.deviceModel }}' }",
    right:
      '- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: keep\n  set: { models: "{{ steps.look.output.devices | map: \'deviceModel\' }}" }',
  },
  value_missing: {
    severity: 'error',
    title: 'A value is read where it is never there',
    why: 'Inside text and in a condition that is an error in every run that comes here.',
    wrong:
      "inputs: { host: { type: string, from: [content.host] } }\nsteps:\n  - id: say\n    case: { note: 'On {% if inputs.host %}a host{% else %}{{ inputs.host }}{% endif %}' }",
    right:
      "inputs: { host: { type: string, from: [content.host] } }\nsteps:\n  - id: say\n    case: { note: 'On {% if inputs.host %}{{ inputs.host }}{% else %}no host{% endif %}' }",
  },
  value_may_be_missing: {
    severity: 'error',
    title: 'A value that may be missing is read without a default',
    why: 'Optional inputs, optional members and everything under `alert.content` may be missing. Inside text, in a condition and as an argument of a filter that fails the step.',
    wrong: "inputs: { host: { type: string, from: [content.host] } }\nsteps:\n  - id: say\n    case: { note: 'On {{ inputs.host }}' }",
    right:
      'inputs: { host: { type: string, from: [content.host] } }\nsteps:\n  - id: say\n    case: { note: "On {{ inputs.host | default: \'an unknown host\' }}" }',
  },
  value_may_be_null: {
    severity: 'warning',
    title: 'A value that may be null stands where null is an error',
    why: 'Systems answer null for what they do not know. Operators, date filters and quoting filters fail on it.',
    wrong:
      "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: admin\n  if: { '==': [{ lower: { var: [steps.look.output.role, ''] } }, admin] }\n  case: { note: An administrator }",
    right:
      "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: admin\n  if: { '==': [{ lower: { or: [{ var: [steps.look.output.role, ''] }, ''] } }, admin] }\n  case: { note: An administrator }",
  },
  filter_input: {
    severity: 'error',
    title: 'A filter is given what it cannot take',
    why: 'Liquid seldom fails on it: it counts a text as 0, an object as `[object Object]`, and the size of an object as 0, so that the mistake goes unseen.',
    wrong:
      "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: say\n  case: { note: '{{ steps.look.output | size }} facts' }",
    right:
      "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: say\n  case: { note: '{{ steps.look.output.size }} facts' }",
  },
  filter_argument: {
    severity: 'error',
    title: 'A filter has arguments that it does not take',
    why: 'Liquid ignores what is too much, and takes what is missing for nothing.',
    wrong: "- id: say\n  case: { note: '{{ inputs.user | append }} was asked' }",
    right: '- id: say\n  case: { note: "{{ inputs.user | append: \'@acme.example\' }} was asked" }',
  },
  default_comes_late: {
    severity: 'warning',
    title: 'A `default` comes after another filter',
    why: 'Only one that comes first stands in for a missing value; the filters before it fail already.',
    wrong:
      'inputs: { host: { type: string, from: [content.host] } }\nsteps:\n  - id: say\n    case: { note: "On {{ inputs.host | upcase | default: \'an unknown host\' }}" }',
    right:
      'inputs: { host: { type: string, from: [content.host] } }\nsteps:\n  - id: say\n    case: { note: "On {{ inputs.host | default: \'an unknown host\' | upcase }}" }',
  },
  not_a_list: {
    severity: 'error',
    title: 'A loop is given something that is no list',
    why: 'The step fails when it begins.',
    wrong: "- id: each\n  foreach: '{{ inputs.user }}'\n  max_items: 5\n  steps:\n    - id: say\n      case: { note: '{{ item }}' }",
    right: "- id: each\n  foreach: '{{ inputs.users }}'\n  max_items: 5\n  steps:\n    - id: say\n      case: { note: '{{ item }}' }",
  },
  operand_type: {
    severity: 'error',
    title: 'An operator is given what it cannot take',
    why: 'Nothing is converted in conditions: the step fails when the condition is decided.',
    wrong: "- id: many\n  if: { '>': [{ var: inputs.users }, 3] }\n  case: { note: Many }",
    right: "- id: many\n  if: { '>': [{ length: { var: inputs.users } }, 3] }\n  case: { note: Many }",
  },
  types_never_equal: {
    severity: 'error',
    title: 'Values of different types are compared',
    why: 'They are never equal, and comparing them is an error when the condition is decided: `"5"` is not `5`, and `"true"` is not `true`.',
    wrong:
      "inputs: { denied: { type: integer, from: [content.denied], default: 0 } }\nsteps:\n  - id: none\n    if: { '==': [{ var: inputs.denied }, '0'] }\n    case: { note: Nothing was denied }",
    right:
      "inputs: { denied: { type: integer, from: [content.denied], default: 0 } }\nsteps:\n  - id: none\n    if: { '==': [{ var: inputs.denied }, 0] }\n    case: { note: Nothing was denied }",
  },
  value_never_equal: {
    severity: 'error',
    title: 'A value is compared with one that it never is',
    why: 'All values that it may have are known, and this is none of them: what depends on the comparison never happens, or always.',
    wrong:
      "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: bypassed\n  if: { '==': [{ var: steps.look.output.bypass }, enbaled] }\n  case: { note: MFA is bypassed }",
    right:
      "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: bypassed\n  if: { '==': [{ var: steps.look.output.bypass }, enabled] }\n  case: { note: MFA is bypassed }",
  },
  comparison_constant: {
    severity: 'warning',
    title: 'A comparison always comes out the same',
    why: 'It compares constants, a value with itself, or a value that is never null with null; or no value can pass the test. A missing value is not null: read it with a default.',
    wrong: "- id: nobody\n  if: { '==': [{ var: inputs.user }, null] }\n  case: { note: Nobody }",
    right: "- id: nobody\n  if: { '==': [{ var: inputs.user }, ''] }\n  case: { note: Nobody }",
  },
  condition_constant: {
    severity: 'warning',
    title: 'A condition always holds, or never does',
    why: 'Whatever the values are, it decides nothing.',
    wrong:
      "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: say\n  if: { '!!': [{ var: steps.look.output }] }\n  case: { note: Looked }",
    right:
      "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: say\n  if: { '!!': [{ var: steps.look.output.devices }] }\n  case: { note: It has devices }",
  },
  arguments_swapped: {
    severity: 'warning',
    title: 'The arguments of an operator seem to be swapped',
    why: '`in` takes what is looked for first, `matches` the text, `cidr_contains` the network.',
    wrong: "- id: ours\n  if: { in: [{ var: inputs.user }, '@acme.example'] }\n  case: { note: One of ours }",
    right: "- id: ours\n  if: { in: ['@acme.example', { var: inputs.user }] }\n  case: { note: One of ours }",
  },
  logic_pitfall: {
    severity: 'warning',
    title: 'A rule of json-logic does something else than it seems to',
    why: '`or` gives its first argument that counts as true, `!` of a list asks whether it is empty, the text `"false"` counts as true, and `age` is in milliseconds.',
    wrong: "- id: known\n  if: { '==': [{ var: inputs.user }, { or: [ada, bob] }] }\n  case: { note: One of the two }",
    right: '- id: known\n  if: { in: [{ var: inputs.user }, [ada, bob]] }\n  case: { note: One of the two }',
  },
  skill_input_invalid: {
    severity: 'error',
    title: 'A value that is written out does not fit the input of the skill',
    why: 'The call would be refused before anything is sent.',
    wrong: '- id: issues\n  skill: mailsec.get_mailsec_issues\n  with: { max_items: 100000 }',
    right: '- id: issues\n  skill: mailsec.get_mailsec_issues\n  with: { status: open }',
  },
  skill_input_type: {
    severity: 'error',
    title: 'What a template gives never fits the input of the skill',
    why: 'The call would be refused before anything is sent, in every run.',
    wrong: "- id: issues\n  skill: mailsec.get_mailsec_issues\n  with: { max_items: '{{ inputs.user }}' }",
    right: "- id: issues\n  skill: mailsec.get_mailsec_issues\n  with: { max_items: '{{ inputs.users | size }}' }",
  },
  skill_input_may_be_missing: {
    severity: 'warning',
    title: 'An input that the skill needs may be missing',
    why: 'A value that is missing is left out of the call, and a call without what it needs is refused.',
    wrong:
      "inputs: { host: { type: string, from: [content.host] } }\nsteps:\n  - id: look\n    skill: mfa.get_mfa_user_details\n    with: { username: '{{ inputs.host }}' }",
    right:
      "inputs: { host: { type: string, from: [content.host] } }\nsteps:\n  - id: look\n    if: { '!=': [{ var: [inputs.host, ''] }, ''] }\n    skill: mfa.get_mfa_user_details\n    with: { username: '{{ inputs.host }}' }",
  },
  skill_input_other_kind: {
    severity: 'warning',
    title: 'An input is given the identifier of something else',
    why: 'Both are texts, and the system will not find the one by the other.',
    wrong:
      "- id: issues\n  skill: mailsec.get_mailsec_issues\n- id: each\n  foreach: '{{ steps.issues.output.issues }}'\n  max_items: 50\n  steps:\n    - id: message\n      skill: mailsec.get_mailsec_message\n      with: { message_id: '{{ item.id }}' }",
    right:
      "- id: issues\n  skill: mailsec.get_mailsec_issues\n- id: each\n  foreach: '{{ steps.issues.output.issues }}'\n  max_items: 50\n  steps:\n    - id: issue\n      skill: mailsec.get_mailsec_issue\n      with: { issue_id: '{{ item.id }}' }",
  },
  text_expected: {
    severity: 'error',
    title: 'A list or an object stands where a text is needed',
    why: 'It would be shown as `[object Object]`, or as its items with commas between them.',
    wrong: "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: say\n  case: { note: '{{ steps.look.output }}' }",
    right: "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: say\n  case: { note: '{{ steps.look.output | json }}' }",
  },
  time_expected: {
    severity: 'error',
    title: 'Something that is no time stands where a time is needed',
    why: 'The step fails: a time is given in epoch milliseconds or as ISO 8601. A duration belongs to `for`.',
    wrong: "- id: rest\n  wait: { until: '{{ inputs.users }}' }",
    right: "- id: rest\n  wait: { until: '{{ run.now | plus: 3600000 }}' }",
  },
} as const satisfies Record<typing.ProblemCode, FindingEntry> & Record<string, FindingEntry>
