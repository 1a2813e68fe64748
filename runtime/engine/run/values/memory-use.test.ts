import { expect, test } from 'vitest'
import { MemoryUse } from './memory-use.ts'

test('characters count, and each value has a fixed cost', () => {
  const held = new MemoryUse()
  held.add('x'.repeat(1_000), 'a')
  expect(held.weight).toBe(1_032)
  held.add([1, 2, { name: 'y' }], 'b')
  expect(held.weight).toBe(1_032 + 5 * 32 + 'name'.length + 'y'.length)
})

test('a value that a variable or a loop holds again counts once', () => {
  const held = new MemoryUse()
  const answer = { accounts: Array.from({ length: 1_000 }, (_, index) => ({ id: index })) }
  held.add(answer, 'read')
  const once = held.weight
  held.add({ all: answer, some: answer.accounts }, 'keep')
  held.add({ items: [{ read: { status: 'done', output: answer } }] }, 'each')
  expect(held.weight - once).toBeLessThan(500)
})

test('a run that exceeds the limit fails, and the error names the step', () => {
  const held = new MemoryUse(10_000)
  held.add('x'.repeat(6_000), 'a')
  expect(() => held.add('x'.repeat(6_000), 'each/7/b')).toThrow(
    expect.objectContaining({ failure: expect.objectContaining({ code: 'run_too_large', step: 'each/7/b' }) }),
  )
})
