import { expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import { whenCleared } from './cleared.ts'
import type { OutboundRequest, OutboundResult } from './types.ts'

test('a write whose connection is ever slower than its clearance lasts leaves in the end, within its time', async () => {
  const clock = new ManualClock()
  const began = clock.now()
  const request = { timeout: 30_000, sendBy: began + 30_000, clearance: async () => null } as Partial<OutboundRequest> as OutboundRequest
  const left: number[] = []
  const done = { effect: 'done' } as Partial<OutboundResult> as OutboundResult
  const result = await whenCleared(request, clock, undefined, async (_, cleared) => {
    left.push(cleared.left)
    clock.advance(1_800)
    return clock.now() > cleared.clearedUntil ? 'stale' : done
  })
  expect(result).toBe(done)
  expect(left).toEqual([30_000, 28_200, 26_400])
})

test('what its clearance said before the process stood still is no clearance any more', async () => {
  const clock = new ManualClock()
  const began = clock.now()
  const stands = [60_000, 0]
  const clearance = async (): Promise<null> => {
    clock.advance(stands.shift() ?? 0)
    return null
  }
  const request = { timeout: 300_000, sendBy: began + 300_000, clearance } as Partial<OutboundRequest> as OutboundRequest
  const done = { effect: 'done' } as Partial<OutboundResult> as OutboundResult
  const old: boolean[] = []
  await whenCleared(request, clock, undefined, async (_, { clearedUntil }) => {
    old.push(clock.now() > clearedUntil)
    return old.at(-1) ? 'stale' : done
  })
  expect(old).toEqual([true, false])
})

test('a read is not asked about', async () => {
  const clock = new ManualClock()
  const request = { timeout: 30_000, sendBy: null } as Partial<OutboundRequest> as OutboundRequest
  const refused = { effect: 'not_sent', code: 'network', message: '' } as const
  expect(
    await whenCleared(request, clock, undefined, async (_, { clearedUntil }) => {
      expect(clearedUntil).toBe(Number.POSITIVE_INFINITY)
      return refused
    }),
  ).toBe(refused)
})
