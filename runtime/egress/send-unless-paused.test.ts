import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import { asId, type PauseId } from '../domain/index.ts'
import { sendUnlessPaused } from './send-unless-paused.ts'
import type { Denial, OutboundRequest, OutboundResult } from './types.ts'

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

describe('a check that was begun ahead', () => {
  const denial = { code: 'paused', message: '', turnedAway: { pause: asId<PauseId>('p') } } as const
  /** Sends a write with a check that was begun so long ago, and tells how often it was asked again and until when the last check counts. */
  async function sent(age: number, told: Denial | null, stale = 0) {
    const clock = new ManualClock()
    const began = clock.now()
    let asked = 0
    const pauseCheck = Object.assign(
      async () => {
        asked += 1
        return null
      },
      { ahead: { at: began - age, denial: Promise.resolve(told) } },
    )
    const request = { timeout: 30_000, sendBy: began + 30_000, pauseCheck } as Partial<OutboundRequest> as OutboundRequest
    const until: number[] = []
    const result = await sendUnlessPaused(request, clock, undefined, async (_, { freshUntil }) => {
      until.push(freshUntil - began)
      return until.length > stale ? ({ effect: 'done' } as Partial<OutboundResult> as OutboundResult) : 'stale'
    })
    return { effect: result.effect, asked, until }
  }

  test.each([
    [0, { asked: 0, until: [500] }],
    [400, { asked: 0, until: [100] }],
    [499, { asked: 0, until: [1] }],
    [500, { asked: 1, until: [500] }],
    [-1, { asked: 1, until: [500] }],
  ])('%d ms before the write leaves', async (age, expected) => {
    expect(await sent(age, null)).toEqual({ effect: 'done', ...expected })
  })

  test('denies like any other, unless it is too old', async () => {
    expect(await sent(100, denial)).toEqual({ effect: 'not_sent', asked: 0, until: [] })
    expect(await sent(600, denial)).toMatchObject({ effect: 'done', asked: 1 })
  })

  test('counts once: a write that does not leave in time asks again', async () => {
    expect(await sent(100, null, 1)).toEqual({ effect: 'done', asked: 1, until: [400, 1_000] })
  })
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
