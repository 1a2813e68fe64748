import type { Json } from '../../domain/index.ts'
import {
  type Condition,
  compileCondition,
  compileValue,
  ExpressionError,
  type Filters,
  type Located,
  type ValueTemplate,
} from '../../expressions/index.ts'
import type { DocumentPath, Fault, Misspelling, YamlDocument } from '../../yaml/index.ts'
import type { Finding } from '../findings/index.ts'
import { mostFindings } from '../limits.ts'
import type { Plan, PlanSlot, SkillStep } from '../plan.ts'
import { type CompilerCode, compilerFinding } from './codes/index.ts'
import type { SkillLookup } from './lookup.ts'
import { checkRead, type Names, renaming, type Scope } from './names/index.ts'

/** Ends a compilation: as much is wrong as is told. */
export class Enough extends Error {}

/** One compilation: what is known of the document, and everything that is wrong. */
export class Compilation {
  readonly document: YamlDocument
  readonly lookup: SkillLookup
  readonly names: Names
  /** Declared and implied, by name. */
  readonly slots: Map<string, PlanSlot>
  readonly findings: Finding<CompilerCode>[] = []
  /** The skill steps and the `approve` steps, by id, as far as they were compiled; what an approval covers is filled in when all are known. */
  readonly calls = new Map<string, { readonly step: SkillStep; readonly scope: Scope }>()
  readonly approvals = new Map<string, { readonly covered: SkillStep[]; readonly scope: Scope }>()
  /** The playbooks that are being compiled, each running the next, from the outside; this one last. */
  readonly within: readonly string[]
  /** Scripts that were made runnable: each takes milliseconds in which the process does nothing else. */
  scripts = 0
  /** The sub-playbooks that were found, by name. */
  readonly playbooks = new Map<string, Plan>()
  readonly #filters: Filters
  readonly #faults: readonly Fault[]

  /** @param faults what of the document does not fit the schema; what holds one is not looked at again */
  constructor(
    document: YamlDocument,
    lookup: SkillLookup,
    names: Names,
    slots: Map<string, PlanSlot>,
    faults: readonly Fault[],
    within: readonly string[],
  ) {
    this.document = document
    this.lookup = lookup
    this.names = names
    this.slots = slots
    this.within = within
    this.#filters = lookup.filters()
    this.#faults = faults
  }

  /**
   * @param misspelt where a name was most certainly meant to be another: the finding then has a fix
   * @throws Enough
   */
  fault(code: CompilerCode, path: DocumentPath, message: string, part: 'value' | 'key' = 'value', misspelt?: Misspelling): void {
    const fix = renaming(this.document, path, part, misspelt)
    this.#note(compilerFinding(code, { field: path.join('.'), message, ...this.document.locate(path, part), ...(fix && { fix }) }))
  }

  /** The same for what stands at a character of the string at a path. */
  faultInside(code: CompilerCode, path: DocumentPath, offset: number, message: string, misspelt?: Misspelling): void {
    const fix = renaming(this.document, path, 'value', misspelt) ?? renaming(this.document, path, 'key', misspelt)
    this.#note(compilerFinding(code, { field: path.join('.'), message, ...this.document.locateInside(path, offset), ...(fix && { fix }) }))
  }

  #note(found: Finding<CompilerCode>): void {
    this.findings.push(found)
    if (this.findings.length >= mostFindings) throw new Enough()
  }

  /** Whether what stands at a path fits the schema, apart from what `except` holds of; it is given the path from there on. */
  fits(path: DocumentPath, except: (rest: readonly string[]) => boolean = () => false): boolean {
    return !this.#faults.some(({ path: at }) => path.every((part, index) => String(part) === at[index]) && !except(at.slice(path.length)))
  }

  /** Compiles a value with templates. Of one that is wrong the faults are noted, and something harmless is returned. */
  value(value: Json, path: DocumentPath, scope: Scope): ValueTemplate {
    return this.#compiled(path, scope, () => compileValue(value, this.#filters)) ?? compileValue(null)
  }

  condition(rule: Json, path: DocumentPath, scope: Scope): Condition {
    return this.#compiled(path, scope, () => compileCondition(rule)) ?? compileCondition(false)
  }

  #compiled<T extends Located>(path: DocumentPath, scope: Scope, compile: () => T): T | null {
    try {
      const compiled = compile()
      for (const site of compiled.sites) {
        const wrong = checkRead(site.path, scope, this.names)
        if (wrong !== null) this.faultInside(wrong.code, [...path, ...site.at], site.offset, wrong.message, wrong.misspelt)
      }
      return compiled
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      for (const { code, path: inside, offset, message, misspelt } of error.faults) {
        // An operator is a key.
        if (code === 'operator_unknown') this.fault(code, [...path, ...inside], message, 'key', this.#asKey([...path, ...inside], misspelt))
        else this.faultInside(code, [...path, ...inside], offset, message, misspelt)
      }
      return null
    }
  }
  /** Signs that have a meaning at the beginning of plain YAML need quotes, where the misspelt key has none. */
  #asKey(path: DocumentPath, misspelt: Misspelling | undefined): Misspelling | undefined {
    const start = this.document.span(path, 'key')?.start
    if (misspelt === undefined || start === undefined || /^[\w=]/.test(misspelt.meant) || /['"]/.test(this.document.text[start] ?? ''))
      return misspelt
    return { ...misspelt, meant: `'${misspelt.meant}'` }
  }
}
