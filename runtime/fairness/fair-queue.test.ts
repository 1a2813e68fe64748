import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
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

test('a key that may not have a turn keeps its items and holds up no other key', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'b1', 'a2', 'b2']) queue.push(item[0] ?? '', item)
  expect(drain(queue, (key) => key !== 'a')).toEqual(['b1', 'b2'])
  expect(queue.size).toBe(2)
  expect(drain(queue)).toEqual(['a1', 'a2'])
})

test('an item is picked from behind others, which keep their places and turns', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) queue.push(item[0] ?? '', item)
  const asked: string[] = []
  const mayItem = (item: string): boolean => asked.push(item) > 0 && item.endsWith('2')
  expect(queue.pick((key) => key !== 'a', mayItem)).toBe('b2')
  expect(asked).toEqual(['b1', 'b2'])
  expect(queue.pick(() => true, mayItem)).toBe('a2')
  expect(queue.pick(() => true, mayItem)).toBeUndefined()
  expect(queue.size).toBe(4)
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a3'])
})

test('a removed item is not picked, and a picked one cannot be removed', () => {
  const queue = new FairQueue<string>()
  queue.push('a', 'a1')()
  const remove = queue.push('a', 'a2')
  const any = (): boolean => true
  expect([queue.pick(any, any), queue.pick(any, any)]).toEqual(['a2', undefined])
  remove()
  queue.push('a', 'a3')
  expect([queue.size, queue.shift(), queue.shift()]).toEqual([1, 'a3', undefined])
})

test('a removed item is never returned, and removing it again changes nothing', () => {
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

test('waiting items can be read key by key, without removed ones', () => {
  const queue = new FairQueue<string>()
  const remove = queue.push('a', 'a1')
  for (const item of ['a2', 'a3']) queue.push('a', item)
  queue.push('b', 'b1')
  remove()
  expect([...queue]).toEqual(['a2', 'a3', 'b1'])
  queue.shift()
  expect([...queue]).toEqual(['b1', 'a3'])
})

test('items that are removed before their turn do not accumulate, and the others keep their order', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const queue = new FairQueue<WeakKey>()
  const [first, last] = [{}, {}]
  queue.push('a', first)
  const gone = Array.from({ length: 10_000 }, (_, number) => {
    const item = {}
    queue.push(number % 2 === 0 ? 'a' : `key ${number}`, item)()
    return new WeakRef(item)
  })
  queue.push('a', last)
  expect(queue.size).toBe(2)
  // A weak reference keeps its target alive until the current job ends.
  await setImmediate()
  collectGarbage()
  expect(gone.filter((item) => item.deref() !== undefined).length).toBeLessThan(2_000)
  expect([queue.shift(), queue.shift(), queue.shift()]).toEqual([first, last, undefined])
})
