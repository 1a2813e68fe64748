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
