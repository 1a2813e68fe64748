import { type Bits, segmentSize, setBit } from './bits.ts'

/** Longer lists of positions are stored as bits, which then take less space. */
const mostListed = segmentSize / 16
const lineEnd = '\n'.charCodeAt(0)

/** A term and the positions of the alerts that have it, ascending. */
export interface Posting {
  readonly term: string
  readonly positions: readonly number[]
}

/**
 * Encodes lists of positions, and the terms that they belong to: the number of lists, the length of each, the lists, the terms. A list is
 * numbers of 16 bits, or `segmentSize` bits if it is long.
 */
export function encodePage(postings: readonly Posting[]): Uint8Array {
  const text = Buffer.from(postings.map(({ term }) => term).join('\n'))
  const lists = postings.reduce((sum, { positions }) => sum + unitsOf(positions.length), 0)
  const units = new Uint16Array(1 + postings.length + lists)
  units[0] = postings.length
  let at = 1 + postings.length
  for (const [index, { positions }] of postings.entries()) {
    units[1 + index] = positions.length
    if (positions.length <= mostListed) units.set(positions, at)
    else for (const position of positions) units[at + (position >> 4)]! |= 1 << (position & 15)
    at += unitsOf(positions.length)
  }
  return Buffer.concat([Buffer.from(units.buffer), text])
}

/** How many numbers of 16 bits a list takes. */
function unitsOf(length: number): number {
  return length <= mostListed ? length : segmentSize / 16
}

/** A page that was read. Finds terms in its bytes: with a text for each of 128 terms, the search for a rare one took 1.4 times as long. */
export class Page {
  readonly #count: number
  readonly #units: Uint16Array
  /** Where each list begins. */
  readonly #starts: Uint32Array
  /** The terms, with a line end before and after each. A character for each byte. */
  readonly #lines: string

  constructor(bytes: Uint8Array) {
    // Numbers of 16 bits need an even address.
    const { buffer, byteOffset, byteLength } = bytes.byteOffset % 2 === 0 ? bytes : bytes.slice()
    this.#units = new Uint16Array(buffer, byteOffset, byteLength >> 1)
    this.#count = this.#units[0]!
    this.#starts = new Uint32Array(this.#count)
    let at = 1 + this.#count
    for (let index = 0; index < this.#count; index += 1) {
      this.#starts[index] = at
      at += unitsOf(this.#units[1 + index]!)
    }
    this.#lines = `\n${Buffer.from(buffer, byteOffset + at * 2, byteLength - at * 2).toString('latin1')}\n`
  }

  /** Adds the positions of a term or, if it is not whole, of all terms that begin with it. */
  addTerms(bits: Bits, term: string, whole: boolean): void {
    const bytes = Buffer.from(term).toString('latin1')
    const lines = this.#lines
    let at = lines.indexOf(whole ? `\n${bytes}\n` : `\n${bytes}`)
    if (at < 0) return
    let index = 0
    for (let before = 0; before < at; before += 1) if (lines.charCodeAt(before) === lineEnd) index += 1
    // The terms are in order, so those that begin with it follow each other.
    do {
      if (index < this.#count) this.addTo(bits, index)
      index += 1
      at = lines.indexOf('\n', at + 1)
    } while (!whole && index < this.#count && lines.startsWith(bytes, at + 1))
  }

  /** Adds the positions of a list. */
  addTo(bits: Bits, index: number): void {
    const from = this.#starts[index]!
    const length = this.#units[1 + index]!
    if (length <= mostListed) {
      for (let at = from; at < from + length; at += 1) setBit(bits, this.#units[at]!)
      return
    }
    for (let word = 0; word < bits.length; word += 1) bits[word]! |= this.#units[from + word * 2]! | (this.#units[from + word * 2 + 1]! << 16)
  }
}
