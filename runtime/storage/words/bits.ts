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
  for (let position = from; position < to; position += 1) setBit(bits, position)
  return bits
}

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
  for (let word = 0; word < bits.length; word += 1) for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) count += 1
  return count
}

/** Returns the positions, ascending. */
export function positionsOf(bits: Bits): number[] {
  const positions: number[] = []
  for (let word = 0; word < bits.length; word += 1) {
    for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) positions.push(word * 32 + 31 - Math.clz32(rest & -rest))
  }
  return positions
}
