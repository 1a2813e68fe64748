import type { Json } from '../domain/index.ts'
import type { Turns } from '../fairness/index.ts'

/** About how many characters are written at once. */
const usualSize = 32_768

/** How a value is written. */
export interface Writing {
  readonly turns: Turns
  readonly key: string
  /** Approximate characters of a piece. Absent: 32,768. */
  readonly size?: number
}

/** Estimates the length of a value's JSON in characters. Stops counting at `most`. */
function weightOf(value: Json | undefined, most: number): number {
  let weight = 0
  const ahead: (Json | undefined)[] = [value]
  while (ahead.length > 0 && weight < most) {
    const next = ahead.pop()
    if (typeof next === 'string') weight += next.length + 3
    else if (typeof next !== 'object' || next === null) weight += 8
    else if (Array.isArray(next)) {
      weight += 2 + next.length
      if (weight < most) for (const one of next) ahead.push(one)
    } else {
      weight += 2
      for (const name in next) {
        weight += name.length + 4
        if (weight >= most) break
        ahead.push((next as Readonly<Record<string, Json>>)[name])
      }
    }
  }
  return weight
}

/**
 * Writes a value as JSON, like `JSON.stringify`. A large value is written in pieces, with turns of the event
 * loop in between.
 * @param value without functions and `toJSON`; undefined fields are left out
 */
export function writeJson(value: Json, writing: Writing): string | Promise<string> {
  const size = writing.size ?? usualSize
  return weightOf(value, size) < size ? JSON.stringify(value) : new PieceWriter(writing, size).write(value)
}

/** Recognises an object that stands for a number whose digits `JSON.stringify` keeps. */
const isRawJson = (JSON as unknown as { isRawJSON(value: unknown): boolean }).isRawJSON

class PieceWriter {
  readonly #writing: Writing
  readonly #size: number
  readonly #parts: string[] = []

  constructor(writing: Writing, size: number) {
    this.#writing = writing
    this.#size = size
  }

  async write(value: Json): Promise<string> {
    await this.#value(value)
    return this.#parts.join('')
  }

  async #value(value: Json): Promise<void> {
    if (typeof value === 'string') return this.#string(value)
    if (Array.isArray(value)) return this.#list(value)
    if (typeof value === 'object' && value !== null && !isRawJson(value)) return this.#object(value as Readonly<Record<string, Json>>)
    this.#parts.push(JSON.stringify(value))
  }

  async #turn(): Promise<void> {
    const turn = this.#writing.turns.next(this.#writing.key)
    if (turn) await turn
  }

  /** Writes a list. Small items are written together. */
  async #list(list: readonly Json[]): Promise<void> {
    let from = 0
    let weight = 0
    const small = (to: number): void => {
      if (to > from) this.#parts.push(from === 0 ? '' : ',', JSON.stringify(list.slice(from, to)).slice(1, -1))
      from = to
      weight = 0
    }
    this.#parts.push('[')
    for (let at = 0; at < list.length; at++) {
      const item = list[at] as Json
      const own = weightOf(item, this.#size)
      weight += own
      if (weight < this.#size) continue
      small(at)
      await this.#turn()
      weight = own
      if (own < this.#size) continue
      if (at > 0) this.#parts.push(',')
      await this.#value(item)
      from = at + 1
      weight = 0
    }
    small(list.length)
    this.#parts.push(']')
  }

  async #object(object: Readonly<Record<string, Json>>): Promise<void> {
    let written = 0
    let weight = 0
    this.#parts.push('{')
    for (const [name, item] of Object.entries(object)) {
      if (item === undefined) continue
      const own = weightOf(item, this.#size)
      this.#parts.push(written++ === 0 ? '' : ',', JSON.stringify(name), ':')
      if (own < this.#size) this.#parts.push(JSON.stringify(item))
      else await this.#value(item)
      weight += own + name.length
      if (weight < this.#size) continue
      weight = 0
      await this.#turn()
    }
    this.#parts.push('}')
  }

  async #string(text: string): Promise<void> {
    this.#parts.push('"')
    for (let at = 0; at < text.length; ) {
      let to = Math.min(at + this.#size, text.length)
      // Do not split a surrogate pair: its halves alone would be written as escapes.
      if (to < text.length && (text.charCodeAt(to) & 0xfc00) === 0xdc00) to += 1
      this.#parts.push(JSON.stringify(text.slice(at, to)).slice(1, -1))
      at = to
      await this.#turn()
    }
    this.#parts.push('"')
  }
}
