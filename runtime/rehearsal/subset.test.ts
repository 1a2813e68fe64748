import { expect, test } from 'vitest'
import { differences, isSubset } from './subset.ts'

test('members that are not named do not matter, at any depth; lists match item by item', () => {
  expect(isSubset({ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 })).toBe(true)
  expect(isSubset({ a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }] })).toBe(true)
  expect(isSubset({ a: [1] }, { a: [1, 2] })).toBe(false)
  expect(isSubset({}, [])).toBe(false)
  expect(isSubset(null, undefined)).toBe(false)
})

test('each difference is named by its path', () => {
  expect(differences({ a: { b: [1, { c: 2 }] }, d: 'x' }, { a: { b: [1, { c: 3 }] } })).toEqual([
    { path: ['a', 'b', 1, 'c'], expected: 2, actual: 3 },
    { path: ['d'], expected: 'x', actual: undefined },
  ])
})
