import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

function drain<T>(queue: FairQueue<T>, may?: (key: string) => boolean): T[] {
  const items: T[] = []
  for (let item = queue.shift(may); item !== undefined; item = queue.shift(may)) items.push(item)
  return items
}

test('keys take turns, and items of one key keep their order', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push(item[0] ?? '', item)
  expect(queue.size).toBe(6)
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
  expect(queue.size).toBe(0)
})

test('a key that may have no turn keeps its items, and holds up nobody', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'b1', 'a2', 'b2']) queue.push(item[0] ?? '', item)
  expect(drain(queue, (key) => key !== 'a')).toEqual(['b1', 'b2'])
  expect(queue.size).toBe(2)
  expect(drain(queue)).toEqual(['a1', 'a2'])
})

test('a removed item does not leave, and removing it again changes nothing', () => {
  const queue = new FairQueue<string>()
  const remove = queue.push('a', 'a1')
  queue.push('a', 'a2')
  queue.push('b', 'b1')
  remove()
  remove()
  expect(queue.size).toBe(2)
  expect(drain(queue)).toEqual(['a2', 'b1'])
  remove()
  expect(queue.size).toBe(0)
})

test('a key whose items were all removed gives its turn to the next', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'a2']) queue.push('a', item)()
  queue.push('b', 'b1')
  expect(queue.shift()).toBe('b1')
  expect(queue.shift()).toBeUndefined()
})
