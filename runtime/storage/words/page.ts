import { type Bits, segmentSize, setBit } from './bits.ts'

/** Longer lists of positions are stored as bits, which then take less space. */
const mostListed = segmentSize / 16

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

/** A decoded page. */
export class Page {
  readonly #units: Uint16Array
  readonly #starts: readonly number[]
  readonly #text: Uint8Array
  #terms: readonly string[] | null = null

  constructor(bytes: Uint8Array) {
    // Numbers of 16 bits need an even address.
    const even = bytes.byteOffset % 2 === 0 ? bytes : bytes.slice()
    const view = new DataView(even.buffer, even.byteOffset, even.byteLength)
    const count = view.getUint16(0, true)
    let at = 1 + count
    const starts: number[] = []
    for (let index = 0; index < count; index += 1) {
      starts.push(at)
      at += unitsOf(view.getUint16(2 + index * 2, true))
    }
    this.#starts = starts
    this.#units = new Uint16Array(even.buffer, even.byteOffset, at)
    this.#text = even.subarray(at * 2)
  }

  /** The terms, ascending. */
  get terms(): readonly string[] {
    this.#terms ??= Buffer.from(this.#text.buffer, this.#text.byteOffset, this.#text.byteLength).toString().split('\n')
    return this.#terms
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
