import { expect, it } from 'vitest'
import { compilePattern } from './index.ts'

it.each<[string, string, string | null]>([
  ['user=(?P<value>[^\\s,]+)', 'x user=ada, y', 'ada'],
  ['(?P<other>a)(?P<value>b)', 'ab', 'b'],
  ['id: (\\d+)', 'id: 42', '42'],
  ['\\d+', 'id: 42', '42'],
  ['x', 'abc', null],
  ['a(?P<value>b)?', 'ac', null],
])('%s finds in "%s"', (pattern, text, found) => {
  expect(compilePattern(pattern).find(text)).toBe(found)
})

it('needs no more than linear work where a backtracking engine hangs', () => {
  expect(compilePattern('^(a+)+$').test(`${'a'.repeat(50_000)}b`)).toBe(false)
})

it('refuses what RE2 does not know', () => {
  expect(() => compilePattern('(?=a)')).toThrow(/Perl syntax/)
  expect(() => compilePattern('(a)\\1')).toThrow(/escape/)
})
