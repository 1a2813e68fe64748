import { expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import { sendUnlessPaused } from './send-unless-paused.ts'
import type { OutboundRequest, OutboundResult } from './types.ts'

test('a write whose connection always takes longer than a pause check is valid still leaves, within its time', async () => {
  const clock = new ManualClock()
  const began = clock.now()
  const request = { timeout: 30_000, sendBy: began + 30_000, pauseCheck: async () => null } as Partial<OutboundRequest> as OutboundRequest
  const left: number[] = []
  const done = { effect: 'done' } as Partial<OutboundResult> as OutboundResult
  const result = await sendUnlessPaused(request, clock, undefined, async (_, checked) => {
    left.push(checked.left)
    clock.advance(1_800)
    return clock.now() > checked.freshUntil ? 'stale' : done
  })
  expect(result).toBe(done)
  expect(left).toEqual([30_000, 28_200, 26_400])
})

test('a pause check from before the process was suspended is not valid', async () => {
  const clock = new ManualClock()
  const began = clock.now()
  const stands = [60_000, 0]
  const pauseCheck = async (): Promise<null> => {
    clock.advance(stands.shift() ?? 0)
    return null
  }
  const request = { timeout: 300_000, sendBy: began + 300_000, pauseCheck } as Partial<OutboundRequest> as OutboundRequest
  const done = { effect: 'done' } as Partial<OutboundResult> as OutboundResult
  const old: boolean[] = []
  await sendUnlessPaused(request, clock, undefined, async (_, { freshUntil }) => {
    old.push(clock.now() > freshUntil)
    return old.at(-1) ? 'stale' : done
  })
  expect(old).toEqual([true, false])
})

test('a read has no pause check', async () => {
  const clock = new ManualClock()
  const request = { timeout: 30_000, sendBy: null } as Partial<OutboundRequest> as OutboundRequest
  const refused = { effect: 'not_sent', code: 'network', message: '' } as const
  expect(
    await sendUnlessPaused(request, clock, undefined, async (_, { freshUntil }) => {
      expect(freshUntil).toBe(Number.POSITIVE_INFINITY)
      return refused
    }),
  ).toBe(refused)
})
