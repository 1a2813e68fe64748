import type { Json } from '../../domain/index.ts'
import type { Work } from '../work.ts'

/** What reading, copying or comparing so many characters takes. */
export function ofCharacters(length: number): Work {
  return 1 + length / 8
}

/** What going through so many items takes. */
export function ofItems(length: number): Work {
  return 1 + 2 * length
}

/** What naming the keys of an object takes; of large ones the engine keeps no list. */
export function ofKeys(count: number): Work {
  return 5 + (count > 100 ? 40 : 8) * count
}

/** Characters of a needle from which on the search may look at each character of it for each of the text. */
const longNeedle = 250

/** What looking for a text in another takes at the worst. */
export function ofSearch(text: string, needle: string): Work {
  const each = needle.length < 8 ? 3 : needle.length <= longNeedle ? 1 : 1 + needle.length / 10
  return 2 + ofCharacters(needle.length) + Math.max(text.length - needle.length, 0) * each
}

/** What making a text of a value takes. */
export function ofText(value: Json): Work {
  return typeof value === 'string' ? ofCharacters(value.length) : 20
}
