import { expect, test } from 'vitest'
import { Recent } from './recent.ts'

test('remembers no more than it may, and forgets what was noted first', () => {
  const recent = new Recent<string, number>(2)
  recent.note('a', 1)
  recent.note('b', 2)
  recent.note('c', 3)
  expect(['a', 'b', 'c'].map((key) => recent.get(key))).toEqual([undefined, 2, 3])
})

test('noting again what is known keeps its place and takes no other', () => {
  const recent = new Recent<string, number>(2)
  recent.note('a', 1)
  recent.note('b', 2)
  recent.note('a', 9)
  expect([recent.get('a'), recent.get('b')]).toEqual([9, 2])
})
