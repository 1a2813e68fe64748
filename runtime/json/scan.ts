import { type JsonLimits, JsonRefused, tooDeep, tooMany, tooManyNames } from './limits.ts'

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Returns whether the quote at a position is escaped, and so belongs to the string. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === backslash) before--
  return (at - before) % 2 === 0
}

/**
 * Returns the position of the first character from `from` on that is not JSON white space, or `to` if there
 * is none before it.
 */
export function skipSpace(text: string, from: number, to: number): number {
  let at = from
  for (; at < to; at++) {
    const character = text.charCodeAt(at)
    if (character !== 0x20 && character !== 0x0a && character !== 0x0d && character !== 0x09) break
  }
  return at
}

/** Why a scan has stopped. `closing`: at the bracket that closes the given level. */
export type Stop = 'limit' | 'closing' | 'long' | 'end'

/**
 * Scans a JSON text and notes where lists and objects begin and where their items end. It only recognises
 * strings; the parser of the pieces finds out whether the text is JSON. It checks the limits before anything
 * is parsed.
 */
export class Scan {
  readonly text: string
  readonly #limits: JsonLimits
  position = 0
  depth = 0
  /** How many fields were scanned so far, over all objects. */
  members = 0
  /**
   * Keyed by level: the positions of its opening bracket, and of the last comma between its items. -1: none yet.
   * Level 0 is the whole text.
   */
  readonly opens: number[] = [-1]
  readonly commas: number[] = [-1]
  /** The last long string, from its opening quote to the position after its closing quote. */
  long: { readonly from: number; readonly to: number } | null = null
  #values = 1
  /** Keyed by level. */
  readonly #names: number[] = [0]
  /** Position of the opening quote of a string whose end was not found yet. -1: none. */
  #string = -1

  constructor(text: string, limits: JsonLimits) {
    this.text = text
    this.#limits = limits
  }

  isObject(level: number): boolean {
    return this.text.charCodeAt(this.opens[level] ?? -1) === openObject
  }

  /**
   * Scans on.
   * @param until stops there, or at the next quote
   * @param level stops before the bracket that closes this level; 0: at none
   * @param longest stops after a string with more characters
   * @throws JsonRefused
   */
  advance(until: number, level: number, longest: number): Stop {
    const { text, opens, commas } = this
    const end = Math.min(until, text.length)
    let at = this.position
    for (; at < end; at++) {
      const character = text.charCodeAt(at)
      if (this.#string >= 0 || character === quote) {
        const from = this.#string < 0 ? at : this.#string
        let close = text.indexOf('"', this.#string < 0 ? at + 1 : at)
        while (close > 0 && close < end && isEscaped(text, close)) close = text.indexOf('"', close + 1)
        if (close < 0) throw new JsonRefused('syntax', 'ends within a string', text.length)
        if (isEscaped(text, close)) {
          this.#string = from
          this.position = close + 1
          return 'limit'
        }
        this.#string = -1
        if (close - from > longest) {
          this.long = { from, to: close + 1 }
          this.position = close + 1
          return 'long'
        }
        at = close
      } else if (character === comma) {
        if (this.depth === 0) throw new JsonRefused('syntax', 'is not one JSON value', at)
        this.#count(at)
        commas[this.depth] = at
      } else if (character === colon) {
        const names = (this.#names[this.depth] ?? 0) + 1
        if (names > this.#limits.names) throw tooManyNames(this.#limits, at)
        this.#names[this.depth] = names
        this.members++
      } else if (character === openList || character === openObject) {
        if (++this.depth > this.#limits.levels) throw tooDeep(this.#limits, at)
        this.#count(at)
        opens[this.depth] = at
        commas[this.depth] = -1
        this.#names[this.depth] = 0
      } else if (character === closeList || character === closeObject) {
        if (this.depth === 0 || this.isObject(this.depth) !== (character === closeObject))
          throw new JsonRefused('syntax', 'has a bracket that closes nothing', at)
        if (this.depth === level) {
          this.position = at
          return 'closing'
        }
        this.depth--
      }
    }
    this.position = at
    if (at < text.length) return 'limit'
    if (this.#string >= 0) throw new JsonRefused('syntax', 'ends within a string', at)
    return 'end'
  }

  /** Steps over the closing bracket at which the scan has stopped. */
  close(): void {
    this.depth--
    this.position++
  }

  #count(at: number): void {
    if (++this.#values > this.#limits.values) throw tooMany(this.#limits, at)
  }
}

/** Returns whether a long string is a field name: a colon follows it. */
export function isName(text: string, behind: number): boolean {
  return text.charCodeAt(skipSpace(text, behind, text.length)) === colon
}
