import { isObject } from '../../domain/index.ts'
import { isTocsinError } from '../../errors/index.ts'
import * as typing from '../../expressions/typing/index.ts'
import { parseYaml, type YamlDocument } from '../../yaml/index.ts'
import { type CompilerCode, Enough, examinePlaybook } from '../compile/index.ts'
import { type Finding, inOrder } from '../findings/index.ts'
import { mostFindings, playbookLimits } from '../limits.ts'
import type { Plan } from '../plan.ts'
import { type FindingCode, finding } from '../registry/index.ts'
import { flowOf } from './flow/index.ts'
import type { Report, Subject } from './rule.ts'
import { rules } from './rules/index.ts'
import { mayBeSpared } from './typing/index.ts'
import { quoteTemplate } from './unquoted.ts'
import type { LintWorld } from './world.ts'

/** A playbook's plan and its findings. */
export interface Linted {
  /** Null if it does not compile. */
  readonly plan: Plan | null
  /** In the order of the file. */
  readonly findings: readonly Finding<FindingCode>[]
}

/** Returns all findings in a playbook: those of the compiler and those of the rules. */
export function lintPlaybook(text: string, file: string, world: LintWorld): readonly Finding<FindingCode>[] {
  return examineAll(text, file, world).findings
}

/** Like `lintPlaybook`, but returns the plan too. */
export function examineAll(text: string, file: string, world: LintWorld): Linted {
  let document: YamlDocument
  try {
    document = parseYaml(text, file, playbookLimits)
  } catch (error) {
    return { plan: null, findings: unreadable(error, text, file) }
  }
  return typing.forPlaybook(() => examineDocument(document, world))
}

/** Only compiles. Returns the plan even if loops have no bound; null if there are other errors. */
export function sketchOf(
  text: string,
  file: string,
  world: LintWorld,
): { readonly sketch: Plan | null; readonly findings: readonly Finding<FindingCode>[] } {
  try {
    const document = parseYaml(text, file, playbookLimits)
    return typing.forPlaybook(() => examinePlaybook(document, world))
  } catch (error) {
    return { sketch: null, findings: unreadable(error, text, file) }
  }
}

function examineDocument(document: YamlDocument, world: LintWorld): Linted {
  const { plan, findings: faults } = examinePlaybook(document, world)
  const root = isObject(document.value) ? document.value : {}
  // There are already as many findings as lint reports.
  if (faults.length >= mostFindings) return { plan, findings: faults }
  const found = findingsOfRules({ document, root, world, flow: flowOf(root, (step) => mayBeSpared(step, world)), plan }, new Following(faults))
  return { plan, findings: inOrder([...faults, ...found]).slice(0, mostFindings) }
}

function findingsOfRules(subject: Subject, following: Following): readonly Finding<FindingCode>[] {
  const found: Finding<FindingCode>[] = []
  const places = new Set<string>()
  for (const rule of rules) {
    const own: Finding<FindingCode>[] = []
    try {
      rule.check(subject, reporting(subject.document, own))
    } catch (error) {
      if (!(error instanceof Enough)) throw error
    }
    // If two rules report the same place, the earlier rule names the mistake, and the later one a consequence.
    found.push(...own.filter((one) => !places.has(placeOf(one)) && !following.has(one)))
    for (const one of own) places.add(placeOf(one))
  }
  return found
}

/** Returns why a text cannot be read at all. @throws any other error */
function unreadable(error: unknown, text: string, file: string): readonly Finding<FindingCode>[] {
  if (!isTocsinError(error) || (error.code !== 'yaml_invalid' && error.code !== 'yaml_too_large')) throw error
  const code = error.code === 'yaml_invalid' ? error.code : 'playbook_too_large'
  return error.places.map(({ field, message, line = 1, column = 1 }) => {
    const fix = code === 'yaml_invalid' ? quoteTemplate(text, line, column) : undefined
    return finding(code, { field, message, file, line, column, ...(fix && { fix }) })
  })
}

/**
 * Returns a report that appends findings to `found`.
 * @throws Enough through the rule that reports, once there are as many findings as lint reports
 */
function reporting(document: YamlDocument, found: Finding<FindingCode>[]): Report<FindingCode> {
  const add = (one: Finding<FindingCode>): void => {
    found.push(one)
    if (found.length >= mostFindings) throw new Enough()
  }
  return {
    at: (code, path, message, { part = 'value', fix } = {}) => {
      add(finding(code, { field: path.join('.'), message, ...document.locate(path, part), ...(fix && { fix }) }))
    },
    inside: (code, path, offset, message, fix) => {
      add(finding(code, { field: path.join('.'), message, ...document.locateInside(path, offset), ...(fix && { fix }) }))
    },
    offset: (code, offset, path, message, fix) => {
      add(finding(code, { field: path.join('.'), message, ...document.at(offset), ...(fix && { fix }) }))
    },
  }
}

/** Codes that say that the whole value is wrong. */
const wholly: ReadonlySet<CompilerCode> = new Set(['key_unknown', 'value_invalid', 'step_kind_unknown'])

/** Tells which findings of rules only follow from a mistake that the compiler reported at the same place. */
class Following {
  readonly #places: ReadonlySet<string>
  readonly #fields: ReadonlySet<string>

  constructor(faults: readonly Finding<CompilerCode>[]) {
    this.#places = new Set(faults.map(placeOf))
    this.#fields = new Set(faults.flatMap(({ code, field }) => (wholly.has(code) && field !== '' ? [field] : [])))
  }

  has(own: Finding): boolean {
    if (this.#places.has(placeOf(own))) return true
    if (this.#fields.size === 0) return false
    const parts = own.field.split('.')
    return parts.some((_, index) => this.#fields.has(parts.slice(0, index + 1).join('.')))
  }
}

function placeOf({ line, column }: Finding): string {
  return `${line}:${column}`
}
