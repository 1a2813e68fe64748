import { isTocsinError } from '../../errors/index.ts'
import { parseYaml, type YamlDocument } from '../../yaml/index.ts'
import { isObject } from '../compile/names.ts'
import { examinePlaybook, refusal } from '../compile.ts'
import { type Finding, type FindingCode, finding, inOrder } from '../findings/index.ts'
import { playbookLimits } from '../limits.ts'
import type { Plan } from '../plan.ts'
import { flowOf } from './flow/index.ts'
import type { Report } from './rule.ts'
import { rules } from './rules/index.ts'
import { quoteTemplate } from './unquoted.ts'
import type { LintWorld } from './world.ts'

/** What is known of a playbook without running it. */
export interface Linted {
  /** Null where it does not compile. */
  readonly plan: Plan | null
  /** In the order of the file. */
  readonly findings: readonly Finding[]
}

/** Everything that is wrong with a playbook, or likely to be: what keeps it from compiling, and what the rules find. */
export function lintPlaybook(text: string, file: string, world: LintWorld): readonly Finding[] {
  return examineAll(text, file, world).findings
}

/** The same with the plan, for who goes on with it. */
export function examineAll(text: string, file: string, world: LintWorld): Linted {
  let document: YamlDocument
  try {
    document = parseYaml(text, file, playbookLimits)
  } catch (error) {
    return { plan: null, findings: unreadable(error, text, file) }
  }
  const { plan, findings: faults } = examinePlaybook(document, world)
  const root = isObject(document.value) ? document.value : {}
  const found: Finding[] = []
  const subject = { document, root, world, flow: flowOf(root), plan }
  for (const rule of rules) {
    const own: Finding[] = []
    rule.check(subject, reporting(document, own))
    // What an earlier rule says of a place is the mistake; what a later one says of it follows from it.
    found.push(...own.filter((one) => !found.some((other) => isSamePlace(one, other))))
  }
  return { plan, findings: inOrder([...faults, ...found.filter((own) => !faults.some((fault) => follows(own, fault)))]) }
}

/** What keeps a text from being read at all. @throws what else there was */
function unreadable(error: unknown, text: string, file: string): readonly Finding[] {
  if (!isTocsinError(error) || (error.code !== 'yaml_invalid' && error.code !== 'yaml_too_large')) throw error
  const code = error.code === 'yaml_invalid' ? error.code : 'playbook_too_large'
  return error.places.map(({ field, message, line = 1, column = 1 }) => {
    const fix = code === 'yaml_invalid' ? quoteTemplate(text, line, column) : undefined
    return finding(code, { field, message, file, line, column, ...(fix && { fix }) })
  })
}

/**
 * A playbook's plan for who wants to use it: import, activation.
 * @throws TocsinError `playbook_invalid` with every finding of severity `error`
 */
export function usablePlaybook(text: string, file: string, world: LintWorld): Plan {
  const { plan, findings } = examineAll(text, file, world)
  const errors = findings.filter(({ severity }) => severity === 'error')
  if (plan === null || errors.length > 0) throw refusal(file, errors)
  return plan
}

function reporting(document: YamlDocument, found: Finding[]): Report {
  const { file } = document
  return {
    at: (code, path, message, { part = 'value', fix } = {}) => {
      found.push(finding(code, { field: path.join('.'), message, ...document.locate(path, part), ...(fix && { fix }) }))
    },
    inside: (code, path, offset, message, fix) => {
      found.push(finding(code, { field: path.join('.'), message, ...document.locateInside(path, offset), ...(fix && { fix }) }))
    },
    offset: (code, offset, path, message, fix) => {
      const before = document.text.slice(0, offset).split('\n')
      const line = before.length
      const column = (before.at(-1)?.length ?? 0) + 1
      found.push(finding(code, { field: path.join('.'), message, file, line, column, ...(fix && { fix }) }))
    },
  }
}

/** Where these are, the whole value is not what it should be. */
const wholly: ReadonlySet<FindingCode> = new Set(['key_unknown', 'value_invalid', 'step_kind_unknown'])

/** What the compiler says of a place is the mistake; what a rule says of the same place follows from it. */
function follows(own: Finding, fault: Finding): boolean {
  if (own.line === fault.line && own.column === fault.column) return true
  return wholly.has(fault.code) && fault.field !== '' && `${own.field}.`.startsWith(`${fault.field}.`)
}

function isSamePlace(a: Finding, b: Finding): boolean {
  return a.line === b.line && a.column === b.column
}
