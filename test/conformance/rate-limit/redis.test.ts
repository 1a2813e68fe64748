import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../runtime/config/seams.ts'
import { RateLimiter } from '../../../runtime/connection/index.ts'
import { asId, type Connection, type ConnectionId } from '../../../runtime/domain/index.ts'
import type { Plugin, SendResult } from '../../../runtime/plugin/index.ts'
import { openRedisPermitSource, type PermitSource } from '../../../runtime/rate-limit/index.ts'
import { permitConformance, rounded, slow } from './suite.ts'

const url = process.env['REDIS_URL']
// These tests need a Redis. Without REDIS_URL they are skipped.
if (url) onRedis(url)
else {
  console.log('skipped: rate limit conformance on Redis (REDIS_URL is not set)')
  test.skip('rate limit conformance on Redis (REDIS_URL is not set)')
}

function onRedis(url: string): void {
  const run = `test-${randomUUID()}`
  let count = 0
  const reports: unknown[] = []
  const open = (prefix: string): Promise<PermitSource> =>
    openRedisPermitSource({ url, prefix, clock: systemClock, report: (error) => reports.push(error) })
  const admin = new Redis(url)
  const day = 86_400_000

  async function keys(prefix: string): Promise<string[]> {
    const found: string[] = []
    for await (const page of admin.scanStream({ match: `${prefix}*`, count: 1_000 })) found.push(...(page as string[]))
    return found
  }

  afterAll(async () => {
    for (const key of await keys(run)) await admin.unlink(key)
    admin.disconnect()
  })

  permitConformance('Redis', () => open(`${run}-${count++}`))

  describe('permits that processes share', () => {
    let prefix: string
    let one: PermitSource
    let two: PermitSource
    const main: ConnectionId = asId('main')

    beforeEach(async () => {
      prefix = `${run}-${count++}`
      one = await open(prefix)
      two = await open(prefix)
    })
    afterEach(() => {
      one.close()
      two.close()
      expect(reports.splice(0)).toEqual([])
    })

    test('however two processes ask at once, no window has more requests than the rate and the burst', async () => {
      const began = performance.now()
      const asking = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? one : two).take(main, slow, 3, day))
      const taken = (await Promise.all(asking)).flatMap(({ delays }) => delays)
      // The test itself takes less than half a spacing. Otherwise it proves nothing.
      expect(performance.now() - began).toBeLessThan(50_000)
      const times = taken.map(rounded).sort((a, b) => a - b)
      expect(times.slice(0, 3)).toEqual([0, 0, 0])
      for (const from of times) {
        expect(times.filter((at) => at >= from && at < from + slow.interval).length).toBeLessThanOrEqual(slow.requests + slow.burst - 1)
      }
      // No permit is lost either.
      expect(times.slice(3)).toEqual(Array.from({ length: times.length - 3 }, (_, index) => (index + 1) * 100_000))
    })

    test('a hold by one process holds the other', async () => {
      await one.hold(main, slow, 3_000_000)
      expect(rounded(await two.heldFor(main))).toBe(3_000_000)
      expect((await two.take(main, slow, 1, 1_000_000)).delays).toEqual([])
    })

    test('a connection is one key of the installation, which expires once it has no effect', async () => {
      await one.take(main, slow, 3, day)
      await one.take(main, slow, 3, day)
      expect(await keys(prefix)).toEqual([`${prefix}:pace:main`])
      const left = await admin.pttl(`${prefix}:pace:main`)
      expect(left).toBeGreaterThan(350_000)
      expect(left).toBeLessThanOrEqual(401_000)
      await one.hold(main, slow, 3_000_000)
      expect(await admin.pttl(`${prefix}:pace:main`)).toBeGreaterThan(2_900_000)
      expect(Object.keys(await admin.hgetall(`${prefix}:pace:main`)).sort()).toEqual(['busy', 'held', 'seen', 'spacing'])
    })

    test('a clock of Redis that was set back does not keep the connection closed', async () => {
      const [seconds] = await admin.time()
      const ahead = String((Number(seconds) + 3_600) * 1_000_000)
      await admin.hset(`${prefix}:pace:main`, { busy: ahead, held: ahead, seen: ahead })
      expect(await one.heldFor(main)).toBe(0)
      expect((await one.take(main, slow, 5, day)).delays).toEqual([0, 0, 0])
    })

    test('two processes together send at the rate of one, and a 429 for one stops both', async () => {
      const rate = { requests: 20, interval: 1_000, burst: 5 }
      const limiters = [new RateLimiter(systemClock, one), new RateLimiter(systemClock, two)]
      const sent: number[] = []
      const began = performance.now()
      const answered = (status: number, headers = {}): SendResult => ({ effect: 'done', answer: { status, headers, body: null } })
      const call = (process: number, answer = answered(200)): Promise<SendResult> | undefined =>
        limiters[process]?.send(
          {
            plugin: { manifest: { rateLimit: rate } } as Plugin,
            connection: { id: main, instance: 'main' } as Connection,
            key: () => main,
            lane: 'run',
            deadline: { timeout: 60_000, sendBy: null, signal: new AbortController().signal },
          },
          async () => {
            sent.push(performance.now() - began)
            return answer
          },
        )
      await Promise.all(Array.from({ length: 40 }, (_, index) => call(index % 2)))
      expect(sent).toHaveLength(40)
      // A request may be late on a busy machine, but never early. Timers may fire up to 5 ms early.
      for (const [index, at] of sent.entries()) expect(at).toBeGreaterThanOrEqual((index - 4) * 50 - 5)
      await call(0, answered(429, { 'retry-after': '1' }))
      await Promise.all([call(0), call(1)])
      expect(sent[41]).toBeGreaterThanOrEqual((sent[40] ?? 0) + 1_000 - 5)
    })
  })
}
