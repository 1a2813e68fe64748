import type { Json } from '../../domain/index.ts'
import type { ErrorPlace } from '../../errors/index.ts'
import {
  type Condition,
  compileCondition,
  compileValue,
  ExpressionError,
  type Filters,
  type Located,
  placesOf,
  type ValueTemplate,
} from '../../expressions/index.ts'
import { type DocumentPath, type Fault, placeAt, type YamlDocument } from '../../yaml/index.ts'
import type { PlanSlot } from '../plan.ts'
import type { SkillLookup } from './lookup.ts'
import { checkRead, type Names, type Scope } from './scope.ts'

/** One compilation: what is known of the document, and every place that is wrong. */
export class Compilation {
  readonly document: YamlDocument
  readonly lookup: SkillLookup
  readonly names: Names
  /** Declared and implied, by name. */
  readonly slots: Map<string, PlanSlot>
  readonly places: ErrorPlace[] = []
  readonly #filters: Filters
  readonly #faults: readonly Fault[]

  /** @param faults what of the document does not fit the schema; what holds one is not looked at again */
  constructor(document: YamlDocument, lookup: SkillLookup, names: Names, slots: Map<string, PlanSlot>, faults: readonly Fault[]) {
    this.document = document
    this.lookup = lookup
    this.names = names
    this.slots = slots
    this.#filters = lookup.filters()
    this.#faults = faults
  }

  fault(path: DocumentPath, message: string, part: 'value' | 'key' = 'value'): void {
    this.places.push(placeAt(this.document.locate, path, message, part))
  }

  /** Whether what stands at a path fits the schema, apart from what lies in these lists of steps within it. */
  fits(path: DocumentPath, lists: readonly string[] = []): boolean {
    return !this.#faults.some(({ path: at }) => {
      const within = path.every((part, index) => String(part) === at[index])
      const next = at[path.length]
      return within && !(next !== undefined && lists.includes(next) && at.length > path.length + 1)
    })
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
        const message = checkRead(site.path, scope, this.names)
        const at = [...path, ...site.at]
        if (message !== null) this.places.push({ field: at.join('.'), message, ...this.document.locateInside(at, site.offset) })
      }
      return compiled
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      this.places.push(...placesOf(error, this.document, path))
      return null
    }
  }
}
