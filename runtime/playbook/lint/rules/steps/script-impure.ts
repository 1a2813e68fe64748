import { defineRule } from '../../rule.ts'
import { scriptSteps } from './script-steps.ts'

const impure =
  /(?<![\w$.'"`])(?:Date\.now\s*\(|new\s+Date\s*\(\s*\)|Math\.random\s*\(|crypto\.\w+|fetch\s*\(|require\s*\(|process\.\w+|set(?:Timeout|Interval)\s*\(|XMLHttpRequest\b)/

export const scriptImpure = defineRule({
  codes: {
    script_impure: {
      severity: 'error',
      title: 'A script uses something that scripts do not have',
      why: 'A script is a pure function: no clock, no randomness, no network, no timers. So a resumed run computes the same result again.',
      wrong:
        '- id: age\n  script: |\n    export default ({ at }) => ({ hours: (Date.now() - at) / 3600000 })\n  with: { at: "{{ alert.created_at }}" }',
      right:
        '- id: age\n  script: |\n    export default ({ at, now }) => ({ hours: (now - at) / 3600000 })\n  with: { at: "{{ alert.created_at }}", now: "{{ run.now }}" }',
    },
  },
  check(subject, report) {
    for (const { path, script } of scriptSteps(subject)) {
      const match = impure.exec(withoutComments(script))
      if (match === null) continue
      const [what] = match
      const instead = /Date/.test(what) ? 'pass a time in `with`, such as run.now' : 'a script has only its arguments; write a skill if you need more'
      report.inside('script_impure', [...path, 'script'], match.index, `\`${what.replace(/\s*\(.*$/, '')}\` does not exist in a script; ${instead}`)
    }
  },
})

/** Blanks out comments, because they may mention what the code does not use. An unclosed comment goes to the end of the script. */
function withoutComments(script: string): string {
  return script.replace(/\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*/g, (comment) => ' '.repeat(comment.length))
}
