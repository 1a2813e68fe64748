import { keysOf } from '../../../compile/index.ts'
import type { StepNode } from '../../document/index.ts'
import { defineRule, type Report } from '../../rule.ts'
import { scriptSteps } from './script-steps.ts'

/** Compares the arguments that a script destructures with those that `with` passes. */
export const scriptArguments = defineRule({
  codes: {
    script_argument_missing: {
      severity: 'error',
      title: 'A script expects an argument that `with` does not pass',
      why: 'The argument is `undefined` in every run, so the script fails or returns a wrong result.',
      wrong: '- id: risk\n  script: |\n    export default ({ n, more }) => ({ score: n + more })\n  with: { n: 1 }',
      right: '- id: risk\n  script: |\n    export default ({ n, more = 0 }) => ({ score: n + more })\n  with: { n: 1 }',
    },
    script_argument_unused: {
      severity: 'warning',
      title: '`with` passes an argument that the script does not take',
      why: 'Either the script should use it, or its name there is different.',
      wrong: '- id: risk\n  script: |\n    export default ({ n }) => ({ score: n })\n  with: { n: 1, users: 2 }',
      right: '- id: risk\n  script: |\n    export default ({ n, users }) => ({ score: n * users })\n  with: { n: 1, users: 2 }',
    },
  },
  check(subject, report) {
    for (const step of scriptSteps(subject)) checkArguments(step, step.script, report)
  },
})

// Repetitions in these patterns have bounds. Without them, matching could take quadratic time.
const parameters = /export\s{1,20}default\s{1,20}(?:async\s{1,20})?(?:function\b\s{0,20}\w{0,100}\s{0,20})?\(\s{0,100}\{([^{}[\]]{0,10000})\}/
const parameter = /(?<![\w$])(\.\.\.)?([A-Za-z_$][\w$]{0,100})\s{0,100}(?::\s{0,100}[\w$]{1,100})?\s{0,100}(=[^,]*)?(?:,|$)/g
/** How many argument names of one script are reported. */
const mostTold = 50

/** Reports arguments that `with` does not pass, and arguments that the function does not take. Only for functions that destructure them. */
function checkArguments({ path, value }: StepNode, script: string, report: Report<'script_argument_missing' | 'script_argument_unused'>): void {
  const match = parameters.exec(script)
  const list = match?.[1]
  if (match === null || list === undefined) return
  const given = new Set(keysOf(value['with']))
  const start = match.index + match[0].length - 1 - list.length
  const taken = [...list.matchAll(parameter)].map(({ 0: whole, 1: rest, 2: name = '', 3: standard, index }) => ({
    name,
    at: start + index + whole.indexOf(name),
    rest: rest !== undefined,
    optional: standard !== undefined,
  }))
  if (taken.length === 0) return
  const missing = taken.filter(({ name, rest, optional }) => !rest && !optional && !given.has(name))
  for (const { name, at } of missing.slice(0, mostTold))
    report.inside('script_argument_missing', [...path, 'script'], at, `\`with\` does not pass \`${name}\`, so it is undefined here`)
  if (taken.some(({ rest }) => rest)) return
  const names = new Set(taken.map(({ name }) => name))
  for (const name of [...given].filter((each) => !names.has(each)).slice(0, mostTold)) {
    report.at('script_argument_unused', [...path, 'with', name], `the script does not take \`${name}\``, { part: 'key' })
  }
}
