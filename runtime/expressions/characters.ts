import type { Work } from './work.ts'

/** Matches two UTF-16 code units that are one character. Without such pairs, each code unit is a character. */
const pair = /[\ud800-\udbff][\udc00-\udfff]/

/** Returns the work of counting or skipping the characters of a text. */
export function ofCounting(text: string): Work {
  return 1 + text.length / 4
}

/** Returns the number of characters (code points) of a text. */
export function charactersOf(text: string): number {
  if (!pair.test(text)) return text.length
  let count = 0
  for (let at = 0; at < text.length; at = after(text, at)) count += 1
  return count
}

/**
 * Returns the characters from `start` to before `end`. As with `String.prototype.slice`, a negative position counts from the end,
 * and fractions do not count.
 */
export function sliceOf(text: string, start: number, end: number = Number.POSITIVE_INFINITY): string {
  if (!pair.test(text)) return text.slice(start, end)
  const count = start < 0 || end < 0 ? charactersOf(text) : 0
  const from = place(start, count)
  const before = place(end, count)
  if (before <= from) return ''
  const begin = skip(text, 0, from)
  return text.slice(begin, skip(text, begin, before - from))
}

/** Returns the first character. Of an empty text, that is empty. */
export function firstOf(text: string): string {
  return sliceOf(text.slice(0, 2), 0, 1)
}

/** Returns the last character. Of an empty text, that is empty. */
export function lastOf(text: string): string {
  return sliceOf(text.slice(-2), -1)
}

/** Returns the character at an index from 0. Undefined if the text is too short. */
export function characterAt(text: string, index: number): string | undefined {
  return sliceOf(text, index, index + 1) || undefined
}

/** Returns the characters of a text, at most `most` of them. */
export function eachOf(text: string, most: number): string[] {
  if (!pair.test(text)) return text.split('', most)
  const found: string[] = []
  for (const character of text) {
    if (found.length >= most) break
    found.push(character)
  }
  return found
}

/** Returns where the character after the one at `at` begins. */
function after(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
}

/** Returns where the text continues after `count` characters from `at` on. */
function skip(text: string, at: number, count: number): number {
  let place = at
  for (let left = count; left > 0 && place < text.length; left -= 1) place = after(text, place)
  return place
}

/** Turns a position that may count from the end into one from the beginning. */
function place(position: number, count: number): number {
  const whole = Math.trunc(position)
  return whole < 0 ? Math.max(count + whole, 0) : whole
}
