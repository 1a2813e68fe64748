import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import { asId, type ConnectionId } from '../domain/index.ts'
import { LocalPermitSource } from './local.ts'
import type { PermitSource, Permits, Rate } from './port.ts'
import { answersWithin, SharedPermitSource, silenceAfterFault } from './shared.ts'

const main: ConnectionId = asId('main')
const rate: Rate = { requests: 10, interval: 1_000, burst: 3 }
const minute = 60_000

/** The shared permits, which answer as the test wants. */
class FakeShared implements PermitSource {
  readonly #clock: ManualClock
  #permits: LocalPermitSource
  asked = 0
  /** Null: they do not answer. */
  failure: Error | null | undefined
  #unanswered: (() => void)[] = []

  constructor(clock: ManualClock) {
    this.#clock = clock
    this.#permits = new LocalPermitSource(clock)
  }

  forget(): void {
    this.#permits = new LocalPermitSource(this.#clock)
  }

  take(...given: Parameters<PermitSource['take']>): Promise<Permits> {
    return this.#answer(() => this.#permits.take(...given))
  }

  hold(...given: Parameters<PermitSource['hold']>): Promise<void> {
    return this.#answer(() => this.#permits.hold(...given))
  }

  heldFor(connection: ConnectionId): Promise<number> {
    return this.#answer(() => this.#permits.heldFor(connection))
  }

  close(): void {}

  answerLate(): void {
    for (const answer of this.#unanswered.splice(0)) answer()
  }

  async #answer<T>(work: () => Promise<T>): Promise<T> {
    this.asked += 1
    if (this.failure) throw this.failure
    if (this.failure === null) await new Promise<void>((resolve) => this.#unanswered.push(resolve))
    return work()
  }
}

let clock: ManualClock
let shared: FakeShared
let reports: unknown[]
let one: PermitSource
let two: PermitSource

beforeEach(() => {
  clock = new ManualClock()
  shared = new FakeShared(clock)
  reports = []
  const process = (): PermitSource => new SharedPermitSource(new LocalPermitSource(clock), shared, clock, (error) => reports.push(error))
  one = process()
  two = process()
})

const delays = async (source: PermitSource, most = 10): Promise<readonly number[]> => (await source.take(main, rate, most, minute)).delays

/** Waits until the time limit for the shared permits has passed. Returns what the process answers then. */
async function afterSilence<T>(asking: Promise<T>): Promise<T> {
  await turnOfLoop()
  clock.advance(answersWithin)
  return asking
}

test('a permit is taken from the shared permits', async () => {
  expect(await delays(one)).toEqual([0, 0, 0])
  expect(await delays(two)).toEqual([100])
  expect(await delays(one)).toEqual([200])
})

test('a process keeps to the rate by itself if Redis has lost its data', async () => {
  expect(await delays(one)).toEqual([0, 0, 0])
  await two.hold(main, rate, 5_000)
  shared.forget()
  expect(await delays(one)).toEqual([100])
  expect(await delays(two)).toEqual([5_000])
  expect(reports).toEqual([])
})

test('permits of its own that the shared source did not match are given back', async () => {
  await delays(one, 2)
  expect(await delays(two, 3)).toEqual([0])
  expect(await delays(two, 3)).toEqual([100])
  shared.failure = new Error('down')
  // The process has used two of its own burst of three.
  expect(await delays(two, 3)).toEqual([0])
})

test('if Redis fails, each process uses its own permits at once, reports the fault once, and does not ask again for a while', async () => {
  await delays(one)
  shared.failure = new Error('down')
  expect(await delays(two)).toEqual([0, 0, 0])
  expect(await delays(two)).toEqual([100])
  expect(await delays(one)).toEqual([100])
  expect(await one.heldFor(main)).toBe(0)
  await one.hold(main, rate, 3_000)
  expect(await one.heldFor(main)).toBe(3_000)
  expect(await delays(two)).toEqual([200])
  expect(reports).toEqual([shared.failure, shared.failure])
  const asked = shared.asked
  clock.advance(silenceAfterFault - 1)
  await delays(two)
  expect(shared.asked).toBe(asked)
  clock.advance(1)
  await delays(two)
  expect(shared.asked).toBe(asked + 1)
  expect(reports).toHaveLength(2)
})

test('when Redis is back it is asked again, and its next failure is reported again', async () => {
  shared.failure = new Error('down')
  await delays(one)
  shared.failure = undefined
  clock.advance(silenceAfterFault)
  await delays(two)
  expect(await delays(one)).toEqual([100])
  shared.failure = new Error('down again')
  await delays(one)
  expect(reports.map(String)).toEqual(['Error: down', 'Error: down again'])
})

test('it waits only a moment for a silent Redis, this counts as waiting time, and permits that arrive later are given back', async () => {
  expect(await delays(one)).toEqual([0, 0, 0])
  clock.advance(1_000)
  expect(await delays(one)).toEqual([0, 0, 0])
  shared.failure = null
  // Its own next permit comes in 100 ms, and it waits 250 ms for the shared ones.
  expect(await afterSilence(delays(one, 1))).toEqual([0])
  expect(reports.map(String)).toEqual(['Error: Redis did not answer within 250 ms.'])
  const asked = shared.asked
  await delays(one)
  expect(shared.asked).toBe(asked)
  shared.failure = undefined
  shared.answerLate()
  await turnOfLoop()
  expect(await delays(two)).toEqual([0, 0, 50])
})

test('an answer that arrived while the process was stalled counts', async () => {
  shared.failure = null
  const asking = delays(one)
  await turnOfLoop()
  clock.advance(answersWithin)
  shared.answerLate()
  expect(await asking).toEqual([0, 0, 0])
  expect(reports).toEqual([])
})
