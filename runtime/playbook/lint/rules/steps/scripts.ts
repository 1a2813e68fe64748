import { keysOf } from '../../../compile/index.ts'
import { type StepNode, withNested } from '../../document/index.ts'
import type { Report, Rule } from '../../rule.ts'

/** What a script expects and does not have. */
export const scripts: Rule = {
  codes: ['script_template', 'script_argument_missing', 'script_argument_unused', 'script_impure'],
  check({ flow }, report) {
    for (const step of withNested(flow.steps)) {
      const { script } = step.value
      if (step.kind !== 'script' || typeof script !== 'string') continue
      checkTemplate(step, script, report)
      checkArguments(step, script, report)
      checkImpure(step, script, report)
    }
  },
}

/** Scripts take values by `with`; what the alert says must not become program text, so templates are not rendered in them. */
function checkTemplate({ path }: StepNode, script: string, report: Report): void {
  const match = /\{\{-?\s{0,20}(?:inputs|steps|vars|alert|case|organization|run)\b[^{}]{0,500}\}\}/.exec(script)
  if (match === null) return
  const told = 'templates are not rendered in a script; hand the value over in `with`, and read it from the arguments'
  report.inside('script_template', [...path, 'script'], match.index, told)
}

// Repetitions in these patterns have bounds. Without them, matching could take quadratic time.
const parameters = /export\s{1,20}default\s{1,20}(?:async\s{1,20})?(?:function\b\s{0,20}\w{0,100}\s{0,20})?\(\s{0,100}\{([^{}[\]]{0,10000})\}/
const parameter = /(?<![\w$])(\.\.\.)?([A-Za-z_$][\w$]{0,100})\s{0,100}(?::\s{0,100}[\w$]{1,100})?\s{0,100}(=[^,]*)?(?:,|$)/g
/** How many argument names of one script are reported. */
const mostTold = 50

/** For a function that destructures its arguments: reports arguments that `with` does not give, and those that the function does not take. */
function checkArguments({ path, value }: StepNode, script: string, report: Report): void {
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
    report.inside('script_argument_missing', [...path, 'script'], at, `\`with\` has no \`${name}\`, so it is undefined here`)
  if (taken.some(({ rest }) => rest)) return
  const names = new Set(taken.map(({ name }) => name))
  for (const name of [...given].filter((each) => !names.has(each)).slice(0, mostTold)) {
    report.at('script_argument_unused', [...path, 'with', name], `the script does not take \`${name}\``, { part: 'key' })
  }
}

const impure =
  /(?<![\w$.'"`])(?:Date\.now\s*\(|new\s+Date\s*\(\s*\)|Math\.random\s*\(|crypto\.\w+|fetch\s*\(|require\s*\(|process\.\w+|set(?:Timeout|Interval)\s*\(|XMLHttpRequest\b)/

/** Blanks out comments, which may mention what the code does not do. A comment without an end goes to the end of the script. */
function withoutComments(script: string): string {
  return script.replace(/\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*/g, (comment) => ' '.repeat(comment.length))
}

function checkImpure({ path }: StepNode, script: string, report: Report): void {
  const code = withoutComments(script)
  const match = impure.exec(code)
  if (match === null) return
  const [what] = match
  const instead = /Date/.test(what) ? 'hand a time over in `with`, such as run.now' : 'a script has its arguments only; what needs more is a skill'
  report.inside('script_impure', [...path, 'script'], match.index, `\`${what.replace(/\s*\(.*$/, '')}\` is not there for a script; ${instead}`)
}
