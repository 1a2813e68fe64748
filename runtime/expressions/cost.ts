import type { Json } from '../domain/index.ts'
import type { Work } from './work.ts'

/** Returns the work of reading, copying or comparing this many characters. */
export function ofCharacters(length: number): Work {
  return 1 + length / 8
}

/** Returns the work of reading this many items once. */
export function ofItems(length: number): Work {
  return 1 + 2 * length
}

/** Returns the work of listing an object's keys. V8 caches the keys of small objects only. */
export function ofKeys(count: number): Work {
  return 5 + (count > 100 ? 40 : 8) * count
}

/** From this length on, a search may compare every character of the needle at every character of the text. */
const longNeedle = 250

/** Returns the work of searching one text for another, in the worst case. */
export function ofSearch(text: string, needle: string): Work {
  const each = needle.length < 8 ? 3 : needle.length <= longNeedle ? 1 : 1 + needle.length / 10
  return 2 + ofCharacters(needle.length) + Math.max(text.length - needle.length, 0) * each
}

/** Returns the work of turning a value into text. */
export function ofText(value: Json): Work {
  return typeof value === 'string' ? ofCharacters(value.length) : 20
}
