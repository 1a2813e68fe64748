import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { asId, type ConnectionId } from '../../../runtime/domain/index.ts'
import type { PermitSource, Permits, Rate } from '../../../runtime/rate-limit/index.ts'

/** One request every hundred seconds: so slow that the duration of a test does not matter. */
export const slow: Rate = { requests: 10, interval: 1_000_000, burst: 3 }
const spacing = 100_000
const day = 86_400_000

/** Rounds a delay to whole spacings, as if the test took no time. */
export const rounded = (delay: number): number => Math.round(delay / spacing) * spacing

/** Tests what runtime/rate-limit/port.ts says, case by case, for every implementation. */
export function permitConformance(implementation: string, open: () => Promise<PermitSource>): void {
  describe(`rate limit conformance: ${implementation}`, () => {
    let source: PermitSource
    const main: ConnectionId = asId('main')
    beforeEach(async () => {
      source = await open()
    })
    afterEach(() => source.close())

    const take = (most: number, within = day, connection = main, rate = slow): Promise<Permits> => source.take(connection, rate, most, within)
    const delays = async (most: number, within = day): Promise<number[]> => (await take(most, within)).delays.map(rounded)

    test('a burst at once, then the next permit and no more', async () => {
      expect(await delays(10)).toEqual([0, 0, 0])
      expect(await delays(10)).toEqual([spacing])
      expect(await delays(10)).toEqual([2 * spacing])
    })

    test('returns no more than requested', async () => {
      expect(await delays(2)).toEqual([0, 0])
      expect(await delays(2)).toEqual([0])
    })

    test('permits that follow shortly after each other are taken together', async () => {
      const quick = { requests: 1_000, interval: 10_000, burst: 1 }
      await source.hold(main, quick, 1_000_000)
      const { delays } = await take(100, day, main, quick)
      expect(delays).toHaveLength(6)
      expect(delays.map((delay) => delay - (delays[0] ?? 0))).toEqual([0, 10, 20, 30, 40, 50])
    })

    test('a permit that comes too late is not taken, and the result says when it comes', async () => {
      await take(3)
      const { delays, opensIn } = await take(1, spacing / 2)
      expect([delays, rounded(opensIn)]).toEqual([[], spacing])
      expect(rounded((await take(1)).delays[0] ?? 0)).toBe(spacing)
    })

    test('connections do not affect each other', async () => {
      await take(3)
      expect((await take(3, day, asId('other'))).delays).toEqual([0, 0, 0])
    })

    test('nothing leaves during a hold, and there is no burst after it', async () => {
      await source.hold(main, slow, 10 * spacing)
      expect(rounded(await source.heldFor(main))).toBe(10 * spacing)
      expect(await source.heldFor(asId('other'))).toBe(0)
      expect(await delays(3)).toEqual([10 * spacing])
      expect(await delays(3)).toEqual([11 * spacing])
    })

    test('a shorter hold does not end a longer one', async () => {
      await source.hold(main, slow, 10 * spacing)
      await source.hold(main, slow, spacing)
      expect(rounded(await source.heldFor(main))).toBe(10 * spacing)
    })

    test('permits that were given back are given again, unless others took permits after them', async () => {
      const all = await take(3)
      all.giveBack(1)
      expect(await delays(3)).toEqual([0])
      const [first, second] = [await take(1), await take(1)]
      first.giveBack(1)
      expect(await delays(1)).toEqual([3 * spacing])
      second.giveBack(1)
      expect(await delays(1)).toEqual([4 * spacing])
    })

    test('when the rate becomes faster, earlier permits count at the new rate', async () => {
      await take(3)
      const faster = { ...slow, burst: 1, requests: 40 }
      // At the new rate, three permits cover three times 25 seconds, and the burst is used up.
      const [delay = 0] = (await take(1, day, main, faster)).delays
      expect(Math.round(delay / 25_000)).toBe(3)
    })

    test('permits of a rate for a day do not keep a faster rate closed', async () => {
      const daily = { requests: 500, interval: day, burst: 500 }
      expect((await take(100, day, main, daily)).delays).toHaveLength(100)
      const faster = { requests: 1_000, interval: 60_000, burst: 100 }
      expect((await take(1, 60_000, main, faster)).delays).toHaveLength(1)
    })

    test('a hold stays when the rate becomes faster', async () => {
      await source.hold(main, slow, 10 * spacing)
      const faster = { requests: 1_000, interval: 60_000, burst: 100 }
      const { delays } = await take(100, day, main, faster)
      expect(delays.map(rounded)).toEqual([10 * spacing])
    })

    test('when the rate becomes slower, earlier permits cover the time that they covered', async () => {
      await take(3)
      const slower = { ...slow, burst: 1, requests: 5 }
      expect(rounded((await take(1, day, main, slower)).delays[0] ?? 0)).toBe(3 * spacing)
    })
  })
}
