import type { ExpressionFaultCode } from '../../../expressions/index.ts'
import type { FindingEntry } from '../../findings/index.ts'

/** Codes about templates, conditions and patterns that do not parse. */
export const expressions = {
  template_invalid: {
    severity: 'error',
    title: 'The template does not parse',
    why: '`{{ … }}` holds one Liquid value, and filters after it.',
    wrong: "- id: say\n  case: { note: '{{ inputs.user' }",
    right: "- id: say\n  case: { note: '{{ inputs.user }}' }",
  },
  filter_unknown: {
    severity: 'error',
    title: 'Unknown filter',
    why: 'The filters are those of Liquid, `max_by`, and the quoting filters of the plugins.',
    wrong: "- id: say\n  case: { note: '{{ inputs.user | upcas }}' }",
    right: "- id: say\n  case: { note: '{{ inputs.user | upcase }}' }",
  },
  tag_unknown: {
    severity: 'error',
    title: 'Unknown tag',
    why: 'The tags are those of Liquid, except the ones that read files.',
    wrong: '- id: say\n  case: { note: "{% iff inputs.user %}known{% endif %}" }',
    right: '- id: say\n  case: { note: "{% if inputs.user %}known{% endif %}" }',
  },
  condition_invalid: {
    severity: 'error',
    title: 'A condition must have exactly one operator',
    why: 'A condition is `true`, `false`, or an object with one JSON Logic operator and its arguments.',
    wrong: "- id: say\n  if: { '!=': [{ var: inputs.user }, ada], '!==': [{ var: inputs.user }, bob] }\n  case: { note: Neither of the two }",
    right:
      "- id: say\n  if: { and: [{ '!=': [{ var: inputs.user }, ada] }, { '!=': [{ var: inputs.user }, bob] }] }\n  case: { note: Neither of the two }",
  },
  condition_template: {
    severity: 'error',
    title: 'A condition contains a template',
    why: 'Conditions read values with `{ var: path }`, which keeps their types. With a template, text from an alert could become part of the rule.',
    wrong: "- id: say\n  if: { '==': ['{{ inputs.user }}', ada] }\n  case: { note: It is Ada }",
    right: "- id: say\n  if: { '==': [{ var: [inputs.user, ''] }, ada] }\n  case: { note: It is Ada }",
  },
  condition_path_invalid: {
    severity: 'error',
    title: '`var` needs a path',
    why: 'The path is written out, part by part, so that it can be checked before a run.',
    wrong: "- id: say\n  if: { '==': [{ var: 'inputs..user' }, ada] }\n  case: { note: It is Ada }",
    right: "- id: say\n  if: { '==': [{ var: [inputs.user, ''] }, ada] }\n  case: { note: It is Ada }",
  },
  operator_unknown: {
    severity: 'error',
    title: 'Unknown operator',
    why: 'The operators are those of JSON Logic, except `log`, and those that Tocsin adds.',
    wrong: "- id: say\n  if: { start_with: [{ var: [inputs.user, ''] }, adm] }\n  case: { note: An administrator }",
    right: "- id: say\n  if: { starts_with: [{ var: [inputs.user, ''] }, adm] }\n  case: { note: An administrator }",
  },
  operator_arguments: {
    severity: 'error',
    title: 'An operator has too few or too many arguments',
    why: 'JSON Logic would treat a missing argument as null, and ignore an extra one.',
    wrong: "- id: say\n  if: { '==': [{ var: [inputs.user, ''] }] }\n  case: { note: It is Ada }",
    right: "- id: say\n  if: { '==': [{ var: [inputs.user, ''] }, ada] }\n  case: { note: It is Ada }",
  },
  pattern_invalid: {
    severity: 'error',
    title: 'The pattern does not parse, or is too large',
    why: 'Patterns are RE2, so none can hang a worker: no back references, no look-around, at most 1,000 characters and about 1,000 instructions. A repeated part counts once for each repetition.',
    wrong: "inputs: { user: { type: string, from: [{ pattern: 'user=(' }] } }",
    right: "inputs: { user: { type: string, from: [{ pattern: 'user=(\\S+)' }] } }",
  },
} as const satisfies Record<ExpressionFaultCode, FindingEntry>
