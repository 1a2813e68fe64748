import { expect, test } from 'vitest'
import { cellOf } from './csv.ts'

test.each([
  ['plain', 'plain'],
  ['', ''],
  ['=HYPERLINK("http://evil.example")', `"'=HYPERLINK(""http://evil.example"")"`],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', `"'\tx"`],
  ['\r=1', `"'\r=1"`],
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ['two\nlines', '"two\nlines"'],
])('a cell with %j is written as %j', (text, expected) => {
  expect(cellOf(text)).toBe(expected)
})
