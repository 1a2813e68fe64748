import { setImmediate } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/clocks/manual-clock.ts'
import { asId } from '../../domain/index.ts'
import { currentLane, laneOf } from '../../fairness/index.ts'
import type { Job } from '../port.ts'
import { BullConsumer, type ConsumerParts, lookEvery } from './consumer.ts'
import { idleAfter } from './registry.ts'
import type { FetchedJob, JobSource } from './source.ts'

/** Waits long enough for everything that only waits for promises. */
const turn = (): Promise<void> => setImmediate()

/** A queue whose requests wait until the test answers them. */
class FakeSource implements JobSource {
  readonly jobs: string[]
  readonly asked: string[] = []
  #held: (() => void)[] = []
  #holding = false

  constructor(...jobs: string[]) {
    this.jobs = jobs
  }

  hold(): this {
    this.#holding = true
    return this
  }

  release(): void {
    this.#holding = false
    for (const resume of this.#held.splice(0)) resume()
  }

  async fetch(): Promise<FetchedJob | 'none'> {
    this.asked.push('fetch')
    const next = this.#next()
    await this.#wait()
    return next
  }

  #next(): FetchedJob | 'none' {
    const name = this.jobs.shift()
    if (name === undefined) return 'none'
    return {
      read: () => {
        if (name === 'bad') throw new Error('unreadable')
        return { run: asId(name), alert: asId(name), organization: asId('o'), type: 't', attempt: 1 }
      },
      settle: async (fetchNext) => {
        this.asked.push(fetchNext ? 'settle and fetch' : 'settle')
        if (name === 'gone') return 'unknown'
        if (name === 'fails') throw new Error('no connection')
        const next = fetchNext ? this.#next() : 'none'
        await this.#wait()
        return next
      },
    }
  }

  #wait(): Promise<void> | undefined {
    return this.#holding ? new Promise((resolve) => this.#held.push(resolve)) : undefined
  }
}

let clock: ManualClock
let sources: Map<string, FakeSource>
let opened: string[]
let taken: string[]
let reports: unknown[]
let ended: boolean
let nonEmpty: () => Promise<readonly string[]>

beforeEach(() => {
  clock = new ManualClock()
  sources = new Map()
  opened = []
  taken = []
  reports = []
  ended = false
  nonEmpty = async () => []
})

function source(name: string, ...jobs: string[]): FakeSource {
  const it = new FakeSource(...jobs)
  sources.set(name, it)
  return it
}

function consume(concurrency: number, handler: (job: Job) => Promise<void> = async () => {}): BullConsumer {
  const parts: ConsumerParts = {
    open: (queue) => {
      opened.push(queue)
      return sources.get(queue) ?? source(queue)
    },
    nonEmpty: () => nonEmpty(),
    listen: () => () => {
      ended = true
    },
    clock,
    report: (error) => reports.push(error),
  }
  const note = (job: Job): Promise<void> => {
    taken.push(job.run)
    return handler(job)
  }
  return new BullConsumer(note, { concurrency, aloneAfter: 0 }, parts)
}

test('a job is handled in its lane', async () => {
  source('a', '1')
  const lanes: (string | null)[] = []
  consume(1, async () => void lanes.push(currentLane())).wake(['a'])
  await turn()
  expect(lanes).toEqual([laneOf(asId('o'), 't')])
})

const forever = (): Promise<void> => new Promise(() => {})

test('one job costs two requests: the request that removes it finds no other job', async () => {
  const a = source('a', '1')
  consume(5).wake(['a'])
  await turn()
  expect([taken, a.asked]).toEqual([['1'], ['fetch', 'settle and fetch']])
})

test('a wake during a request is not lost, even if the request looked too early', async () => {
  const a = source('a').hold()
  const consumer = consume(5)
  consumer.wake(['a'])
  a.jobs.push('1')
  consumer.wake(['a'])
  a.release()
  await turn()
  expect(taken).toEqual(['1'])
})

test('a queue is asked again if its answer is unknown because the job was gone', async () => {
  source('a', 'gone', '2')
  consume(5).wake(['a'])
  await turn()
  expect(taken).toEqual(['gone', '2'])
  expect(reports).toEqual([])
})

test('a job that could not be removed is still handled', async () => {
  source('a', 'fails')
  consume(5).wake(['a'])
  await turn()
  expect(taken).toEqual(['fails'])
  expect(reports.map(String)).toEqual(['Error: no connection'])
})

test('without a slot nothing is fetched; when a slot is free again, other queues come first', async () => {
  const [first, second] = ['investigate-a-acme', 'investigate-b-acme']
  const a = source(first, 'a1', 'a2', 'a3')
  source(second, 'b1')
  const ends: (() => void)[] = []
  const consumer = consume(1, () => new Promise((resolve) => ends.push(resolve)))
  consumer.wake([first, second])
  await turn()
  expect([taken, a.asked, consumer.active]).toEqual([['a1'], ['fetch', 'settle'], 1])
  for (let step = 0; step < 3; step++) {
    ends[step]?.()
    await turn()
  }
  expect(taken).toEqual(['a1', 'b1', 'a2', 'a3'])
})

test('an organization that has all its slots leaves the others to the next one, and gets a slot when it releases one', async () => {
  const a = source('investigate-a-acme', 'a1', 'a2', 'a3')
  source('investigate-b-other', 'b1')
  const ends = new Map<string, () => void>()
  const consumer = consume(2, ({ run }) => new Promise((resolve) => ends.set(run, resolve)))
  consumer.wake(['investigate-a-acme'])
  await turn()
  consumer.wake(['investigate-b-other'])
  await turn()
  expect([taken, a.jobs]).toEqual([['a1', 'a2', 'b1'], ['a3']])
  ends.get('b1')?.()
  await turn()
  expect(taken).toHaveLength(3)
  ends.get('a1')?.()
  await turn()
  expect(taken).toEqual(['a1', 'a2', 'b1', 'a3'])
})

test('a job that must be alone is fetched before the others have ended, so an empty queue keeps no job out', async () => {
  const empty = source('investigate-a-acme-none')
  const alone = source('investigate-b-acme-none', 'n1', 'n2')
  source('investigate-c-acme', 'c1', 'c2')
  const ends = new Map<string, () => void>()
  const consumer = consume(4, ({ run }) => new Promise((resolve) => ends.set(run, resolve)))
  consumer.wake(['investigate-c-acme', 'investigate-a-acme-none'])
  await turn()
  expect([taken, empty.asked]).toEqual([['c1', 'c2'], ['fetch']])
  clock.advance(1_000)
  consumer.wake(['investigate-b-acme-none'])
  await turn()
  source('investigate-d-acme', 'd1')
  consumer.wake(['investigate-d-acme'])
  await turn()
  expect([taken, alone.jobs]).toEqual([['c1', 'c2'], ['n2']])
  ends.get('c1')?.()
  ends.get('c2')?.()
  await turn()
  expect(taken).toEqual(['c1', 'c2', 'n1'])
  ends.get('n1')?.()
  await turn()
  expect(taken).toEqual(['c1', 'c2', 'n1', 'n2'])
  ends.get('n2')?.()
  await turn()
  clock.advance(0)
  await turn()
  expect(taken).toEqual(['c1', 'c2', 'n1', 'n2', 'd1'])
})

test('if only one queue has jobs, it gets several requests at once, and each has a slot', async () => {
  const jobs = Array.from({ length: 100 }, (_, index) => String(index))
  const a = source('a', ...jobs)
  const consumer = consume(20, forever)
  consumer.wake(['a'])
  await turn()
  expect([taken.length, consumer.active, a.jobs.length]).toEqual([20, 20, 80])
  expect(taken).toEqual(expect.arrayContaining(jobs.slice(0, 20)))
  expect(a.asked.filter((request) => request === 'fetch').length).toBeGreaterThan(1)
})

test('a consumer that stops handles the jobs that were already on their way and fetches no more', async () => {
  const a = source('a', '1', '2', '3').hold()
  const consumer = consume(5)
  consumer.wake(['a'])
  let stopped = false
  const stopping = consumer.stop().then(() => {
    stopped = true
  })
  await turn()
  expect([stopped, ended]).toEqual([false, true])
  a.release()
  await stopping
  consumer.wake(['a'])
  await turn()
  expect([taken, a.jobs, a.asked]).toEqual([['1'], ['2', '3'], ['fetch', 'settle']])
})

test('a job that cannot be read is reported and frees its slot', async () => {
  source('a', 'bad', '2', 'bad', '4')
  const consumer = consume(1)
  consumer.wake(['a'])
  await turn()
  expect([taken, reports.map(String), consumer.active]).toEqual([['2', '4'], ['Error: unreadable', 'Error: unreadable'], 0])
})

test('it looks for jobs every few seconds; a failure is reported once until a look succeeds', async () => {
  const works = nonEmpty
  nonEmpty = async () => {
    throw new Error('down')
  }
  consume(5)
  const pass = async (): Promise<void> => {
    clock.advance(lookEvery)
    await turn()
  }
  await pass()
  await pass()
  expect(reports).toHaveLength(1)
  source('a', '1')
  nonEmpty = async () => ['a']
  await pass()
  expect(taken).toEqual(['1'])
  nonEmpty = works
  await pass()
  nonEmpty = async () => {
    throw new Error('down again')
  }
  await pass()
  expect(reports.map(String)).toEqual(['Error: down', 'Error: down again'])
})

test('a queue without wakes for a long time is closed, and opened again by the next wake', async () => {
  source('a', '1')
  const consumer = consume(5)
  consumer.wake(['a'])
  await turn()
  clock.advance(idleAfter)
  consumer.wake(['a'])
  await turn()
  expect(opened).toEqual(['a'])
  clock.advance(idleAfter + 2 * lookEvery)
  consumer.wake(['a'])
  await turn()
  expect(opened).toEqual(['a', 'a'])
})
