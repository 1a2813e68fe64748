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

/** Thrown when there are as many findings as are reported. Ends the compilation or the rule. */
export class Enough extends Error {}

/** One compilation: what is known of the document, and the findings so far. */
export class Compilation {
  readonly document: YamlDocument
  readonly lookup: SkillLookup
  readonly names: Names
  /** The declared and implied slots, by name. */
  readonly slots: Map<string, PlanSlot>
  readonly findings: Finding<CompilerCode>[] = []
  /** The compiled skill steps and `approve` steps, by id. Covered steps are added to the approvals at the end. */
  readonly calls = new Map<string, { readonly step: SkillStep; readonly scope: Scope }>()
  readonly approvals = new Map<string, { readonly covered: SkillStep[]; readonly scope: Scope }>()
  /** The names of the playbooks that are being compiled, outermost first. Each runs the next one, and this one is last. */
  readonly within: readonly string[]
  /** How many scripts were bundled. Each takes milliseconds that block the process. */
  scripts = 0
  /** The plans of the sub-playbooks, by name. */
  readonly playbooks = new Map<string, Plan>()
  readonly #filters: Filters
  readonly #faults: readonly Fault[]

  /** @param faults the places where the document does not fit the schema; what contains one is not compiled */
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
   * Adds a finding.
   * @param misspelt the name that was certainly meant; the finding then has a fix
   * @throws Enough
   */
  fault(code: CompilerCode, path: DocumentPath, message: string, part: 'value' | 'key' = 'value', misspelt?: Misspelling): void {
    const fix = renaming(this.document, path, part, misspelt)
    this.#note(compilerFinding(code, { field: path.join('.'), message, ...this.document.locate(path, part), ...(fix && { fix }) }))
  }

  /** Adds a finding at a character of the string at a path. */
  faultInside(code: CompilerCode, path: DocumentPath, offset: number, message: string, misspelt?: Misspelling): void {
    const fix = renaming(this.document, path, 'value', misspelt) ?? renaming(this.document, path, 'key', misspelt)
    this.#note(compilerFinding(code, { field: path.join('.'), message, ...this.document.locateInside(path, offset), ...(fix && { fix }) }))
  }

  #note(found: Finding<CompilerCode>): void {
    this.findings.push(found)
    if (this.findings.length >= mostFindings) throw new Enough()
  }

  /** Whether the value at a path fits the schema. Ignores faults for which `except` returns true; it gets the rest of the path. */
  fits(path: DocumentPath, except: (rest: readonly string[]) => boolean = () => false): boolean {
    return !this.#faults.some(({ path: at }) => path.every((part, index) => String(part) === at[index]) && !except(at.slice(path.length)))
  }

  /** Compiles a value with templates. If it is wrong, adds findings and returns null as a template. */
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
        // Operators are keys.
        if (code === 'operator_unknown') this.fault(code, [...path, ...inside], message, 'key', this.#asKey([...path, ...inside], misspelt))
        else this.faultInside(code, [...path, ...inside], offset, message, misspelt)
      }
      return null
    }
  }
  /** Adds quotes to the meant key if YAML needs them and the misspelt key has none. */
  #asKey(path: DocumentPath, misspelt: Misspelling | undefined): Misspelling | undefined {
    const start = this.document.span(path, 'key')?.start
    if (misspelt === undefined || start === undefined || /^[\w=]/.test(misspelt.meant) || /['"]/.test(this.document.text[start] ?? ''))
      return misspelt
    return { ...misspelt, meant: `'${misspelt.meant}'` }
  }
}
