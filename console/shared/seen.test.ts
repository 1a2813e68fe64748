import { expect, test } from 'vitest'
import { seen } from './seen.ts'

test.each([
  ['ada@acme.example', 'ada@acme.example'],
  ['two\nlines', 'two\nlines'],
  ['ölçü 日本語 🦊', 'ölçü 日本語 🦊'],
  ['\u202eada', '[U+202E]ada'],
  ['a\u200bda', 'a[U+200B]da'],
  ['a\tb\u0000', 'a[U+0009]b[U+0000]'],
])('%j is shown as %s', (value, shown) => {
  expect(seen(value)).toBe(shown)
})
