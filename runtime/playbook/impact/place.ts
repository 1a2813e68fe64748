import { isObject } from '../../domain/index.ts'
import type { Filters, Path } from '../../expressions/index.ts'
import type { ForeachStep, Plan, PlaybookStep } from '../plan.ts'
import { type Declared, declaredIn } from './declared.ts'
import { below, type Dependence, keyOf, type Surroundings } from './expression-key.ts'
import { givenInput, isSure } from './given-input.ts'

/** Each run has one of these, and it never changes. */
const fixed: ReadonlySet<string> = new Set(['alert', 'organization', 'run'])

interface Parts {
  readonly filters: Filters
  readonly declared: Declared
  /** If the step is in a sub-playbook: the address of the step that calls it, and `/`. */
  readonly prefix: string
  /** The loops around that step. */
  readonly outer: ReadonlySet<string>
  readonly input: (name: string) => Dependence | null
  /** The prefix of its slot names. */
  readonly slots: string
  readonly loops: ReadonlySet<string>
  /** What the items of the surrounding loops depend on. Null: the list may change. */
  readonly items: ReadonlyMap<string, Dependence | null>
}

/** The place of a step: its loops, its sub-playbook, and what paths mean there. */
export class Place implements Surroundings {
  readonly #parts: Parts

  private constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Returns the place of the steps of a playbook that an alert starts. */
  static first({ inputs }: Pick<Plan, 'inputs'>, declared: Declared, filters: Filters): Place {
    const sure = new Set(inputs.filter(isSure).map(({ name }) => name))
    const input = (name: string): Dependence => ({ key: `inputs.${name}`, loops: new Set(), sure: sure.has(name) })
    return new Place({ filters, declared, prefix: '', slots: '', outer: new Set(), input, loops: new Set(), items: new Map() })
  }

  /** Returns the place of the steps of a loop. */
  inLoop({ id, items, as }: ForeachStep): Place {
    const address = this.address(id)
    const loops = new Set([...this.#parts.loops, address])
    const list = keyOf(items.source, this)
    // Two loops over the same list have the same items.
    const item = list && { key: `each of ${list.key}`, loops: new Set([...list.loops, address]) }
    return new Place({ ...this.#parts, loops, items: new Map([...this.#parts.items, [as, item]]) })
  }

  /** Returns the place of the steps of a sub-playbook. Its inputs are what the calling step gives it. */
  inPlaybook({ id, playbook, with: given }: PlaybookStep): Place {
    const values = isObject(given.source) ? given.source : {}
    const input = (name: string): Dependence | null => {
      const declared = playbook.inputs.find((one) => one.name === name)
      return declared ? givenInput(declared, Object.hasOwn(values, name) ? values[name] : undefined, this) : null
    }
    return new Place({
      ...this.#parts,
      declared: declaredIn(playbook),
      prefix: `${this.address(id)}/`,
      outer: this.#parts.loops,
      input,
      slots: `${playbook.name}/`,
      items: new Map(),
    })
  }

  get filters(): Filters {
    return this.#parts.filters
  }

  /** The addresses of the surrounding loops, including those around a call of the sub-playbook. */
  get loops(): ReadonlySet<string> {
    return this.#parts.loops
  }

  address(id: string): string {
    return `${this.#parts.prefix}${id}`
  }

  /** Returns the name of a slot as runs pin it. */
  connection(slot: string): string {
    return `${this.#parts.slots}${slot}`
  }

  read(path: Path, alone: boolean): Dependence | null {
    const [root = '', name, ...rest] = path
    const { items, prefix, outer, declared, input } = this.#parts
    if (items.has(root)) return below(items.get(root) ?? null, path.slice(1))
    if (fixed.has(root)) return { key: path.join('.'), loops: new Set() }
    if (name === undefined) return null
    switch (root) {
      case 'inputs':
        return below(input(name), rest)
      case 'steps': {
        const loops = (declared.loops.get(name) ?? []).map((id) => this.address(id))
        return { key: `${prefix}${path.join('.')}`, loops: new Set([...outer, ...loops]) }
      }
      case 'vars':
        // With a default, the expression has another value before the variable is set.
        return alone && declared.setOnce.has(name) ? { key: `${prefix}${path.join('.')}`, loops: outer } : null
      case 'connections':
        return { key: `${prefix}${path.join('.')}`, loops: new Set() }
      case 'case':
        return name === 'case_id' ? { key: 'case.case_id', loops: new Set() } : null
      default:
        return null
    }
  }
}
