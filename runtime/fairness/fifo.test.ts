import { expect, test } from 'vitest'
import { Fifo } from './fifo.ts'

test('items come out in the order they went in, however pushes and shifts alternate', () => {
  const fifo = new Fifo<number>()
  const out: number[] = []
  let next = 0
  for (let round = 0; round < 200; round++) {
    for (let index = 0; index < 50; index++) fifo.push(next++)
    for (let index = 0; index < 40; index++) out.push(fifo.shift() ?? Number.NaN)
  }
  expect(fifo.size).toBe(2_000)
  for (let item = fifo.shift(); item !== undefined; item = fifo.shift()) out.push(item)
  expect(out).toEqual(Array.from({ length: 10_000 }, (_, index) => index))
  expect(fifo.size).toBe(0)
})

test('an empty queue returns nothing and can be used again', () => {
  const fifo = new Fifo<string>()
  expect(fifo.shift()).toBeUndefined()
  fifo.push('a')
  expect(fifo.shift()).toBe('a')
  expect(fifo.shift()).toBeUndefined()
  fifo.push('b')
  fifo.clear()
  expect([fifo.size, fifo.shift()]).toEqual([0, undefined])
})
