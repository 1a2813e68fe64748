import { noBits, positionsOf, setBit } from '../bits.ts'
import { gramsOf } from './grams.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII too
const ascii = /^[\u0001-\u007f]*$/
/** How many positions are added between two pauses. */
const addedAtOnce = 16_384

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/**
 * Collects which cases have which grams. Most words are ASCII. Their grams are numbers here, together with the position, because making a
 * text for each takes several times as long.
 */
export class GramLists {
  /** By the first eight bits of a gram. The other twenty, and the twelve of a position, are one number. */
  readonly #numbers: number[][] = []
  readonly #others = new Map<string, number[]>()

  add(word: string, positions: readonly number[]): void {
    if (ascii.test(word)) return this.#addNumbers(word, positions)
    for (const gram of gramsOf(word)) {
      const list = this.#others.get(gram)
      if (list) for (const position of positions) list.push(position)
      else this.#others.set(gram, positions.slice())
    }
  }

  /** The same grams as `gramsOf` makes. */
  #addNumbers(word: string, positions: readonly number[]): void {
    const end = word.length
    for (let from = 0; from < end; from += 1) {
      const first = word.charCodeAt(from)
      const second = from + 1 < end ? word.charCodeAt(from + 1) : 0
      const third = from + 2 < end ? word.charCodeAt(from + 2) : 0
      const fourth = from + 3 < end && (isDigit(first) || isDigit(second) || isDigit(third)) ? word.charCodeAt(from + 3) : 0
      const part = (first << 1) | (second >> 6)
      const rest = ((second & 63) << 26) | (third << 19) | (fourth << 12)
      this.#numbers[part] ??= []
      const list = this.#numbers[part]
      for (const position of positions) list.push((rest | position) >>> 0)
    }
  }

  /** Returns the positions of each gram, ascending. Yields every few milliseconds. */
  *lists(): Generator<void, Map<string, readonly number[]>> {
    const lists = new Map<string, readonly number[]>()
    for (const [part, numbers] of this.#numbers.entries()) {
      if (!numbers) continue
      const ordered = Uint32Array.from(numbers).sort()
      let [gram, last, positions] = [-1, -1, [] as number[]]
      for (let at = 0; at < ordered.length; at += 1) {
        const number = ordered[at]!
        if (number === last) continue
        last = number
        const own = number >>> 12
        if (own === gram) positions.push(number & 4_095)
        else {
          positions = [number & 4_095]
          gram = own
          lists.set(textOf(part, gram), positions)
        }
        if (at % addedAtOnce === addedAtOnce - 1) yield
      }
      yield
    }
    for (const [gram, positions] of this.#others) lists.set(gram, ascending(positions))
    yield
    return lists
  }
}

function textOf(part: number, rest: number): string {
  const [first, second, third, fourth] = [part >> 1, ((part & 1) << 6) | (rest >> 14), (rest >> 7) & 127, rest & 127]
  if (fourth > 0) return String.fromCharCode(first, second, third, fourth)
  if (third > 0) return String.fromCharCode(first, second, third)
  return second > 0 ? String.fromCharCode(first, second) : String.fromCharCode(first)
}

/** Returns each position once, ascending. */
function ascending(positions: readonly number[]): readonly number[] {
  const bits = noBits()
  for (const position of positions) setBit(bits, position)
  return positionsOf(bits)
}
