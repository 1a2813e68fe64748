import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { asId, type ConnectionId } from '../../../runtime/domain/index.ts'
import type { PermitSource, Permits, Rate } from '../../../runtime/rate-limit/index.ts'

/** Slow enough that what a test takes is nothing beside it: a request every hundred seconds. */
export const slow: Rate = { requests: 10, interval: 1_000_000, burst: 3 }
const spacing = 100_000
const day = 86_400_000

/** A delay as it was given when everything took no time, to half a spacing. */
export const rounded = (delay: number): number => Math.round(delay / spacing) * spacing

/** What runtime/rate-limit/port.ts says, case by case, for every implementation. */
export function permitConformance(implementation: string, open: () => Promise<PermitSource>): void {
  describe(`pace conformance: ${implementation}`, () => {
    let source: PermitSource
    const main: ConnectionId = asId('main')
    beforeEach(async () => {
      source = await open()
    })
    afterEach(() => source.close())

    const take = (most: number, within = day, connection = main, rate = slow): Promise<Permits> => source.take(connection, rate, most, within)
    const delays = async (most: number, within = day): Promise<number[]> => (await take(most, within)).delays.map(rounded)

    test('a burst at once, then the next turn and no more', async () => {
      expect(await delays(10)).toEqual([0, 0, 0])
      expect(await delays(10)).toEqual([spacing])
      expect(await delays(10)).toEqual([2 * spacing])
    })

    test('no more than was asked for', async () => {
      expect(await delays(2)).toEqual([0, 0])
      expect(await delays(2)).toEqual([0])
    })

    test('turns that follow shortly are taken together', async () => {
      const quick = { requests: 1_000, interval: 10_000, burst: 1 }
      await source.hold(main, quick, 1_000_000)
      const { delays } = await take(100, day, main, quick)
      expect(delays).toHaveLength(6)
      expect(delays.map((delay) => delay - (delays[0] ?? 0))).toEqual([0, 10, 20, 30, 40, 50])
    })

    test('a turn that comes too late is not taken, and it is said when it comes', async () => {
      await take(3)
      const { delays, opensIn } = await take(1, spacing / 2)
      expect([delays, rounded(opensIn)]).toEqual([[], spacing])
      expect(rounded((await take(1)).delays[0] ?? 0)).toBe(spacing)
    })

    test('connections have nothing to do with each other', async () => {
      await take(3)
      expect((await take(3, day, asId('other'))).delays).toEqual([0, 0, 0])
    })

    test('while it is held nothing leaves, and after that no burst', async () => {
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

    test('what was given back is given again, unless others took turns after it', async () => {
      const all = await take(3)
      all.giveBack(1)
      expect(await delays(3)).toEqual([0])
      const [first, second] = [await take(1), await take(1)]
      first.giveBack(1)
      expect(await delays(1)).toEqual([3 * spacing])
      second.giveBack(1)
      expect(await delays(1)).toEqual([4 * spacing])
    })

    test('the rate may change; what was given counts on', async () => {
      await take(3)
      const faster = { ...slow, burst: 1, requests: 20 }
      // Three hundred seconds are taken, and there is no burst any more.
      expect(rounded((await take(1, day, main, faster)).delays[0] ?? 0)).toBe(3 * spacing)
    })
  })
}
