import { expect, test } from 'vitest'
import { differences, isSubset } from './subset.ts'

test('ignores members that are not expected, at any depth; compares lists item by item', () => {
  expect(isSubset({ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 })).toBe(true)
  expect(isSubset({ a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }] })).toBe(true)
  expect(isSubset({ a: [1] }, { a: [1, 2] })).toBe(false)
  expect(isSubset({}, [])).toBe(false)
  expect(isSubset(null, undefined)).toBe(false)
})

test('compares a part of a text only where `contains` asks for it', () => {
  expect(isSubset({ query: { contains: 'from:' } }, { query: 'subject:a from:b' })).toBe(true)
  expect(isSubset({ query: { contains: 'to:' } }, { query: 'subject:a from:b' })).toBe(false)
  expect(isSubset({ rule: { contains: 'a' } }, { rule: { contains: 'a', of: 'b' } })).toBe(true)
  expect(isSubset({ rule: { contains: 'a' } }, { rule: { contains: 'ab' } })).toBe(false)
  expect(isSubset({ rule: { contains: 'a', of: 'b' } }, { rule: 'a' })).toBe(false)
})

test('names each difference by its path', () => {
  expect(differences({ a: { b: [1, { c: 2 }] }, d: 'x' }, { a: { b: [1, { c: 3 }] } })).toEqual([
    { path: ['a', 'b', 1, 'c'], expected: 2, actual: 3 },
    { path: ['d'], expected: 'x', actual: undefined },
  ])
})
