import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asId, type ConnectionId } from '../../../runtime/domain/index.ts'
import { openRedisPermitSource, type PermitSource, type Permits } from '../../../runtime/rate-limit/index.ts'
import { answersWithin, silenceAfterFault } from '../../../runtime/rate-limit/shared.ts'
import { ManualClock } from '../../support/clocks/manual-clock.ts'
import { RedisServer, redisServerOnPath } from '../../support/stores/redis-server.ts'
import { SilentProxy } from '../queue/silent-proxy.ts'
import { until } from '../queue/support.ts'
import { rounded, slow } from './suite.ts'

// These tests start a Redis of their own. Without redis-server on the PATH they are skipped.
if (!redisServerOnPath) console.log('skipped: shared permits when Redis fails (redis-server is not on the PATH)')

describe.skipIf(!redisServerOnPath)('shared permits, when Redis fails', () => {
  let server: RedisServer
  let clock: ManualClock
  let reports: unknown[]
  let one: PermitSource
  let two: PermitSource
  const main: ConnectionId = asId('main')
  const day = 86_400_000

  const open = (url = server.url): Promise<PermitSource> =>
    openRedisPermitSource({ url, prefix: 'test', clock, report: (error) => reports.push(error) })
  const take = (source: PermitSource, most = 10): Promise<Permits> => source.take(main, slow, most, day)
  const delays = async (source: PermitSource, most = 10): Promise<number[]> => (await take(source, most)).delays.map(rounded)

  /** Returns the result if it needs nothing outside this process; otherwise `waits`. */
  async function atOnce<T>(asking: Promise<T>): Promise<T | 'waits'> {
    return Promise.race([asking, turnOfLoop('waits' as const)])
  }

  /** Advances the clock past the time limit for Redis as soon as the call waits for Redis. */
  async function afterSilence<T>(asking: Promise<T>): Promise<T> {
    await turnOfLoop()
    clock.advance(answersWithin)
    return asking
  }

  /** Waits until a process shares permits again: another process sees what it takes. */
  async function shares(source: PermitSource, other: PermitSource): Promise<void> {
    await until(async () => {
      clock.advance(silenceAfterFault)
      await server.ask((client) => client.flushall())
      await other.hold(main, slow, 90_000_000)
      expect(await source.heldFor(main)).toBeGreaterThan(0)
    })
  }

  beforeAll(async () => {
    server = await RedisServer.start()
  })
  afterAll(() => server.remove())
  beforeEach(async () => {
    clock = new ManualClock()
    reports = []
    one = await open()
    two = await open()
  })
  afterEach(async () => {
    one.close()
    two.close()
    await server.ask((client) => client.flushall())
  })

  test('a flush gives each process at most one more burst, and is no failure', async () => {
    expect(await delays(one)).toEqual([0, 0, 0])
    expect(await delays(two)).toEqual([100_000])
    await server.ask((client) => client.flushall())
    expect(await delays(one)).toEqual([100_000])
    expect(await delays(two)).toEqual([0, 0])
    // From now on they share again.
    expect(await delays(two)).toEqual([100_000])
    expect(await delays(one)).toEqual([200_000])
    expect(reports).toEqual([])
  })

  test('a process keeps its own hold after a flush', async () => {
    await one.hold(main, slow, 1_000_000)
    await server.ask((client) => client.flushall())
    expect(await one.heldFor(main)).toBe(1_000_000)
    expect(await delays(one)).toEqual([1_000_000])
  })

  test('scripts that Redis has forgotten are sent again', async () => {
    await delays(one)
    await server.ask((client) => client.script('FLUSH'))
    expect(await delays(two)).toEqual([100_000])
  })

  test('without Redis each process keeps to its own rate at once, and reports it once; when Redis is back they share again', async () => {
    expect(await delays(one)).toEqual([0, 0, 0])
    await server.kill()
    expect(await delays(one)).toEqual([100_000])
    expect(await delays(two)).toEqual([0, 0, 0])
    for (let round = 0; round < 3; round += 1) {
      clock.advance(silenceAfterFault)
      expect(await delays(one)).toHaveLength(1)
      expect(await delays(two)).toHaveLength(1)
    }
    expect(reports).toHaveLength(2)
    for (const report of reports) expect(report).toMatchObject({ code: 'queue_unavailable' })
    await server.start()
    await shares(one, two)
  })

  test('a hanging Redis is waited for only once, and used again when it answers', async () => {
    await delays(two)
    server.pause()
    try {
      expect((await afterSilence(take(one))).delays).toEqual([0, 0, 0])
      expect(await atOnce(take(one))).toMatchObject({ delays: [expect.any(Number)] })
      expect(await atOnce(one.heldFor(main))).toBe(0)
      expect(reports).toHaveLength(1)
    } finally {
      server.resume()
    }
    await shares(one, two)
  })

  test('a silent connection is replaced', async () => {
    const proxy = await SilentProxy.open(server.url)
    const far = await open(proxy.url)
    try {
      expect(await delays(far)).toEqual([0, 0, 0])
      proxy.silence()
      expect((await afterSilence(take(far))).delays).toHaveLength(1)
      await shares(far, two)
    } finally {
      far.close()
      proxy.close()
    }
  })

  test('it opens without Redis, and its report has no password', async () => {
    const alone = await open('redis://user:hunter2@127.0.0.1:1')
    expect(reports).toEqual([])
    expect(await delays(alone)).toEqual([0, 0, 0])
    expect(reports.map(String).join()).toContain('127.0.0.1:1')
    expect(reports.map(String).join()).not.toContain('hunter2')
    alone.close()
  })
})
