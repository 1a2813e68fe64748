import { expect, test } from 'vitest'
import { JumpingClock } from './jumping-clock.ts'

test('wakes parallel sleepers in order, and no real time passes', async () => {
  const clock = new JumpingClock(1_000)
  const woken: string[] = []
  const sleeper = async (name: string, ...delays: number[]): Promise<void> => {
    for (const delay of delays) {
      await clock.sleep(delay)
      woken.push(`${name} ${clock.now()}`)
    }
  }
  await Promise.all([sleeper('hours', 7_200_000), sleeper('minutes', 60_000, 60_000)])
  expect(woken).toEqual(['minutes 61000', 'minutes 121000', 'hours 7201000'])
})

test('stands still while work is running', async () => {
  const clock = new JumpingClock(0)
  let finish = (): void => {}
  const work = clock.during(() => new Promise<void>((resolve) => (finish = resolve)))
  let woken = false
  const asleep = clock.sleep(10).then(() => {
    woken = true
  })
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  expect([woken, clock.now()]).toEqual([false, 0])
  finish()
  await work
  await asleep
  expect(clock.now()).toBe(10)
})

test('does not wait for a cancelled timer, and ends an aborted sleep with the reason', async () => {
  const clock = new JumpingClock(0)
  clock.after(1_000, () => {})()
  const gone = new AbortController()
  const asleep = clock.sleep(50, gone.signal)
  gone.abort(new Error('enough'))
  await expect(asleep).rejects.toThrow('enough')
  await clock.sleep(5)
  expect(clock.now()).toBe(5)
})

test('of arrivals at the same time, the lowest order comes first, whenever it was asked for', async () => {
  const clock = new JumpingClock(100)
  const arrived: string[] = []
  const arrival = async (name: string, at: number, order: number): Promise<void> => {
    await clock.arrival(at, order)
    arrived.push(`${name} ${clock.now()}`)
  }
  const asked = [arrival('third', 200, 3), arrival('second', 200, 2), arrival('late', 300, 0), arrival('past', 50, 9)]
  await Promise.all([...asked, clock.sleep(200).then(() => arrived.push('slept'))])
  expect(arrived).toEqual(['past 100', 'second 200', 'third 200', 'late 300', 'slept'])
})
