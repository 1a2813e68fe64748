import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ManualClock } from '../../../../test/support/clocks/manual-clock.ts'
import { BulkTurns } from './bulk-turns.ts'

/** Turns, and bulks of them that end when the test says so. */
function stage(busy: number, quiet = busy) {
  const turns = new BulkTurns({ busy, quiet }, new ManualClock())
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    lanes: turns.lanes,
    look: () => turns.look(),
    enter(name: string, size: () => number, isAhead = (): boolean => false): void {
      const run = (): Promise<void> => {
        begun.push(name)
        return new Promise((resolve) => ends.set(name, resolve))
      }
      turns.enter({ size, isAhead, run })
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

const ahead = (): boolean => true
/** Makes one lane heavy, beside a light one. */
function flood({ lanes }: ReturnType<typeof stage>): void {
  lanes.add('flood', 40)
  lanes.add('light', 1)
}

test('beside a flood, a bulk of a light lane goes first, and beside as many bulks as if there were few items', async () => {
  const turns = stage(1, 3)
  const { begun, enter, end } = turns
  flood(turns)
  enter('large 0', () => 20)
  await setImmediate()
  enter('large 1', () => 20)
  for (const name of ['a', 'b', 'c']) enter(name, () => 1, ahead)
  await setImmediate()
  expect(begun).toEqual(['large 0', 'a', 'b'])
  await end('large 0')
  expect(begun.at(-1)).toBe('c')
  for (const name of ['a', 'b', 'c']) await end(name)
  expect(begun.at(-1)).toBe('large 1')
})

test('a bulk that waits goes when it gets an item of a light lane', async () => {
  const turns = stage(1, 2)
  flood(turns)
  turns.enter('large', () => 20)
  await setImmediate()
  let hasLight = false
  turns.enter(
    'small',
    () => 1,
    () => hasLight,
  )
  await setImmediate()
  expect(turns.begun).toEqual(['large'])
  hasLight = true
  turns.look()
  await setImmediate()
  expect(turns.begun).toEqual(['large', 'small'])
})

test('without a flood, no bulk goes first', async () => {
  const turns = stage(1, 3)
  turns.lanes.add('light', 1)
  turns.enter('first', () => 20)
  turns.enter('small', () => 1, ahead)
  turns.enter('large', () => 20)
  await setImmediate()
  expect(turns.begun).toEqual(['first'])
  await turns.end('first')
  expect(turns.begun).toEqual(['first', 'large'])
})

test('bulks of light lanes overtake another bulk eight times, not more', async () => {
  const turns = stage(1)
  const { begun, enter, end } = turns
  flood(turns)
  enter('light 0', () => 1, ahead)
  await setImmediate()
  enter('large', () => 20)
  for (let index = 1; index <= 10; index++) enter(`light ${index}`, () => 1, ahead)
  for (let index = 0; index <= 8; index++) await end(`light ${index}`)
  expect(begun.indexOf('large')).toBe(9)
})

test('while a light lane is beside a flood, one bulk of the flood is under way, and not three', async () => {
  const turns = stage(3, 6)
  for (let index = 0; index < 3; index++) turns.enter(`large ${index}`, () => 20)
  flood(turns)
  await setImmediate()
  expect(turns.begun).toHaveLength(1)
  turns.lanes.add('light', -1)
  turns.look()
  await setImmediate()
  expect(turns.begun).toHaveLength(3)
})
