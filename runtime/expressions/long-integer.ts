import { isLongInteger } from '../domain/index.ts'

/**
 * Compares two integers of which at least one is beyond 2^53, and so is read as text. Returns a negative number, 0 or
 * a positive one, like a comparison function of `sort`. Null for any other values.
 */
export function compareLong(a: unknown, b: unknown): number | null {
  if (!isLongInteger(a)) return isLongInteger(b) ? reversed(compareLong(b, a)) : null
  if (isLongInteger(b)) return byDigits(a, b)
  if (typeof b !== 'number') return null
  // Such a number, for example 1e300, is exact, although it is not written with all its digits.
  if (Number.isInteger(b) && !Number.isSafeInteger(b)) return byDigits(a, BigInt(b).toString())
  return a.startsWith('-') ? -1 : 1
}

function reversed(order: number | null): number | null {
  return order === null || order === 0 ? order : -order
}

function byDigits(a: string, b: string): number {
  const negative = a.startsWith('-')
  if (negative !== b.startsWith('-')) return negative ? -1 : 1
  if (a === b) return 0
  // A longer number has more digits. They have the same sign here.
  const larger = a.length === b.length ? a > b : a.length > b.length
  return larger === negative ? -1 : 1
}
