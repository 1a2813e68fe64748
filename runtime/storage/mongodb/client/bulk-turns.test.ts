import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { BulkTurns } from './bulk-turns.ts'

/** Turns, and bulks of them that end when the test says so. */
function stage(busy: number, quiet = busy) {
  const turns = new BulkTurns({ busy, quiet })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    enter(name: string, size: () => number): void {
      turns.enter(size, () => {
        begun.push(name)
        return new Promise((resolve) => ends.set(name, resolve))
      })
    },
    async end(name: string): Promise<void> {
      ends.get(name)?.()
      // One turn for the end itself, one to choose the next.
      await setImmediate()
      await setImmediate()
    },
  }
}

test('the bulk with the most items goes first, counted when its turn comes', async () => {
  const { begun, enter, end } = stage(1)
  enter('first', () => 1)
  await setImmediate()
  let grown = 2
  enter('small', () => 3)
  enter('grows', () => grown)
  enter('large', () => 5)
  await setImmediate()
  expect(begun).toEqual(['first'])
  await end('first')
  grown = 4
  await end('large')
  await end('grows')
  expect(begun).toEqual(['first', 'large', 'grows', 'small'])
})

test('of two with as many items, the one that came first goes first', async () => {
  const { begun, enter, end } = stage(1)
  enter('a', () => 2)
  enter('b', () => 2)
  await setImmediate()
  await end('a')
  expect(begun).toEqual(['a', 'b'])
})

test('a small bulk waits for eight larger ones that came later, not for more', async () => {
  const { begun, enter, end } = stage(1)
  enter('large 0', () => 9)
  await setImmediate()
  enter('small', () => 1)
  for (let index = 1; index <= 10; index++) enter(`large ${index}`, () => 9)
  for (let index = 0; index <= 8; index++) await end(`large ${index}`)
  expect(begun.indexOf('small')).toBe(9)
})

test('few items may be under way in more bulks than many items', async () => {
  const few = stage(2, 4)
  for (const name of ['a', 'b', 'c', 'd', 'e']) few.enter(name, () => 1)
  await setImmediate()
  expect(few.begun).toEqual(['a', 'b', 'c', 'd'])
  const many = stage(2, 4)
  for (const [name, size] of Object.entries({ a: 9, b: 20, c: 9 })) many.enter(name, () => size)
  await setImmediate()
  expect(many.begun).toEqual(['b'])
  await many.end('b')
  expect(many.begun).toEqual(['b', 'a', 'c'])
})

test('beside another bulk, one begins only with its share of all items, or if eight have overtaken it', async () => {
  const { begun, enter, end } = stage(3)
  enter('half', () => 30)
  enter('a third', () => 20)
  enter('small', () => 1)
  enter('a sixth', () => 9)
  await setImmediate()
  expect(begun).toEqual(['half', 'a third'])
  for (let index = 1; index <= 8; index++) {
    enter(`large ${index}`, () => 30)
    await end(index === 1 ? 'half' : `large ${index - 1}`)
  }
  expect(begun.slice(-2)).toEqual(['large 8', 'small'])
})
