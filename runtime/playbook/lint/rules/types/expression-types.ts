import { isObject } from '../../../../domain/index.ts'
import { operatorNames } from '../../../../expressions/index.ts'
import * as typing from '../../../../expressions/typing/index.ts'
import type { DocumentPath } from '../../../../yaml/index.ts'
import { respelling, type StepNode } from '../../document/index.ts'
import type { Report, Rule, Subject } from '../../rule.ts'
import { skillOutput, typingOf } from '../../typing/index.ts'

/** Reports the problems that the type checker finds in each template and condition. */
export const expressionTypes: Rule<typing.ProblemCode> = {
  codes: {
    unknown_member: {
      severity: 'error',
      title: 'A value has no member with this name',
      why: 'The schema names the members of the value, and this one is missing or misspelt. It would be missing in every run.',
      wrong:
        "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: say\n  case: { note: '{{ steps.look.output.devcies | size }} devices' }",
      right:
        "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: say\n  case: { note: '{{ steps.look.output.devices | size }} devices' }",
    },
    undeclared_member: {
      severity: 'warning',
      title: 'The schema does not name this member',
      why: 'The schema allows other members, so this one may exist. But nothing says so, and its type is not known.',
      wrong:
        "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: keep\n  set: { department: '{{ steps.look.output.department }}' }",
      right: "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: keep\n  set: { role: '{{ steps.look.output.role }}' }",
    },
    no_members: {
      severity: 'error',
      title: 'A member is read from a value that has none',
      why: 'A text, a number or a boolean has no members. To reach the items of a list, use an index, a loop, or filters such as `map` and `first`.',
      wrong:
        "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: keep\n  set: { model: '{{ steps.look.output.devices.deviceModel }}' }",
      right:
        '- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: keep\n  set: { models: "{{ steps.look.output.devices | map: \'deviceModel\' }}" }',
    },
    value_missing: {
      severity: 'error',
      title: 'A value is always missing here',
      why: 'In a text or a condition, this is an error in every run that gets here.',
      wrong:
        "inputs: { host: { type: string, from: [content.host] } }\nsteps:\n  - id: say\n    case: { note: 'On {% if inputs.host %}a host{% else %}{{ inputs.host }}{% endif %}' }",
      right:
        "inputs: { host: { type: string, from: [content.host] } }\nsteps:\n  - id: say\n    case: { note: 'On {% if inputs.host %}{{ inputs.host }}{% else %}no host{% endif %}' }",
    },
    value_may_be_missing: {
      severity: 'error',
      title: 'A value that may be missing is read without a default',
      why: 'Optional inputs, optional members and everything under `alert.content` may be missing. In a text, in a condition, or as an argument of a filter, a missing value fails the step.',
      wrong: "inputs: { host: { type: string, from: [content.host] } }\nsteps:\n  - id: say\n    case: { note: 'On {{ inputs.host }}' }",
      right:
        'inputs: { host: { type: string, from: [content.host] } }\nsteps:\n  - id: say\n    case: { note: "On {{ inputs.host | default: \'an unknown host\' }}" }',
    },
    value_may_be_null: {
      severity: 'warning',
      title: 'A value may be null where null is an error',
      why: 'Systems answer null for what they do not know. Operators, date filters and quoting filters fail on null.',
      wrong:
        "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: admin\n  if: { '==': [{ lower: { var: [steps.look.output.role, ''] } }, admin] }\n  case: { note: An administrator }",
      right:
        "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: admin\n  if: { '==': [{ lower: { or: [{ var: [steps.look.output.role, ''] }, ''] } }, admin] }\n  case: { note: An administrator }",
    },
    filter_input: {
      severity: 'error',
      title: 'A filter cannot use this value',
      why: 'A list or object in place of a text makes the step fail. Other mistakes go unnoticed: in a calculation, what is not a number counts as 0.',
      wrong:
        "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: say\n  case: { note: '{{ steps.look.output | size }} facts' }",
      right:
        "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: say\n  case: { note: '{{ steps.look.output.size }} facts' }",
    },
    filter_argument: {
      severity: 'error',
      title: 'A filter has the wrong arguments',
      why: 'Liquid ignores extra arguments, and treats missing ones as empty.',
      wrong: "- id: say\n  case: { note: '{{ inputs.user | append }} was asked' }",
      right: '- id: say\n  case: { note: "{{ inputs.user | append: \'@acme.example\' }} was asked" }',
    },
    default_comes_late: {
      severity: 'warning',
      title: 'A `default` comes after another filter',
      why: '`default` must come first. The filters before it already fail on a missing value.',
      wrong:
        'inputs: { host: { type: string, from: [content.host] } }\nsteps:\n  - id: say\n    case: { note: "On {{ inputs.host | upcase | default: \'an unknown host\' }}" }',
      right:
        'inputs: { host: { type: string, from: [content.host] } }\nsteps:\n  - id: say\n    case: { note: "On {{ inputs.host | default: \'an unknown host\' | upcase }}" }',
    },
    not_a_list: {
      severity: 'error',
      title: 'A loop gets a value that is not a list',
      why: 'The step fails when it starts.',
      wrong: "- id: each\n  foreach: '{{ inputs.user }}'\n  max_items: 5\n  steps:\n    - id: say\n      case: { note: '{{ item }}' }",
      right: "- id: each\n  foreach: '{{ inputs.users }}'\n  max_items: 5\n  steps:\n    - id: say\n      case: { note: '{{ item }}' }",
    },
    operand_type: {
      severity: 'error',
      title: 'An operator cannot use this value',
      why: 'Conditions convert nothing. The step fails when the condition is evaluated.',
      wrong: "- id: many\n  if: { '>': [{ var: inputs.users }, 3] }\n  case: { note: Many }",
      right: "- id: many\n  if: { '>': [{ length: { var: inputs.users } }, 3] }\n  case: { note: Many }",
    },
    types_never_equal: {
      severity: 'error',
      title: 'Values of different types are compared',
      why: 'They are never equal, and the comparison is an error at run time: `"5"` is not `5`, and `"true"` is not `true`.',
      wrong:
        "inputs: { denied: { type: integer, from: [content.denied], default: 0 } }\nsteps:\n  - id: none\n    if: { '==': [{ var: inputs.denied }, '0'] }\n    case: { note: Nothing was denied }",
      right:
        "inputs: { denied: { type: integer, from: [content.denied], default: 0 } }\nsteps:\n  - id: none\n    if: { '==': [{ var: inputs.denied }, 0] }\n    case: { note: Nothing was denied }",
    },
    value_never_equal: {
      severity: 'error',
      title: 'A value is compared with one that it can never have',
      why: 'All possible values are known, and this is not one of them. So the comparison always has the same result.',
      wrong:
        "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: bypassed\n  if: { '==': [{ var: steps.look.output.bypass }, enbaled] }\n  case: { note: MFA is bypassed }",
      right:
        "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: bypassed\n  if: { '==': [{ var: steps.look.output.bypass }, enabled] }\n  case: { note: MFA is bypassed }",
    },
    comparison_constant: {
      severity: 'warning',
      title: 'A comparison always has the same result',
      why: 'It compares two constants, a value with itself, or a value that is never null with null; or no value can satisfy it. A missing value is not null: read it with a default.',
      wrong: "- id: nobody\n  if: { '==': [{ var: inputs.user }, null] }\n  case: { note: Nobody }",
      right: "- id: nobody\n  if: { '==': [{ var: inputs.user }, ''] }\n  case: { note: Nobody }",
    },
    condition_constant: {
      severity: 'warning',
      title: 'A condition is always true, or always false',
      why: 'It decides nothing, whatever the values are.',
      wrong:
        "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: say\n  if: { '!!': [{ var: steps.look.output }] }\n  case: { note: Looked }",
      right:
        "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: say\n  if: { '!!': [{ var: steps.look.output.devices }] }\n  case: { note: It has devices }",
    },
    arguments_swapped: {
      severity: 'warning',
      title: 'The arguments of an operator seem to be swapped',
      why: 'The first argument is the value to look for (`in`), the text (`matches`) or the network (`cidr_contains`).',
      wrong: "- id: ours\n  if: { in: [{ var: inputs.user }, '@acme.example'] }\n  case: { note: One of ours }",
      right: "- id: ours\n  if: { in: ['@acme.example', { var: inputs.user }] }\n  case: { note: One of ours }",
    },
    logic_pitfall: {
      severity: 'warning',
      title: 'A JSON Logic rule does something unexpected',
      why: '`or` returns its first argument that counts as true. `!` of a list checks whether the list is empty. The text `"false"` counts as true. `age` is in milliseconds.',
      wrong: "- id: known\n  if: { '==': [{ var: inputs.user }, { or: [ada, bob] }] }\n  case: { note: One of the two }",
      right: '- id: known\n  if: { in: [{ var: inputs.user }, [ada, bob]] }\n  case: { note: One of the two }',
    },
  },
  check(subject, report) {
    const { flow, root, world } = subject
    const known = typingOf(subject)
    const filters = world.filters()
    for (const { expression, step, state } of flow.places) {
      if (!state.reachable) continue
      const { form, path, value } = expression
      const environment =
        step !== null && path.at(-1) === 'until' && form === 'condition' ? polled(step, known.at(step, state), world) : known.at(step, state)
      const typed = form === 'condition' ? typing.typeOfCondition(value, environment) : typing.typeOfTemplate(value, environment, filters)
      tell(typed, path, subject, report)
    }
    const opening = isObject(root['case']) ? root['case'] : {}
    if (opening['title'] !== undefined) tell(typing.typeOfTemplate(opening['title'], known.opening, filters), ['case', 'title'], subject, report)
    const { join } = opening
    if (isObject(join) && join['key'] !== undefined) {
      tell(typing.typeOfTemplate(join['key'], known.opening, filters), ['case', 'join', 'key'], subject, report)
    }
    const { duplicates } = root
    if (isObject(duplicates) && duplicates['fingerprint'] !== undefined) {
      tell(typing.typeOfTemplate(duplicates['fingerprint'], known.opening, filters), ['duplicates', 'fingerprint'], subject, report)
    }
  },
}

/** Returns what the condition of a poll can read: it reads the answer as `output`. */
function polled({ value }: StepNode, around: typing.Environment, world: Subject['world']): typing.Environment {
  const { wait } = value
  const skill = isObject(wait) && isObject(wait['poll']) ? wait['poll']['skill'] : undefined
  return typing.withRoots(around, { output: skillOutput(world, skill) })
}

function tell({ problems }: typing.Typed, path: DocumentPath, { document }: Subject, report: Report<typing.ProblemCode>): void {
  for (const { code, at, offset, message, misspelt } of problems) {
    const place = [...path, ...at]
    if (isOperator(at, offset)) {
      report.at(code, place, message, { part: 'key' })
      continue
    }
    report.inside(code, place, offset, message, respelling(document, place, offset, misspelt))
  }
}

/** Returns whether the place is an operator as a whole. Then its name is reported. */
function isOperator(at: DocumentPath, offset: number): boolean {
  const last = at.at(-1)
  return offset === 0 && typeof last === 'string' && isOperatorName(last)
}

/** For `var` and similar operators, the argument is reported instead. */
function isOperatorName(name: string): boolean {
  return !['var', 'missing', 'missing_some'].includes(name) && operatorNames.includes(name)
}
