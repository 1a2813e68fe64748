import { isObject } from '../../../../domain/index.ts'
import { withNested } from '../../document/index.ts'
import { defineRule } from '../../rule.ts'

const truths: Readonly<Record<string, boolean>> = { true: true, yes: true, on: true, false: false, no: false, off: false }

export const booleanAsText = defineRule({
  codes: {
    boolean_as_text: {
      severity: 'warning',
      title: 'Text is used instead of true or false',
      why: 'In a condition every text is true, even the text `false`. YAML 1.2 has only `true` and `false`: `yes`, `no`, `on`, `off` and everything in quotes are text.',
      wrong: '- id: facts\n  set: { contained: no }',
      right: '- id: facts\n  set: { contained: false }',
    },
  },
  check({ flow, document }, report) {
    for (const step of withNested(flow.steps)) {
      const set = step.kind === 'set' && isObject(step.value['set']) ? step.value['set'] : {}
      for (const [name, value] of Object.entries(set)) {
        if (typeof value !== 'string') continue
        const path = [...step.path, 'set', name]
        const truth = truths[value.toLowerCase()]
        const span = document.span(path)
        if (truth === undefined || span === null) continue
        const quoted = /^['"]/.test(document.text.slice(span.start, span.end))
        // An author who puts `no` or `on` in quotes means the word.
        if (quoted && !['true', 'false'].includes(value.toLowerCase())) continue
        const told = `this is the text \`${value}\`, and every text is true in a condition; write ${truth} without quotes`
        report.at('boolean_as_text', path, told)
      }
    }
  },
})
