import { expect, test } from 'vitest'
import { Slots, slotsFor } from './slots.ts'

function fill(slots: Slots, key: string): number {
  let taken = 0
  while (slots.tryTake(key)) taken += 1
  return taken
}

test.each([
  [1, 1],
  [2, 1],
  [3, 2],
  [4, 3],
  [16, 12],
  [64, 48],
])('of %i slots, one key alone gets %i', (total, most) => {
  expect(fill(new Slots(total), 'a')).toBe(most)
})

test('one key alone gets exactly the given number of slots, and others still find some', () => {
  for (let most = 1; most <= 200; most += 1) {
    const slots = slotsFor(most)
    expect(fill(slots, 'a')).toBe(most)
    expect(fill(slots, 'b')).toBeGreaterThan(0)
  }
})

test('later keys still find slots, down to the last one', () => {
  const slots = new Slots(8)
  expect(fill(slots, 'a')).toBe(6)
  expect(fill(slots, 'b')).toBe(1)
  expect(fill(slots, 'c')).toBe(1)
  expect(slots.free).toBe(0)
  expect(fill(slots, 'd')).toBe(0)
})

test('a released slot goes to a key that holds none first', async () => {
  const slots = new Slots(2)
  const first = await slots.take('a')
  const order: string[] = []
  const a = slots.take('a').then((release) => {
    order.push('a')
    return release
  })
  const second = await slots.take('b')
  const c = slots.take('c').then((release) => {
    order.push('c')
    return release
  })
  second()
  const third = await c
  expect(order).toEqual(['c'])
  first()
  third()
  ;(await a)()
  expect(order).toEqual(['c', 'a'])
  expect(slots.free).toBe(2)
})

test('releasing a slot twice frees one slot', async () => {
  const slots = new Slots(1)
  const release = await slots.take('a')
  release()
  release()
  expect(slots.free).toBe(1)
})

test('a caller that stops waiting gets no slot and takes none from others', async () => {
  const slots = new Slots(1)
  const release = await slots.take('a')
  const stop = new AbortController()
  const stopped = slots.take('b', stop.signal)
  const next = slots.take('c')
  stop.abort(new Error('given up'))
  await expect(stopped).rejects.toThrow('given up')
  release()
  ;(await next)()
  expect(slots.free).toBe(1)
  await expect(slots.take('a', stop.signal)).rejects.toThrow('given up')
})
