import type { Json } from '../../domain/index.ts'
import { messageOf } from '../../errors/index.ts'
import type { Misspelling } from '../../yaml/index.ts'
import type { ExpressionFault, ExpressionFaultCode } from '../error.ts'
import { isLoop, many, operatorNamed, operatorNames } from '../operators/index.ts'
import { compilePattern } from '../pattern/index.ts'
import { isTemplate } from '../template/index.ts'
import type { ReadSite } from '../types.ts'
import { operatorMeant } from './operator-meant.ts'

export interface CheckedRule {
  readonly faults: readonly ExpressionFault[]
  /** The places where paths are read. Paths inside loops are relative to items, and are left out. */
  readonly sites: readonly ReadSite[]
}

type At = readonly (string | number)[]

/** The most values in a rule, with the items of constant lists. */
const mostParts = 20_000
/** How deep lists and objects of a rule may be nested. */
const mostLevels = 100

/** Finds all faults of a rule, and the paths that it reads. */
export function checkRule(rule: Json): CheckedRule {
  const check = new RuleCheck()
  if (typeof rule !== 'boolean' && (typeof rule !== 'object' || rule === null || Array.isArray(rule)))
    check.fault('condition_invalid', [], 'a condition is true, false or one operator, such as {"==": [{"var": "inputs.user"}, "ada"]}')
  else check.part(rule, [], false)
  return check
}

class RuleCheck implements CheckedRule {
  readonly faults: ExpressionFault[] = []
  readonly sites: ReadSite[] = []
  #parts = 0

  fault(code: ExpressionFaultCode, path: At, message: string, misspelt?: Misspelling): void {
    this.faults.push({ code, path, offset: 0, message, ...(misspelt && { misspelt }) })
  }

  /** @param inLoop whether `var` reads from the item of a loop here */
  part(part: Json, path: At, inLoop: boolean): void {
    this.#parts += 1
    if (this.#parts > mostParts) {
      // Reported once, not for each further value.
      if (this.#parts === mostParts + 1)
        this.fault('condition_invalid', path, `the condition has more than ${mostParts} values; compute it in a \`script\``)
      return
    }
    if (typeof part === 'string' && isTemplate(part))
      return this.fault('condition_template', path, 'a condition has no templates inside; use {"var": "…"}')
    if (typeof part !== 'object' || part === null) return
    if (path.length > mostLevels) return this.fault('condition_invalid', path, `the condition has more than ${mostLevels} levels`)
    if (Array.isArray(part)) return (part as readonly Json[]).forEach((item, index) => void this.part(item, [...path, index], inLoop))
    const entries = Object.entries(part as Readonly<Record<string, Json>>)
    const [entry] = entries
    if (entry === undefined || entries.length > 1)
      return this.fault('condition_invalid', path, `one operator is expected here, not ${entries.length}; join several with \`and\``)
    this.#operator(entry[0], entry[1], [...path, entry[0]], inLoop)
  }

  #operator(name: string, given: Json, path: At, inLoop: boolean): void {
    const operator = operatorNamed(name)
    if (operator === undefined) {
      const { told, misspelt } = operatorMeant(name, operatorNames)
      return this.fault('operator_unknown', path, `there is no operator \`${name}\`${told}`, misspelt)
    }
    const { takes } = operator
    const listed = Array.isArray(given)
    const values: readonly Json[] = listed ? (given as readonly Json[]) : [given]
    if (values.length < takes[0] || values.length > takes[1])
      return this.fault('operator_arguments', path, `\`${name}\` takes ${count(takes)}, not ${values.length}`)
    const pathOf = (index: number): At => (listed ? [...path, index] : path)
    if (name === 'var' || name === 'missing' || name === 'missing_some') return this.#reading(name, values, pathOf, inLoop)
    if (name === 'age') this.sites.push({ path: ['run', 'now'], at: path, offset: 0 })
    if (name === 'matches') this.#pattern(values[1], pathOf(1))
    for (const [index, value] of values.entries()) this.part(value, pathOf(index), inLoop || (isLoop(name) && index === 1))
  }

  #reading(name: string, values: readonly Json[], pathOf: (index: number) => At, inLoop: boolean): void {
    const keys =
      name === 'var' ? values.slice(0, 1) : name === 'missing' ? (Array.isArray(values[0]) ? (values[0] as readonly Json[]) : values) : values[1]
    if (!Array.isArray(keys)) return this.fault('operator_arguments', pathOf(1), '`missing_some` takes a number and a list of paths')
    for (const key of keys as readonly Json[]) {
      this.#parts += 1
      const text = typeof key === 'number' && Number.isInteger(key) ? String(key) : key
      if (typeof text !== 'string' || isTemplate(text))
        return this.fault('condition_path_invalid', pathOf(0), `\`${name}\` takes a constant path, such as "steps.user.output"`)
      const path = text.split('.')
      if (path.includes('') && !(inLoop && text === '')) return this.fault('condition_path_invalid', pathOf(0), `"${text}" is not a path`)
      if (!inLoop) this.sites.push({ path, at: pathOf(0), offset: 0 })
    }
    if (name === 'var' && values.length > 1) this.part(values[1] ?? null, pathOf(1), inLoop)
  }

  #pattern(pattern: Json | undefined, path: At): void {
    if (typeof pattern !== 'string') return
    try {
      compilePattern(pattern)
    } catch (error) {
      this.fault('pattern_invalid', path, `the pattern cannot be used: ${messageOf(error)}`)
    }
  }
}

function count([least, most]: readonly [number, number]): string {
  const arguments_ = (amount: number): string => (amount === 1 ? '1 argument' : `${amount} arguments`)
  if (least === most) return arguments_(least)
  return most === many ? `at least ${arguments_(least)}` : `${least} or ${arguments_(most)}`
}
