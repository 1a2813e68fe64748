import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemIds } from '../../../runtime/config/index.ts'
import { type Alert, type AlertUuid, asId } from '../../../runtime/domain/index.ts'
import { EndWatch } from '../../../runtime/engine/index.ts'
import { type Hints, NamedHints, openRedisHints, type Topic } from '../../../runtime/hints/index.ts'
import type { Store } from '../../../runtime/storage/index.ts'
import { ManualClock } from '../../support/clocks/manual-clock.ts'
import { RedisServer, redisServerOnPath } from '../../support/stores/redis-server.ts'
import { until } from '../queue/support.ts'

// These tests start a Redis of their own. Without redis-server on the PATH they are skipped.
if (!redisServerOnPath) console.log('skipped: hints between processes (redis-server is not on the PATH)')

describe.skipIf(!redisServerOnPath)('hints between processes', () => {
  let server: RedisServer
  /** Stand for two processes. */
  let here: Hints
  let there: Hints
  let endsHere: NamedHints
  let endsThere: NamedHints
  const clock = new ManualClock()

  beforeAll(async () => {
    server = await RedisServer.start()
  })
  afterAll(() => server.remove())
  beforeEach(async () => {
    here = await openRedisHints({ url: server.url, prefix: 'test', ids: systemIds })
    there = await openRedisHints({ url: server.url, prefix: 'test', ids: systemIds })
    endsHere = new NamedHints(here.topic('ends'), clock)
    endsThere = new NamedHints(there.topic('ends'), clock)
  })
  afterEach(async () => {
    here.close()
    there.close()
    await until(async () => expect(await subscribed('*')).toEqual([]))
  })

  const subscribed = (pattern: string): Promise<unknown> => server.ask((client) => client.pubsub('CHANNELS', `test:${pattern}`))
  const wantedThere = (): Promise<void> => until(() => expect(there.topic('ends')?.wanted).toBe(true))

  function listening() {
    const heard: string[] = []
    let gaps = 0
    endsHere.listen({
      named: (names) => heard.push(...names),
      missed: () => {
        gaps += 1
      },
    })
    return { heard, gaps: () => gaps }
  }

  test('what one process tells, another one hears; a listener of another topic does not', async () => {
    const { heard } = listening()
    const other: string[] = []
    new NamedHints(here.topic('others'), clock).listen({ named: (names) => other.push(...names), missed() {} })
    await wantedThere()
    endsThere.tell('a')
    endsThere.tell('b')
    await until(() => expect(heard).toEqual(['a', 'b']))
    expect(other).toEqual([])
  })

  test('nothing is sent while nobody listens, and a process that begins to listen learns that it has missed something', async () => {
    const published: string[] = []
    await server.ask(async (client) => {
      client.on('pmessage', (_pattern, channel) => published.push(String(channel)))
      await client.psubscribe('test:ends')
      endsThere.tell('nobody hears this')
      const { heard, gaps } = listening()
      await wantedThere()
      await until(() => expect(gaps()).toBeGreaterThan(0))
      endsThere.tell('a')
      await until(() => expect(heard).toEqual(['a']))
    })
    // The gap and the second name.
    expect(published.length).toBeLessThanOrEqual(2)
  })

  test.each(['stopped', 'cut'] as const)('after Redis was %s, listeners learn that they have missed something, and hear again', async (how) => {
    const { heard, gaps } = listening()
    await wantedThere()
    const before = gaps()
    if (how === 'cut') await server.ask((client) => client.client('KILL', 'TYPE', 'pubsub'))
    else {
      await server.kill()
      endsThere.tell('lost')
      await server.start()
    }
    await until(() => expect(gaps()).toBeGreaterThan(before))
    await until(() => {
      endsThere.tell('a')
      expect(heard).toContain('a')
    })
    expect(heard).not.toContain('lost')
  })

  test('a flush of Redis changes nothing', async () => {
    const { heard } = listening()
    await wantedThere()
    await server.ask((client) => client.flushall())
    endsThere.tell('a')
    await until(() => expect(heard).toEqual(['a']))
  })

  describe('a process that listens', () => {
    const isAlone = (is: boolean): Promise<void> => until(() => expect(serves(here).alone).toBe(is))
    const serves = (process: Hints): Topic => process.topic('serves') as Topic

    test('knows that it is alone as soon as it has joined, and that it is not as soon as another one has', async () => {
      expect(serves(here).alone).toBe(false)
      await until(async () => {
        await serves(here).join()
        expect(serves(here).alone).toBe(true)
      })
      await serves(there).join()
      expect(serves(there).alone).toBe(false)
      await isAlone(false)
      there.close()
      await until(async () => {
        await serves(here).ask()
        expect(serves(here).alone).toBe(true)
      })
    })

    test('is not alone because of a process that does not listen', async () => {
      await serves(here).join()
      await isAlone(true)
      await serves(there).ask()
      expect([serves(here).alone, serves(there).alone]).toEqual([true, false])
    })

    test('does not count as alone while Redis cannot say so', async () => {
      await serves(here).join()
      await isAlone(true)
      await server.kill()
      await isAlone(false)
      await server.start()
      await isAlone(true)
    })

    test.each(['older', 'newer'] as const)('learns of another one that joined while the %s connection that sends was lost', async (which) => {
      await serves(here).join()
      await isAlone(true)
      const sending = async (): Promise<readonly string[]> => {
        const clients = String(await server.ask((client) => client.client('LIST')))
        return clients.split('\n').filter((line) => line.includes('name=test-hints-send '))
      }
      await until(async () => expect(await sending()).toHaveLength(2))
      const lost = (await sending()).map((line) => Number(/^id=(\d+)/.exec(line)?.[1])).sort((a, b) => a - b)[which === 'older' ? 0 : 1]
      await server.ask((client) => client.client('KILL', 'ID', lost ?? 0))
      await serves(there).join()
      await isAlone(false)
      await until(() => expect(serves(there).alone).toBe(false))
    })
  })

  describe('the end of an investigation', () => {
    const uuid = asId<AlertUuid>('01a2091a-eb28-77a2-8745-3c5a6015d226')
    const alert = { uuid, type: 't', status: 10, retryCount: 1 } as { -readonly [K in keyof Alert]: Alert[K] }
    const store = { alerts: { get: async () => [{ ...alert }] } } as unknown as Store
    const prove = (text: string): string => `proof-of-${text.length}`
    beforeEach(() => {
      alert.status = 10
    })

    test('another process is told how it ended, and reads nothing', async () => {
      const worker = new EndWatch(store, clock, endsThere, prove, null)
      const waiting = new EndWatch(store, clock, endsHere, prove, null).ended({ ...alert }, new AbortController().signal)
      await wantedThere()
      worker.notify(uuid, { ...alert, status: 15 })
      expect(await waiting).toEqual({ ...alert, status: 15 })
    })

    test('another process is told at once: its clock does not move', async () => {
      const worker = new EndWatch(store, clock, endsThere, prove, null)
      const waiting = new EndWatch(store, clock, endsHere, prove, null).ended({ ...alert }, new AbortController().signal)
      await wantedThere()
      alert.status = 15
      worker.notify(uuid, { ...alert })
      await waiting
    })

    test('a hint about an attempt that is not the last one ends no wait', async () => {
      const worker = new EndWatch(store, clock, endsThere, prove, null)
      let done = false
      const waiting = new EndWatch(store, clock, endsHere, prove, null).ended({ ...alert }, new AbortController().signal).then(() => {
        done = true
      })
      const { heard } = listening()
      await wantedThere()
      worker.notify(uuid, { ...alert, retryCount: 0, status: 20 })
      await until(() => expect(heard).toEqual([expect.stringContaining(uuid)]))
      expect(done).toBe(false)
      alert.status = 15
      worker.notify(uuid, { ...alert })
      await waiting
    })

    test('without Redis, the regular look finds it', async () => {
      await server.kill()
      const worker = new EndWatch(store, clock, endsThere, prove, null)
      const waiting = new EndWatch(store, clock, endsHere, prove, null).ended({ ...alert }, new AbortController().signal)
      alert.status = 15
      worker.notify(uuid, { ...alert })
      clock.advance(250)
      await waiting
      await server.start()
    })
  })
})
