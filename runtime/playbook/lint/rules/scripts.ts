import { keysOf } from '../../compile/names.ts'
import { type StepNode, withNested } from '../document/outline.ts'
import type { Report, Rule } from '../rule.ts'

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
  const match = /\{\{-?\s*(?:inputs|steps|vars|alert|case|organization|run)\b[^}]*\}\}/.exec(script)
  if (match === null) return
  const told = 'templates are not rendered in a script; hand the value over in `with`, and read it from the arguments'
  report.inside('script_template', [...path, 'script'], match.index, told)
}

const parameters = /export\s+default\s+(?:async\s+)?(?:function\s*\w*\s*)?\(\s*\{([^{}[\]]*)\}/

/** Of a function that takes its arguments apart by name: those that nobody gives, and those that it does not take. */
function checkArguments({ path, value }: StepNode, script: string, report: Report): void {
  const match = parameters.exec(script)
  const list = match?.[1]
  if (match === null || list === undefined) return
  const given = keysOf(value['with'])
  const start = match.index + match[0].length - 1 - list.length
  const taken = [...list.matchAll(/(\.\.\.)?\s*([A-Za-z_$][\w$]*)\s*(?::\s*[\w$]+)?\s*(=[^,]*)?(?:,|$)/g)].flatMap(
    ([whole, rest, name = '', standard], index, all) => {
      const at = start + all.slice(0, index).reduce((sum, [before]) => sum + before.length, 0) + whole.indexOf(name)
      return [{ name, at, rest: rest !== undefined, optional: standard !== undefined }]
    },
  )
  if (taken.reduce((sum, { name }) => sum + name.length, 0) === 0) return
  for (const { name, at, rest, optional } of taken) {
    if (rest || optional || given.includes(name)) continue
    report.inside('script_argument_missing', [...path, 'script'], at, `\`with\` has no \`${name}\`, so it is undefined here`)
  }
  if (taken.some(({ rest }) => rest)) return
  for (const name of given) {
    if (taken.some((own) => own.name === name)) continue
    report.at('script_argument_unused', [...path, 'with', name], `the script does not take \`${name}\``, { part: 'key' })
  }
}

const impure =
  /(?<![\w$.'"`])(?:Date\.now\s*\(|new\s+Date\s*\(\s*\)|Math\.random\s*\(|crypto\.\w+|fetch\s*\(|require\s*\(|process\.\w+|set(?:Timeout|Interval)\s*\(|XMLHttpRequest\b)/

/** Comments are left out: they may say what is not done. */
function checkImpure({ path }: StepNode, script: string, report: Report): void {
  const code = script.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (comment) => ' '.repeat(comment.length))
  const match = impure.exec(code)
  if (match === null) return
  const [what] = match
  const instead = /Date/.test(what) ? 'hand a time over in `with`, such as run.now' : 'a script has its arguments only; what needs more is a skill'
  report.inside('script_impure', [...path, 'script'], match.index, `\`${what.replace(/\s*\(.*$/, '')}\` is not there for a script; ${instead}`)
}
