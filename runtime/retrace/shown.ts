import type { Json } from '../domain/index.ts'

/** A value as it is shown: whole if it is short, otherwise the beginning of its JSON. */
export type Shown = { readonly kind: 'whole'; readonly value: Json } | { readonly kind: 'cut'; readonly beginning: string }

/**
 * Returns the value, or its beginning if it is long. Null: there is no value.
 * @param most how many characters of JSON may be shown
 */
export function shownOf(value: Json, most: number): Shown
export function shownOf(value: Json | undefined, most: number): Shown | null
export function shownOf(value: Json | undefined, most: number): Shown | null {
  if (value === undefined) return null
  const beginning = beginningOf(value, most)
  return beginning === null ? { kind: 'whole', value } : { kind: 'cut', beginning }
}

/**
 * Returns the first `most` characters of a value's JSON. Null: the JSON is not longer. The cost depends on
 * `most`, not on the size of the value.
 */
function beginningOf(value: Json, most: number): string | null {
  const beginning = new Beginning(most)
  return beginning.write(value) ? null : beginning.text
}

class Beginning {
  readonly #parts: string[] = []
  readonly #most: number
  #left: number

  constructor(most: number) {
    this.#most = most
    this.#left = most
  }

  get text(): string {
    return this.#parts.join('').slice(0, this.#most)
  }

  /** Returns false as soon as the text is full. */
  write(value: Json): boolean {
    if (typeof value === 'string') return this.#add(JSON.stringify(value.length > this.#left ? value.slice(0, this.#left + 1) : value))
    if (typeof value !== 'object' || value === null) return this.#add(JSON.stringify(value))
    return Array.isArray(value) ? this.#list(value as readonly Json[]) : this.#object(value as Readonly<Record<string, Json>>)
  }

  #add(text: string): boolean {
    this.#parts.push(text)
    this.#left -= text.length
    return this.#left >= 0
  }

  #list(items: readonly Json[]): boolean {
    if (!this.#add('[')) return false
    for (const [index, item] of items.entries()) if (!(index === 0 || this.#add(',')) || !this.write(item)) return false
    return this.#add(']')
  }

  #object(value: Readonly<Record<string, Json>>): boolean {
    if (!this.#add('{')) return false
    let first = true
    // Object.entries would copy all fields first.
    for (const key in value) {
      if (!Object.hasOwn(value, key)) continue
      if (!this.#add(`${first ? '' : ','}${JSON.stringify(key)}:`) || !this.write(value[key] as Json)) return false
      first = false
    }
    return this.#add('}')
  }
}
