import { describe, expect, test } from 'vitest'
import { beginningOf, cutText } from './index.ts'

describe('a text that is cut', () => {
  test('keeps its beginning', () => {
    expect([beginningOf('abc', 3), beginningOf('abc', 2), beginningOf('', 2), beginningOf('abc', 0)]).toEqual(['abc', 'ab', '', ''])
  })

  test('says that something is missing', () => {
    expect([cutText('abc', 3), cutText('abc', 2)]).toEqual(['abc', 'ab…'])
  })

  test('keeps no half of a character', () => {
    for (const most of [0, 1, 2, 3, 4, 5]) expect(beginningOf('a\u{1f4e7}b\u{1f4e7}', most).isWellFormed()).toBe(true)
    expect([beginningOf('a\u{1f4e7}b', 2), beginningOf('a\u{1f4e7}b', 3)]).toEqual(['a', 'a\u{1f4e7}'])
  })
})
