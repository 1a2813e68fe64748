import { expect, test } from 'vitest'
import { memberCount, repeatedField, structureOf } from './structure.ts'

test('braces, colons and quotes inside strings are not structure', () => {
  const value = { a: '{"x":1}[[[', b: '\\', c: 'quote " and \\" :', d: [{ 'e:{': 1 }] }
  expect(structureOf(JSON.stringify(value))).toEqual({ depth: 3, members: 5 })
  expect(memberCount(value)).toBe(5)
})

test('a value has as many members as its text if no field is repeated', () => {
  for (const text of ['1', '"a:b"', '[]', '{}', '{"a":{"b":[{"c":null},{"c":"\\\\"}]},"__proto__":{"x":1}}']) {
    expect(memberCount(JSON.parse(text))).toBe(structureOf(text).members)
    expect(repeatedField(text)).toBeNull()
  }
})

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"list":[{"x":1},{"x":1,"y":"{\\"","x":3}]}', 'list.1.x'],
  ['{"a":{"b":1},"b":{"c":1,"c":1}}', 'b.c'],
])('the repeated field of %s is %s', (text, path) => {
  expect(repeatedField(text)).toBe(path)
  expect(memberCount(JSON.parse(text))).toBeLessThan(structureOf(text).members)
})

test('depth counts nesting, not neighbours', () => {
  expect(structureOf('[[],[[]],{"a":[]}]').depth).toBe(3)
})

test('a long run of backslashes before a quote is read once', () => {
  const text = JSON.stringify({ a: '\\'.repeat(100_000), b: `${'\\'.repeat(99_999)}"` })
  expect(structureOf(text)).toEqual({ depth: 1, members: 2 })
})
