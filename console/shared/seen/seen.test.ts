import { expect, test } from 'vitest'
import { fakedTexts, shapedTexts } from '../../../test/support/joiners.ts'
import { seen } from './seen.ts'

test.each([
  ['ada@acme.example', 'ada@acme.example'],
  ['two\nlines', 'two\nlines'],
  ['ölçü 日本語 🦊', 'ölçü 日本語 🦊'],
  ['\u202eada', '[U+202E]ada'],
  ['a\u200bda', 'a[U+200B]da'],
  ['a\tb\u0000', 'a[U+0009]b[U+0000]'],
  ['ad\u00admin\u3164', 'ad[U+00AD]min[U+3164]'],
  ['ad\u{e0061}min', 'ad[U+E0061]min'],
  ['ad\ufe0fmin', 'ad[U+FE0F]min'],
  ['⚠\ufe0f 1', '⚠\ufe0f 1'],
  ['1\ufe0f\u20e3 2\ufe0f', '1\ufe0f\u20e3 2[U+FE0F]'],
  ['👩\u200d👧\u200d👦', '👩\u200d👧\u200d👦'],
  ['👩🏽\u200d💻 🏳\ufe0f\u200d🌈', '👩🏽\u200d💻 🏳\ufe0f\u200d🌈'],
  ['ad\u200dmin 👩\u200dx \u200d👩', 'ad[U+200D]min 👩[U+200D]x [U+200D]👩'],
  ['👩\u200d\u200d👩', '👩[U+200D][U+200D]👩'],
])('%j is shown as %s', (value, shown) => {
  expect(seen(value)).toBe(shown)
})

test.each(shapedTexts)('%s keeps its joiners', (text) => {
  expect(seen(text)).toBe(text)
})

test.each(fakedTexts)('%j has %d marks', (text, marks) => {
  expect(seen(text).match(/\[U\+(200C|200D|FE0F)\]/g)).toHaveLength(marks)
})
