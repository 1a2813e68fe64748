import type { Type } from './type.ts'

/**
 * Fields of an object type that are each worked out on first use. For objects with thousands of fields, of which an expression reads
 * only a few.
 */
export class LazyFields extends Map<string, Type> {
  readonly #names: () => Iterable<string>
  readonly #typeOf: (name: string) => Type | undefined
  readonly #known = new Map<string, Type | undefined>()
  readonly #others: ReadonlyMap<string, Type>

  /**
   * @param names the names of all fields
   * @param typeOf returns undefined if there is no such field
   * @param others more fields. They replace those of the same name
   */
  constructor(names: () => Iterable<string>, typeOf: (name: string) => Type | undefined, others: ReadonlyMap<string, Type> = new Map()) {
    super()
    this.#names = names
    this.#typeOf = typeOf
    this.#others = others
  }

  /** Returns the same fields, with another type for one of them. */
  with(name: string, type: Type): LazyFields {
    return new LazyFields(this.#names, this.#typeOf, new Map(this.#others).set(name, type))
  }

  override get(name: string): Type | undefined {
    const other = this.#others.get(name)
    if (other !== undefined) return other
    if (this.#known.has(name)) return this.#known.get(name)
    const type = this.#typeOf(name)
    this.#known.set(name, type)
    return type
  }

  override has(name: string): boolean {
    return this.get(name) !== undefined
  }

  override get size(): number {
    return this.#all().length
  }

  override *keys(): MapIterator<string> {
    for (const [name] of this.entries()) yield name
  }

  override *values(): MapIterator<Type> {
    for (const [, type] of this.entries()) yield type
  }

  override *entries(): MapIterator<[string, Type]> {
    for (const name of this.#all()) {
      const type = this.get(name)
      if (type !== undefined) yield [name, type]
    }
  }

  override [Symbol.iterator](): MapIterator<[string, Type]> {
    return this.entries()
  }

  override forEach(visit: (type: Type, name: string, fields: Map<string, Type>) => void): void {
    for (const [name, type] of this.entries()) visit(type, name, this)
  }

  #all(): readonly string[] {
    return [...new Set([...this.#names(), ...this.#others.keys()])]
  }
}

/** Returns the same fields, with another type for one of them. */
export function withField(fields: ReadonlyMap<string, Type>, name: string, type: Type): ReadonlyMap<string, Type> {
  return fields instanceof LazyFields ? fields.with(name, type) : new Map(fields).set(name, type)
}
