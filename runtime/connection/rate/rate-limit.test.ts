import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/clocks/manual-clock.ts'
import { asId, type Connection, type ConnectionId, type OrganizationId } from '../../domain/index.ts'
import { loadPluginFolder, type SendResult } from '../../plugin/index.ts'
import { LocalPermitSource } from '../../rate-limit/index.ts'
import type { Deadline } from '../send/deadline.ts'
import { RateLimiter } from './rate-limit.ts'

const browser = await loadPluginFolder(fileURLToPath(new URL('../../../plugins/browser', import.meta.url)))
const mailsec = await loadPluginFolder(fileURLToPath(new URL('../../../plugins/mailsec', import.meta.url)))
const connectionOf = (id: string): Connection => ({ id: asId<ConnectionId>(id), instance: id }) as unknown as Connection

function answered(status: number, headers: Record<string, string> = {}): SendResult {
  return { effect: 'done', answer: { status, headers, body: null } }
}

/** Makes a limiter on a manual clock. Records what was sent, and the results. */
function watched() {
  const clock = new ManualClock()
  const limiter = new RateLimiter(clock, new LocalPermitSource(clock))
  const start = clock.now()
  const sent: { readonly at: number; readonly timeout: number }[] = []
  const results: SendResult[] = []
  const call = async (
    deadline: Partial<Deadline> = {},
    answer = answered(200),
    connection = 'main',
    plugin = browser,
    lane = 'run',
  ): Promise<void> => {
    const whole: Deadline = { timeout: 30_000, sendBy: null, signal: new AbortController().signal, ...deadline }
    const send = async (left: Deadline): Promise<SendResult> => {
      sent.push({ at: clock.now() - start, timeout: left.timeout })
      return answer
    }
    results.push(await limiter.send({ plugin, connection: connectionOf(connection), lane, deadline: whole, key: () => connection }, send))
  }
  const advance = async (milliseconds: number): Promise<void> => {
    await turnOfLoop()
    for (let done = 0; done < milliseconds; done += 50) {
      clock.advance(50)
      await turnOfLoop()
    }
  }
  return { clock, start, sent, results, call, advance }
}

const several = (count: number, call: () => Promise<void>): void => {
  for (let number = 0; number < count; number += 1) void call()
}

test("a connection sends at its manifest's rate: ten at once, then ten a second", async () => {
  const { sent, call, advance } = watched()
  several(25, call)
  await advance(0)
  expect(sent).toHaveLength(10)
  await advance(1_000)
  expect(sent).toHaveLength(20)
  await advance(500)
  expect(sent).toHaveLength(25)
})

test('connections do not wait for each other, and without a limit a plugin does not wait at all', async () => {
  const { sent, call, advance } = watched()
  several(11, call)
  several(1, () => call({}, answered(200), 'other'))
  several(50, () => call({}, answered(200), 'mail', mailsec))
  await advance(0)
  expect(sent).toHaveLength(10 + 1 + 50)
})

test("a read's time-out includes the wait; a write's does not", async () => {
  const { clock, sent, call, advance } = watched()
  several(10, call)
  void call({ timeout: 1_000 })
  void call({ timeout: 1_000, sendBy: clock.now() + 1_000 })
  await advance(500)
  expect(sent.slice(10)).toEqual([
    { at: 100, timeout: 900 },
    { at: 200, timeout: 1_000 },
  ])
})

test('a write whose permit would come after its sendBy is not sent, and may be retried', async () => {
  const { clock, sent, results, call, advance } = watched()
  several(15, call)
  void call({ sendBy: clock.now() + 300 })
  await advance(5_000)
  expect(sent).toHaveLength(15)
  const failed = results.filter(({ effect }) => effect !== 'done')
  expect(failed).toEqual([{ effect: 'not_sent', code: 'rate_limited', message: expect.stringContaining('main'), retryAfter: expect.any(Number) }])
})

test('a read whose permit does not come within its time-out is not sent', async () => {
  const { sent, results, call, advance } = watched()
  several(15, call)
  void call({ timeout: 300 })
  await advance(5_000)
  expect(sent).toHaveLength(15)
  expect(results.filter(({ effect }) => effect === 'not_sent')).toHaveLength(1)
})

test('a 429 holds the whole connection for as long as it says', async () => {
  const { sent, call, advance } = watched()
  void call({}, answered(429, { 'retry-after': '2' }))
  await advance(50)
  several(2, call)
  await advance(1_900)
  expect(sent).toHaveLength(1)
  await advance(200)
  expect(sent.map(({ at }) => at)).toEqual([0, 2_000, 2_100])
})

test('a request that an earlier 429 keeps back says so, and for how long', async () => {
  const { results, call, advance } = watched()
  void call({}, answered(429, { 'retry-after': '120' }))
  await advance(1_500)
  void call({ timeout: 10_000 })
  await advance(50)
  expect(results[1]).toEqual({
    effect: 'not_sent',
    code: 'rate_limited',
    message:
      'The request could not leave in time: the system of the connection main answered 429 to an earlier request, so Tocsin asks it nothing for another 119 s.',
    retryAfter: 119,
  })
})

test('a 429 that does not say how long holds the connection for one interval', async () => {
  const { sent, call, advance } = watched()
  void call({}, answered(429))
  await advance(50)
  void call()
  await advance(2_000)
  expect(sent.map(({ at }) => at)).toEqual([0, 1_000])
})

test('while the connection is held for longer than a call may wait, the call fails at once and says how long', async () => {
  const { sent, results, call, advance } = watched()
  void call({}, answered(429, { 'retry-after': '90' }))
  await advance(0)
  void call()
  await advance(0)
  expect(sent).toHaveLength(1)
  expect(results[1]).toMatchObject({ effect: 'not_sent', code: 'rate_limited', retryAfter: 90 })
})

test('no answer holds a connection for more than an hour', async () => {
  const { clock, sent, call, advance } = watched()
  void call({}, answered(429, { 'retry-after': '999999999' }))
  await advance(0)
  clock.advance(3_600_000)
  void call()
  await advance(0)
  expect(sent).toHaveLength(2)
})

test('an abandoned call is not sent', async () => {
  const { sent, results, call, advance } = watched()
  const controller = new AbortController()
  several(10, call)
  void call({ signal: controller.signal })
  await advance(0)
  controller.abort()
  await advance(1_000)
  expect(sent).toHaveLength(10)
  expect(results.at(-1)).toMatchObject({ effect: 'not_sent', code: 'network' })
})

test('one run with many calls does not keep another waiting', async () => {
  const { sent, results, call, advance } = watched()
  several(100, call)
  void call({ timeout: 500 }, answered(201), 'main', browser, 'other run')
  await advance(300)
  expect(sent).toHaveLength(13)
  expect(results).toContainEqual(answered(201))
})

describe('a request counts when it is sent', () => {
  const passed: SendResult = { effect: 'not_sent', code: 'rate_limited', message: '', turnPassed: true }

  /** Sends like egress: a request that has no connection soon enough needs another permit. */
  function cold(connectsIn: (number: number) => number) {
    const clock = new ManualClock()
    const limiter = new RateLimiter(clock, new LocalPermitSource(clock))
    const start = clock.now()
    const sent: number[] = []
    const results: SendResult[] = []
    const call = async (number: number, reaches: boolean): Promise<void> => {
      let connected = false
      const connect = async (): Promise<void> => {
        if (!connected) await clock.sleep(connectsIn(number), new AbortController().signal)
        connected = true
      }
      const deadline: Deadline = { timeout: 30_000, sendBy: null, signal: new AbortController().signal }
      const leaving = {
        plugin: browser,
        connection: connectionOf('main'),
        key: () => 'main',
        lane: 'run',
        deadline,
        ...(reaches && { reach: connect }),
      }
      const send = async ({ leaveBy = null }: Deadline): Promise<SendResult> => {
        await connect()
        if (leaveBy !== null && clock.now() > leaveBy) return passed
        sent.push(clock.now() - start)
        return answered(200)
      }
      results.push(await limiter.send(leaving, send))
    }
    const advance = async (milliseconds: number): Promise<void> => {
      for (let done = 0; done < milliseconds; done += 10) {
        await turnOfLoop()
        clock.advance(10)
      }
      await turnOfLoop()
    }
    return { sent, results, call, advance }
  }

  /** Returns the most requests that were sent within one second. */
  const most = (sent: readonly number[]): number => Math.max(...sent.map((at) => sent.filter((other) => other >= at && other < at + 1_000).length))

  test.each([true, false])('connections that open slowly do not cause a burst above the rate (opened before the permit: %s)', async (reaches) => {
    // Each connection takes so long that several permits come before it is ready.
    const { sent, results, call, advance } = cold(() => 900)
    for (let number = 0; number < 30; number += 1) void call(number, reaches)
    await advance(8_000)
    expect(results.filter(({ effect }) => effect === 'done')).toHaveLength(30)
    // A burst of ten, and ten more within the second.
    expect(most(sent)).toBeLessThanOrEqual(20)
  })

  test('a request that opens its connection before its permit loses no permit', async () => {
    const { sent, call, advance } = cold(() => 900)
    for (let number = 0; number < 10; number += 1) void call(number, true)
    await advance(1_000)
    expect(sent).toHaveLength(10)
  })

  test('a connection that never opens in time does not keep the request for ever', async () => {
    const clock = new ManualClock()
    const limiter = new RateLimiter(clock, new LocalPermitSource(clock))
    const deadline: Deadline = { timeout: 30_000, sendBy: null, signal: new AbortController().signal }
    const tolerance: (number | null)[] = []
    const leaving = { plugin: browser, connection: connectionOf('main'), key: () => 'main', lane: 'run', deadline }
    const result = await limiter.send(leaving, async ({ leaveBy = null }) => {
      tolerance.push(leaveBy === null ? null : leaveBy - clock.now())
      return leaveBy === null ? answered(200) : passed
    })
    expect(result).toEqual(answered(200))
    expect(tolerance).toEqual([100, 200, 400, null])
  })
})

test('organizations take turns at a shared limit, however many runs each of them has', async () => {
  const clock = new ManualClock()
  const limiter = new RateLimiter(clock, new LocalPermitSource(clock))
  const sent: string[] = []
  const call = (organization: string, run: string): void => {
    const deadline: Deadline = { timeout: 30_000, sendBy: null, signal: new AbortController().signal }
    const leaving = { plugin: browser, connection: connectionOf('shared'), key: () => 'shared', lane: run, deadline }
    void limiter.send({ ...leaving, organization: asId<OrganizationId>(organization) }, async () => {
      sent.push(run)
      return answered(200)
    })
  }
  for (let number = 0; number < 60; number += 1) call('large', `large ${number}`)
  call('small', 'small')
  await turnOfLoop()
  expect(sent).toHaveLength(10)
  clock.advance(100)
  await turnOfLoop()
  clock.advance(100)
  await turnOfLoop()
  expect(sent).toContain('small')
})
