import { expect, test } from 'vitest'
import { treeOf } from './tree.ts'

test('JSON becomes a tree in which invisible characters are visible', () => {
  expect(treeOf('{"a\u202e": ["x\u200by", 1, null]}')).toEqual({ 'a[U+202E]': ['x[U+200B]y', 1, null] })
})

test('long texts and lists are cut, and say so', () => {
  expect(treeOf(JSON.stringify({ a: 'x'.repeat(3_000) }))).toEqual({ a: `${'x'.repeat(2_000)}… (3,000 characters)` })
  expect((treeOf(JSON.stringify(Array(1_200).fill(0))) as unknown[]).at(-1)).toBe('… and 200 more')
})

test.each(['', 'text', '42', '"text"', '{"broken":', `${'['.repeat(100)}${']'.repeat(100)}`, `${'['.repeat(200_000)}`])(
  'what is no tree for people is shown as text (%#)',
  (content) => {
    expect(treeOf(content)).toBeNull()
  },
)

test('a member called __proto__ changes nothing', () => {
  const tree = treeOf('{"__proto__": {"polluted": true}}') as Record<string, unknown>
  expect(Object.keys(tree)).toEqual(['__proto__'])
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})
