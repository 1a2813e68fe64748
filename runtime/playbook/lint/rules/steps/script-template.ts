import { defineRule } from '../../rule.ts'
import { scriptSteps } from './script-steps.ts'

/** Text from an alert must not become part of a program. So scripts get values in `with`, and templates in them are not rendered. */
export const scriptTemplate = defineRule({
  codes: {
    script_template: {
      severity: 'error',
      title: 'A script contains a template',
      why: 'Text from an alert must not become part of a program, so templates are not rendered in scripts. Pass values in `with`.',
      wrong: "- id: risk\n  script: |\n    export default () => ({ known: '{{ inputs.user }}' === 'ada' })",
      right: "- id: risk\n  script: |\n    export default ({ user }) => ({ known: user === 'ada' })\n  with: { user: '{{ inputs.user }}' }",
    },
  },
  check(subject, report) {
    for (const { path, script } of scriptSteps(subject)) {
      const match = /\{\{-?\s{0,20}(?:inputs|steps|vars|alert|case|organization|run)\b[^{}]{0,500}\}\}/.exec(script)
      if (match === null) continue
      const told = 'templates are not rendered in a script; pass the value in `with`, and read it from the arguments'
      report.inside('script_template', [...path, 'script'], match.index, told)
    }
  },
})
