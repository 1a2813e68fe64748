import { expect, test } from 'vitest'
import { drawable, linesOf } from './lines.ts'

const everything = { has: () => true }
/** A font in which each character is as wide as the font is high. */
const square = { width: () => 1 }

test.each([
  ['a user name', 'Łucja Müller, Анна, Ελένη → 😀'],
  ['Markdown and HTML', '[x](https://evil.example) <b>'],
])('%s stays as it is', (_, text) => {
  expect(drawable(text, everything)).toBe(text)
})

test.each([
  ['a change of direction', 'user\u202egnp.exe', 'user[U+202E]gnp.exe'],
  ['a character without width', 'ad\u200bmin', 'ad[U+200B]min'],
  ['a control character', 'a\u0007\u001b[2J', 'a[U+0007][U+001B][2J'],
  ['text from right to left', 'על', '[U+05E2][U+05DC]'],
  ['letters that stack', 'a\u0336\u0489', 'a[U+0336][U+0489]'],
  ['half a surrogate pair', 'a\ud800b', 'a[U+D800]b'],
  ['a wide space', 'a\u3000b', 'a[U+3000]b'],
  ['a tab', 'a\tb', 'a    b'],
])('%s becomes visible', (_, text, shown) => {
  expect(drawable(text, everything)).toBe(shown)
})

test('an accent joins its letter', () => {
  expect(drawable('e\u0301', everything)).toBe('é')
})

test('a character that the font lacks is shown as its number', () => {
  expect(drawable('中😀', { has: () => false })).toBe('[U+4E2D][U+1F600]')
})

test('lines break at spaces, and words that are too long break anywhere', () => {
  expect(linesOf('one two three', square, 8, 10)).toEqual(['one two', 'three'])
  expect(linesOf('abcdefgh', square, 3, 10)).toEqual(['abc', 'def', 'gh'])
  expect(linesOf('a bcdefgh ij', square, 4, 10)).toEqual(['a', 'bcde', 'fgh', 'ij'])
  expect(linesOf('a\n\nb', square, 4, 10)).toEqual(['a', '', 'b'])
  expect(linesOf('', square, 4, 10)).toEqual([''])
  expect(linesOf('😀😀', square, 1, 10)).toEqual(['😀', '😀'])
})

test('no character is lost or doubled', () => {
  const text = 'the quick  brown fox jumps over the lazy dog and a veryverylongword at its end '
  for (let width = 1; width < 20; width += 1) expect(linesOf(text, square, width, 1_000).join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
})

test('a text with too many lines says how much is left out', () => {
  expect(linesOf('abcdefgh', square, 2, 3)).toEqual(['ab', 'cd', '… (4 more characters)'])
})

test('a long text without spaces takes time in proportion to its length', () => {
  let asked = 0
  const width = (): number => {
    asked += 1
    return 1
  }
  linesOf('x'.repeat(100_000), { width }, 100, 10_000)
  expect(asked).toBeLessThan(110_000)
})
