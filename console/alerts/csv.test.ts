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
  ['\r=1', `"'\r'=1"`],
  ['\n=1', `"'\n'=1"`],
  ['\uff1d1+1', "'\uff1d1+1"],
  ['a;=1+1', `"a;'=1+1"`],
  ['a;"=1+1;', `"a;""'=1+1;"`],
  ['a\t@SUM(A1)', `"a\t'@SUM(A1)"`],
  ['a\r\n-1', `"a\r\n'-1"`],
  ['a;b=c; =d', '"a;b=c; =d"'],
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ['two\nlines', '"two\nlines"'],
])('a cell with %j is written as %j', (text, expected) => {
  expect(cellOf(text)).toBe(expected)
})
