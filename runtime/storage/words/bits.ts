/** How many alerts a segment has at most. A position in a segment has twelve bits. */
export const segmentSize = 4_096

/** A set of positions in a segment, one bit for each. */
export type Bits = Uint32Array<ArrayBuffer>

export function noBits(): Bits {
  return new Uint32Array(segmentSize / 32)
}

/** Returns the positions from `from` (included) to `to` (not included). */
export function rangeOfBits(from: number, to: number): Bits {
  const bits = noBits()
  if (from >= to) return bits
  const [first, last] = [from >> 5, (to - 1) >> 5]
  bits.fill(0xffffffff, first, last + 1)
  bits[first]! &= 0xffffffff << (from & 31)
  bits[last]! &= 0xffffffff >>> (31 - ((to - 1) & 31))
  return bits
}

/** Adds a position to a set. */
export function setBit(bits: Bits, position: number): void {
  bits[position >> 5]! |= 1 << (position & 31)
}

/** Keeps in `bits` only what `others` has too. Returns whether anything is left. */
export function intersect(bits: Bits, others: Bits): boolean {
  let left = 0
  for (let word = 0; word < bits.length; word += 1) {
    const both = bits[word]! & others[word]!
    bits[word] = both
    left |= both
  }
  return left !== 0
}

/** Returns whether `others` has all that `bits` has. */
export function isWithin(bits: Bits, others: Bits): boolean {
  for (let word = 0; word < bits.length; word += 1) if ((bits[word]! & ~others[word]!) !== 0) return false
  return true
}

/** Returns how many positions there are. */
export function countOf(bits: Bits): number {
  let count = 0
  for (let word = 0; word < bits.length; word += 1) count += countIn(bits[word]!)
  return count
}

/** Returns how many positions both have. */
export function countOfBoth(bits: Bits, others: Bits): number {
  let count = 0
  for (let word = 0; word < bits.length; word += 1) count += countIn(bits[word]! & others[word]!)
  return count
}

/** Counts the bits of pairs, then of four, of eight, and of all. */
function countIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Returns the positions, ascending. */
export function positionsOf(bits: Bits): number[] {
  const positions: number[] = []
  for (let word = 0; word < bits.length; word += 1) {
    for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) positions.push(word * 32 + 31 - Math.clz32(rest & -rest))
  }
  return positions
}
