import type { Json } from '../domain/index.ts'
import { messageOf } from '../errors/index.ts'
import type { Misspelling } from '../yaml/index.ts'
import type { ExpressionFault, ExpressionFaultCode } from './error.ts'
import { listGuard } from './logic.ts'
import { operatorMeant } from './operator-meant.ts'
import { operators } from './operators/index.ts'
import { compilePattern } from './pattern.ts'
import { isTemplate } from './template.ts'
import type { ReadSite } from './types.ts'

const many = Number.MAX_SAFE_INTEGER

/** json-logic's own, with how many arguments they take: those that do not evaluate their arguments first, and those that read. */
const special: Readonly<Record<string, readonly [number, number]>> = {
  var: [1, 2],
  missing: [1, many],
  missing_some: [2, 2],
  if: [2, many],
  '?:': [3, 3],
  and: [1, many],
  or: [1, many],
  filter: [2, 2],
  map: [2, 2],
  all: [2, 2],
  none: [2, 2],
  some: [2, 2],
  reduce: [3, 3],
  age: [1, 1],
}
const loops = new Set(['filter', 'map', 'all', 'none', 'some', 'reduce'])

/** Every operator that a condition may use. */
export const operatorNames: readonly string[] = [...Object.keys(operators), ...Object.keys(special)]

export interface CheckedRule {
  readonly faults: readonly ExpressionFault[]
  /** The paths from the roots, so not those relative to an item of a loop. */
  readonly sites: readonly ReadSite[]
  /** The rule as json-logic is to apply it. */
  readonly prepared: Json
}

type At = readonly (string | number)[]

/** Checks a rule and prepares it. */
export function checkRule(rule: Json): CheckedRule {
  const faults: ExpressionFault[] = []
  const sites: ReadSite[] = []
  const fault = (code: ExpressionFaultCode, path: At, message: string, misspelt?: Misspelling): Json => {
    faults.push({ code, path, offset: 0, message, ...(misspelt && { misspelt }) })
    return null
  }

  const prepare = (part: Json, path: At, inLoop: boolean): Json => {
    if (typeof part === 'string' && isTemplate(part))
      return fault('condition_template', path, 'a condition has no templates inside; use {"var": "…"}')
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return (part as readonly Json[]).map((item, index) => prepare(item, [...path, index], inLoop))
    const entries = Object.entries(part as Readonly<Record<string, Json>>)
    const [entry] = entries
    if (entry === undefined || entries.length > 1)
      return fault('condition_invalid', path, `one operator is expected here, not ${entries.length}; join several with \`and\``)
    return apply(entry[0], entry[1], [...path, entry[0]], inLoop)
  }

  const apply = (name: string, given: Json, path: At, inLoop: boolean): Json => {
    const takes = Object.hasOwn(operators, name) ? operators[name]?.takes : Object.hasOwn(special, name) ? special[name] : undefined
    if (takes === undefined) {
      const { told, misspelt } = operatorMeant(name, operatorNames)
      return fault('operator_unknown', path, `there is no operator \`${name}\`${told}`, misspelt)
    }
    const listed = Array.isArray(given)
    const values: readonly Json[] = listed ? (given as readonly Json[]) : [given]
    if (values.length < takes[0] || values.length > takes[1])
      return fault('operator_arguments', path, `\`${name}\` takes ${count(takes)}, not ${values.length}`)
    const pathOf = (index: number): At => (listed ? [...path, index] : path)
    if (name === 'var' || name === 'missing' || name === 'missing_some') return reading(name, values, pathOf, inLoop)
    if (name === 'age') sites.push({ path: ['run', 'now'], at: path, offset: 0 })
    if (name === 'matches') checkPattern(values[1], pathOf(1))
    const prepared = values.map((value, index) => prepare(value, pathOf(index), inLoop || (loops.has(name) && index === 1)))
    if (loops.has(name)) prepared[0] = { [listGuard]: [prepared[0] ?? null] }
    return { [name]: prepared }
  }

  const reading = (name: string, values: readonly Json[], pathOf: (index: number) => At, inLoop: boolean): Json => {
    const keys =
      name === 'var' ? values.slice(0, 1) : name === 'missing' ? (Array.isArray(values[0]) ? (values[0] as readonly Json[]) : values) : values[1]
    if (!Array.isArray(keys)) return fault('operator_arguments', pathOf(1), '`missing_some` takes a number and a list of paths')
    for (const key of keys as readonly Json[]) {
      const text = typeof key === 'number' && Number.isInteger(key) ? String(key) : key
      if (typeof text !== 'string' || isTemplate(text))
        return fault('condition_path_invalid', pathOf(0), `\`${name}\` takes a path that is written out, such as "steps.user.output"`)
      const path = text.split('.')
      if (path.includes('') && !(inLoop && text === '')) return fault('condition_path_invalid', pathOf(0), `"${text}" is not a path`)
      if (!inLoop) sites.push({ path, at: pathOf(0), offset: 0 })
    }
    const fallback = name === 'var' && values.length > 1 ? [prepare(values[1] ?? null, pathOf(1), inLoop)] : values.slice(1)
    return { [name]: [values[0] ?? null, ...fallback] }
  }

  const checkPattern = (pattern: Json | undefined, path: At): void => {
    if (typeof pattern !== 'string') return
    try {
      compilePattern(pattern)
    } catch (error) {
      fault('pattern_invalid', path, `the pattern does not parse: ${messageOf(error)}`)
    }
  }

  if (typeof rule !== 'boolean' && (typeof rule !== 'object' || rule === null || Array.isArray(rule))) {
    fault('condition_invalid', [], 'a condition is true, false or one operator, such as {"==": [{"var": "inputs.user"}, "ada"]}')
    return { faults, sites, prepared: false }
  }
  return { prepared: prepare(rule, [], false), faults, sites }
}

function count([least, most]: readonly [number, number]): string {
  const arguments_ = (amount: number): string => (amount === 1 ? '1 argument' : `${amount} arguments`)
  if (least === most) return arguments_(least)
  return most === many ? `at least ${arguments_(least)}` : `${least} or ${arguments_(most)}`
}
