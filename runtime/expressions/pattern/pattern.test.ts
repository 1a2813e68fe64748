import { RE2JS } from 're2js'
import { expect, it } from 'vitest'
import { compilePattern, sizeOf } from './index.ts'

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

it('refuses a pattern that RE2 does not support', () => {
  expect(() => compilePattern('(?=a)')).toThrow(/Perl syntax/)
  expect(() => compilePattern('(a)\\1')).toThrow(/escape/)
})

it.each([
  ['too long', 'a'.repeat(1_001), /1001 characters/],
  ['repeated too often', '(?:abcdefghij){200}', /instructions/],
  ['repeated in a repetition', '(?:(?:a{10}){10}){20}', /instructions/],
  ['with many Unicode classes', '\\pL'.repeat(11), /11 Unicode classes/],
])('refuses a pattern that is %s', (_name, source, message) => {
  expect(() => compilePattern(source)).toThrow(message)
})

it('has hardly more instructions than its source suggests', () => {
  for (const [source, most] of [
    ['a|b|c', 8],
    ['(?:a{3}b?){4}', 30],
    ['\\Q{100}\\E', 9],
    ['[a{9}]', 4],
    ['x{2,}', 7],
  ] as const) {
    expect(sizeOf(source)).toBeLessThanOrEqual(most)
    expect(compilePattern(source).size).toBeLessThanOrEqual(sizeOf(source) + 3)
  }
})

it('agrees with RE2JS about matches and groups', () => {
  const next = numbers(17)
  const pick = <T>(from: readonly T[]): T => from[next(from.length)] as T
  const atoms = ['a', 'b', '.', '[ab]', '[^a]', '\\d', '\\w', '^', '$', '\\b', '\\B', 'ä', '😀', '(?i)A', '\\n', '\\Qa.\\E', '\\pL']
  const repeats = ['', '', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{0,2}', '{1,}']
  const random = (depth: number): string => {
    const parts = Array.from({ length: 1 + next(3) }, () => {
      const kind = depth === 0 ? 3 : next(6)
      const inner =
        kind === 0 ? `(${random(depth - 1)})` : kind === 1 ? `(?:${random(depth - 1)})` : kind === 2 ? `(?P<value>${random(depth - 1)})` : pick(atoms)
      return inner + pick(repeats)
    })
    return parts.join(next(4) === 0 ? '|' : '')
  }
  let compared = 0
  for (let round = 0; round < 4_000; round += 1) {
    const source = random(2)
    let standard: RE2JS
    try {
      standard = RE2JS.compile(source)
    } catch {
      // Two groups with the same name, or a repetition without a part.
      expect(() => compilePattern(source), source).toThrow()
      continue
    }
    const group = Object.hasOwn(standard.namedGroups(), 'value') ? 'value' : standard.groupCount() > 0 ? 1 : 0
    const text = Array.from({ length: next(10) }, () => pick(['a', 'b', 'A', 'ä', '😀', '\n', ' ', '1', 'a.'])).join('')
    const matcher = standard.matcher(text)
    const found = matcher.find()
    const pattern = compilePattern(source)
    expect([pattern.test(text), pattern.find(text)], `${source} in ${JSON.stringify(text)}`).toEqual([found, found ? matcher.group(group) : null])
    compared += 1
  }
  expect(compared).toBeGreaterThan(2_000)
})

/** Pseudo-random numbers from a seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}
