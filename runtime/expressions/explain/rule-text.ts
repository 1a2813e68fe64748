import type { Json } from '../../domain/index.ts'
import { isLoop, operatorNamed } from '../operators/index.ts'

/** The highest precedence of all. */
const tightest = 9

/** Deeper parts are shown as `…`. */
const deepest = 40

/** Returns the operator of a rule with its arguments; null: the rule is a plain value. */
export function operatorOf(rule: Json): { readonly name: string; readonly values: readonly Json[] } | null {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) return null
  const [name, given = null] = Object.entries(rule as Readonly<Record<string, Json>>)[0] ?? []
  return name === undefined ? null : { name, values: Array.isArray(given) ? (given as readonly Json[]) : [given] }
}

/**
 * Returns the text of a rule for people: `inputs.denied >= 5 and inputs.approved >= 1`, `some(vars.mailboxes: vip == true)`.
 * @param most the most characters; the rest is cut
 */
export function ruleText(rule: Json, most: number): string {
  const written = new Writer(most)
  written.rule(rule, 0, 0)
  return written.text
}

class Writer {
  readonly #most: number
  #text = ''

  constructor(most: number) {
    this.#most = most
  }

  get text(): string {
    return this.#text.length > this.#most ? `${this.#text.slice(0, this.#most - 1)}…` : this.#text
  }

  #add(text: string): void {
    if (this.#text.length <= this.#most) this.#text += text
  }

  /** @param outside the precedence of the surrounding operator */
  rule(rule: Json, outside: number, depth: number): void {
    // The rest would be cut anyway.
    if (this.#text.length > this.#most) return
    const operator = operatorOf(rule)
    if (!operator) return this.#value(rule, depth)
    if (depth > deepest) return this.#add('…')
    const { name, values } = operator
    const between = operatorNamed(name)?.infix
    if (name === 'var') return this.#path(values, depth)
    if (name === '!' || name === '!!') {
      this.#add(name === '!' ? 'not ' : '')
      return this.rule(values[0] ?? null, tightest, depth + 1)
    }
    if (!between || values.length < 2) return this.#call(name, values, depth)
    const { written, binding } = between
    if (binding < outside) this.#add('(')
    for (const [index, value] of values.entries()) {
      if (index > 0) this.#add(` ${written} `)
      this.rule(value, binding + 1, depth + 1)
    }
    if (binding < outside) this.#add(')')
  }

  #path([key = '', ...rest]: readonly Json[], depth: number): void {
    this.#add(key === '' ? 'item' : String(key))
    if (rest.length === 0) return
    this.#add(' (or ')
    this.rule(rest[0] ?? null, 0, depth + 1)
    this.#add(')')
  }

  #call(name: string, values: readonly Json[], depth: number): void {
    const loop = isLoop(name)
    this.#add(`${name}(`)
    for (const [index, value] of values.entries()) {
      if (index > 0) this.#add(loop && index === 1 ? ': ' : ', ')
      this.rule(value, 0, depth + 1)
    }
    this.#add(')')
  }

  #value(value: Json, depth: number): void {
    if (!Array.isArray(value)) return this.#add(JSON.stringify(value))
    this.#add('[')
    for (const [index, item] of (value as readonly Json[]).entries()) {
      if (this.#text.length > this.#most) return
      if (index > 0) this.#add(', ')
      this.rule(item, 0, depth + 1)
    }
    this.#add(']')
  }
}
