import { beforeEach, expect, test } from 'vitest'
import { type Loop, loopTurns } from './turns.ts'

/** An event loop that the test moves on. */
class ManualLoop implements Loop {
  time = 0
  #callbacks: (() => void)[] = []

  elapsed(): number {
    return this.time
  }

  soon(callback: () => void): void {
    this.#callbacks.push(callback)
  }

  /** Runs one pass. What it schedules waits for the next pass. */
  async pass(): Promise<void> {
    for (const callback of this.#callbacks.splice(0)) callback()
    for (let i = 0; i < 10; i += 1) await Promise.resolve()
  }
}

let loop: ManualLoop

beforeEach(() => {
  loop = new ManualLoop()
})

test('short work never waits', () => {
  const turns = loopTurns(loop)
  expect(turns.next('a')).toBeNull()
  loop.time += 7
  expect(turns.next('a')).toBeNull()
})

test('work that has held the loop too long waits for the next pass', async () => {
  const turns = loopTurns(loop)
  expect(turns.next('a')).toBeNull()
  loop.time += 8
  let went = false
  const waiting = turns.next('a')?.then(() => {
    went = true
  })
  expect(went).toBe(false)
  await loop.pass()
  await waiting
  expect(went).toBe(true)
})

test('each pass lets one caller go on, and the keys take turns', async () => {
  const turns = loopTurns(loop)
  turns.next('a')
  loop.time += 8
  const order: string[] = []
  for (const name of ['a1', 'a2', 'b1']) void turns.next(name[0] ?? '')?.then(() => order.push(name))
  await loop.pass()
  expect(order).toEqual(['a1'])
  // This pass has used no time yet, but others are waiting already.
  void turns.next('c')?.then(() => order.push('c1'))
  await loop.pass()
  expect(order).toEqual(['a1', 'b1'])
  await loop.pass()
  await loop.pass()
  expect(order).toEqual(['a1', 'b1', 'a2', 'c1'])
})

test('a pass without work resets the time', async () => {
  const turns = loopTurns(loop)
  turns.next('a')
  await loop.pass()
  loop.time += 1_000
  expect(turns.next('a')).toBeNull()
})
