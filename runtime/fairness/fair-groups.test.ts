import { expect, test } from 'vitest'
import { FairGroups } from './fair-groups.ts'

function filled(names: readonly string[]) {
  const queue = new FairGroups<string>()
  const removes = new Map(names.map((name) => [name, queue.push(name.slice(0, 1), name.slice(0, 2), name)]))
  const rest = (): string => {
    const left: string[] = []
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) left.push(item)
    return left.join(' ')
  }
  return { queue, rest, remove: (name: string) => removes.get(name)?.() }
}

test('tenants take turns, and the keys of each take turns', () => {
  const { queue, rest } = filled(['a11', 'a12', 'a21', 'a31', 'b11', 'b12'])
  expect(queue.size).toBe(6)
  expect(rest()).toBe('a11 b11 a21 b12 a31 a12')
  expect(queue.size).toBe(0)
  expect(queue.shift()).toBeUndefined()
})

test('an item that is removed has no turn, and one that has left cannot be removed', () => {
  const { queue, rest, remove } = filled(['a11', 'a21', 'b11', 'c11'])
  remove('b11')
  remove('b11')
  expect([...queue]).toEqual(['a11', 'a21', 'c11'])
  expect(queue.shift()).toBe('a11')
  remove('a11')
  expect(queue.size).toBe(2)
  queue.push('b', 'b1', 'b12')
  remove('b11')
  expect(queue.size).toBe(3)
  expect(rest()).toBe('c11 a21 b12')
})
