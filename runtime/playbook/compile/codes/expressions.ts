import type { ExpressionFaultCode } from '../../../expressions/index.ts'
import type { FindingEntry } from '../../findings/index.ts'

/** Templates, conditions and patterns that do not parse. */
export const expressions = {
  template_invalid: {
    severity: 'error',
    title: 'The template does not parse',
    why: 'What stands in `{{ … }}` is one value in Liquid, with filters after it.',
    wrong: "- id: say\n  case: { note: '{{ inputs.user' }",
    right: "- id: say\n  case: { note: '{{ inputs.user }}' }",
  },
  filter_unknown: {
    severity: 'error',
    title: 'There is no such filter',
    why: "Besides Liquid's filters there are `max_by` and the quoting filters that the plugins declare.",
    wrong: "- id: say\n  case: { note: '{{ inputs.user | upcas }}' }",
    right: "- id: say\n  case: { note: '{{ inputs.user | upcase }}' }",
  },
  tag_unknown: {
    severity: 'error',
    title: 'There is no such tag',
    why: "Templates have Liquid's tags, without those that read files.",
    wrong: '- id: say\n  case: { note: "{% iff inputs.user %}known{% endif %}" }',
    right: '- id: say\n  case: { note: "{% if inputs.user %}known{% endif %}" }',
  },
  condition_invalid: {
    severity: 'error',
    title: 'The condition is not one operator',
    why: 'A condition is `true`, `false`, or an object with one operator of json-logic and its arguments.',
    wrong: "- id: say\n  if: { '!=': [{ var: inputs.user }, ada], '!==': [{ var: inputs.user }, bob] }\n  case: { note: Neither of the two }",
    right:
      "- id: say\n  if: { and: [{ '!=': [{ var: inputs.user }, ada] }, { '!=': [{ var: inputs.user }, bob] }] }\n  case: { note: Neither of the two }",
  },
  condition_template: {
    severity: 'error',
    title: 'A template stands in a condition',
    why: 'Conditions read values with `{ var: path }`, which keeps their types; text from an alert could otherwise become part of the rule.',
    wrong: "- id: say\n  if: { '==': ['{{ inputs.user }}', ada] }\n  case: { note: It is Ada }",
    right: "- id: say\n  if: { '==': [{ var: [inputs.user, ''] }, ada] }\n  case: { note: It is Ada }",
  },
  condition_path_invalid: {
    severity: 'error',
    title: '`var` is given something other than a path',
    why: 'A path is written out, part by part, so that it can be checked before anything runs.',
    wrong: "- id: say\n  if: { '==': [{ var: 'inputs..user' }, ada] }\n  case: { note: It is Ada }",
    right: "- id: say\n  if: { '==': [{ var: [inputs.user, ''] }, ada] }\n  case: { note: It is Ada }",
  },
  operator_unknown: {
    severity: 'error',
    title: 'There is no such operator',
    why: "The operators are json-logic's, without `log`, and those that Tocsin adds.",
    wrong: "- id: say\n  if: { start_with: [{ var: [inputs.user, ''] }, adm] }\n  case: { note: An administrator }",
    right: "- id: say\n  if: { starts_with: [{ var: [inputs.user, ''] }, adm] }\n  case: { note: An administrator }",
  },
  operator_arguments: {
    severity: 'error',
    title: 'An operator has too few arguments, or too many',
    why: 'json-logic would take a missing argument for null, and leave out one too many.',
    wrong: "- id: say\n  if: { '==': [{ var: [inputs.user, ''] }] }\n  case: { note: It is Ada }",
    right: "- id: say\n  if: { '==': [{ var: [inputs.user, ''] }, ada] }\n  case: { note: It is Ada }",
  },
  pattern_invalid: {
    severity: 'error',
    title: 'The pattern does not parse, or is too large',
    why: 'Patterns are RE2: no back references and no look-around, at most 1,000 characters and about 1,000 instructions, what is repeated counted each time. So none can hang a worker.',
    wrong: "inputs: { user: { type: string, from: [{ pattern: 'user=(' }] } }",
    right: "inputs: { user: { type: string, from: [{ pattern: 'user=(\\S+)' }] } }",
  },
} as const satisfies Record<ExpressionFaultCode, FindingEntry>
