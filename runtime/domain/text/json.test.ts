import { expect, it } from 'vitest'
import { deeperThan, parseJson } from './json.ts'

it('keeps integers beyond 2^53 as the text of their digits', () => {
  expect(parseJson('{"a":12345678901234567890,"b":-9007199254740993,"c":9007199254740991,"d":[1,2.5,1e3]}')).toEqual({
    a: '12345678901234567890',
    b: '-9007199254740993',
    c: 9007199254740991,
    d: [1, 2.5, 1000],
  })
})

it('keeps numbers that a double cannot hold as text', () => {
  expect(parseJson('[1e999, -1e400, 1e100]')).toEqual(['1e999', '-1e400', 1e100])
})

it('keeps long fractions as numbers', () => {
  expect(parseJson('[0.12345678901234567890]')).toEqual([0.12345678901234568])
})

it('leaves digits inside strings alone', () => {
  expect(parseJson('{"12345678901234567890":"12345678901234567890"}')).toEqual({ '12345678901234567890': '12345678901234567890' })
})

it('treats a key named __proto__ as an ordinary key', () => {
  const value = parseJson('{"__proto__":{"polluted":12345678901234567890}}')
  expect(Object.keys(value as object)).toEqual(['__proto__'])
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

it.each(['', '{', '{"a":1,}', '01', "{'a':1}", '{"a":12345678901234567890,}'])('refuses %s', (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError)
})

it('refuses nesting that would overflow the stack', () => {
  const deep = `${'['.repeat(200_000)}12345678901234567890${']'.repeat(200_000)}`
  expect(() => parseJson(deep)).toThrow(SyntaxError)
})

it.each([
  ['5', 0, false],
  ['[]', 0, false],
  ['[[]]', 0, true],
  ['{"a":[{"b":1}]}', 2, false],
  ['{"a":[{"b":1}],"c":1}', 1, true],
])('%s is nested deeper than %i levels: %s', (text, levels, deeper) => {
  expect(deeperThan(parseJson(text), levels)).toBe(deeper)
})
