import { isObject, type Json } from '../../../../domain/index.ts'
import { defineRule } from '../../rule.ts'

export const patternWithoutGroup = defineRule({
  codes: {
    pattern_without_group: {
      severity: 'warning',
      title: 'The value includes text that only locates it',
      why: 'The value is the group `value` of the pattern, or the first group. Without groups it is the whole match: `user=ada` instead of `ada`.',
      wrong: "inputs: { user: { type: string, from: [{ pattern: 'user=\\S+' }] } }",
      right: "inputs: { user: { type: string, from: [{ pattern: 'user=(?P<value>\\S+)' }] } }",
    },
  },
  check({ root }, report) {
    for (const [name, input] of Object.entries(isObject(root['inputs']) ? root['inputs'] : {})) {
      const from = isObject(input) ? input['from'] : undefined
      for (const [index, source] of (Array.isArray(from) ? (from as readonly Json[]) : []).entries()) {
        const pattern = isObject(source) ? source['pattern'] : undefined
        if (typeof pattern !== 'string' || /(?<!\\)\((?!\?(?:[a-zA-Z-]*\)|[a-zA-Z-]*:))/.test(pattern)) continue
        // The pattern starts with a word and `=` or `:`. That part only locates the value.
        if (!/^(?:\(\?[a-zA-Z]+\))?\^?[\w -]*\w(?:\\s\*)?[=:]/.test(pattern)) continue
        report.at(
          'pattern_without_group',
          ['inputs', name, 'from', index, 'pattern'],
          'the value is the whole match, including the text before it; put the value into a group: (?P<value>…)',
        )
      }
    }
  },
})
