import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../runtime/config/seams.ts'
import type { Clock } from '../../../runtime/domain/index.ts'
import { Bull, noLock } from '../../../runtime/queue/bullmq/bull.ts'
import { lookEvery } from '../../../runtime/queue/bullmq/consumer.ts'
import { queueName } from '../../../runtime/queue/bullmq/names.ts'
import { idleAfter } from '../../../runtime/queue/bullmq/registry.ts'
import { BullSource } from '../../../runtime/queue/bullmq/source.ts'
import { type Job, openBullQueue, type Queue, type Report } from '../../../runtime/queue/index.ts'
import { Connection } from '../../../runtime/redis/index.ts'
import { ManualClock } from '../../support/clocks/manual-clock.ts'
import { queueConformance } from './suite.ts'
import { newJob, newJobs, Recorder, readyBull, until } from './support.ts'

const url = process.env['REDIS_URL']
// These tests need a Redis. Without REDIS_URL they are skipped.
if (url) onRedis(url)
else {
  console.log('skipped: BullMQ conformance (REDIS_URL is not set)')
  test.skip('BullMQ conformance (REDIS_URL is not set)')
}

function onRedis(url: string): void {
  const run = `test-${randomUUID()}`
  let count = 0
  const nextPrefix = (): string => `${run}-${count++}`
  const admin = new Redis(url)

  async function keys(prefix: string): Promise<string[]> {
    const found: string[] = []
    for await (const page of admin.scanStream({ match: `${prefix}*`, count: 1_000 })) found.push(...(page as string[]))
    return [...new Set(found)].map((key) => key.slice(prefix.length + 1)).sort()
  }

  afterAll(async () => {
    for (const key of await keys(run)) await admin.unlink(`${run}-${key}`)
    admin.disconnect()
  })

  queueConformance('BullMQ', (report) => openBullQueue({ url, prefix: nextPrefix(), clock: systemClock, report }))

  queueConformance('BullMQ, with the jobs of another process', (report) => ofAnother(report, false))

  queueConformance('BullMQ, with the jobs of another process, which gives them directly', (report) => ofAnother(report, true))

  /** Returns a queue whose jobs come from another process than its consumers are in. */
  async function ofAnother(report: Report, direct: boolean): Promise<Queue> {
    const options = { url, prefix: nextPrefix(), clock: systemClock, report, direct }
    const [theirs, ours] = [await openBullQueue(options), await openBullQueue(options)]
    return {
      enqueue: (jobs) => theirs.enqueue(jobs),
      enqueueAgain: (jobs) => theirs.enqueueAgain(jobs),
      consume: (handler, given) => ours.consume(handler, given),
      prune: () => ours.prune(),
      ping: () => ours.ping(),
      async close() {
        await ours.close()
        await theirs.close()
      },
    }
  }

  describe('BullMQ', () => {
    let prefix: string
    let clock: ManualClock
    const opened: Queue[] = []
    const open = async (on: Clock = clock, report?: Report): Promise<Queue> => {
      const queue = await openBullQueue({ url, prefix, clock: on, ...(report && { report }) })
      opened.push(queue)
      return queue
    }
    /** Takes a job and never completes it, like a process that dies. */
    const takeAndDie = async (job: Job): Promise<void> => {
      const client = admin.duplicate()
      const taken = await (await readyBull(client, prefix)).worker(queueName(job)).getNextJob(noLock, { block: false })
      expect(taken?.data).toEqual(job)
      client.disconnect()
    }

    beforeEach(() => {
      prefix = nextPrefix()
      clock = new ManualClock()
    })
    afterEach(async () => {
      for (const queue of opened.splice(0)) await queue.close()
    })

    test('a thousand queues need two connections, and only one without a consumer', async () => {
      const connections = async (): Promise<number> =>
        String(await admin.client('LIST'))
          .split('\n')
          .filter((line) => line.includes(` name=${prefix}-`)).length
      const queue = await open()
      const jobs = Array.from({ length: 1_000 }, (_, index) => newJob(`type ${index}`))
      await queue.enqueue(jobs)
      expect(await connections()).toBe(1)
      const recorder = new Recorder()
      queue.consume(recorder.handler, { concurrency: 20 })
      queue.consume(recorder.handler, { concurrency: 20 })
      await recorder.has(jobs)
      expect(await connections()).toBe(2)
    })

    test('handled jobs leave nothing that grows, and pruning leaves nothing of their queues (complaint 4)', async () => {
      const queue = await open()
      const recorder = new Recorder()
      const consumer = queue.consume(recorder.handler, { concurrency: 10 })
      const types = Array.from({ length: 100 }, (_, index) => `type ${index}`)
      const pass = async (): Promise<void> => {
        const jobs = types.flatMap((type) => newJobs(50, type))
        recorder.jobs.length = 0
        await queue.enqueue(jobs)
        await recorder.has(jobs)
        await until(() => expect(consumer.active).toBe(0))
      }
      const shared = ['shared:events', 'shared:id', 'shared:marker', 'shared:meta']
      await pass()
      expect(await keys(prefix)).toEqual(['queues', ...shared])
      expect(await admin.zcard(`${prefix}:queues`)).toBe(100)
      await pass()
      await pass()
      expect(await keys(prefix)).toEqual(['queues', ...shared])
      // Redis trims a stream in whole pieces, of a hundred entries by default.
      expect(await admin.xlen(`${prefix}:shared:events`)).toBeLessThanOrEqual(200)
      clock.advance(idleAfter)
      expect(await queue.prune()).toBe(0)
      clock.advance(1)
      expect(await queue.prune()).toBe(100)
      expect(await keys(prefix)).toEqual(shared)
      await pass()
    })

    test('a queue that has jobs is not forgotten, however long they wait', async () => {
      const queue = await open()
      const job = newJob('a')
      await queue.enqueue([job])
      clock.advance(10 * idleAfter)
      expect(await queue.prune()).toBe(0)
      const recorder = new Recorder()
      queue.consume(recorder.handler, { concurrency: 1 })
      await recorder.has([job])
    })

    test('a job whose process died between fetch and completion is replaced by enqueueAgain', async () => {
      const [queue, elsewhere] = [await open(), await open()]
      const [job, next, last] = [newJob('a'), newJob('a'), newJob('a')]
      await queue.enqueue([job])
      await takeAndDie(job)
      const recorder = new Recorder()
      queue.consume(recorder.handler, { concurrency: 1 })
      // For BullMQ, the job is still active.
      await elsewhere.enqueue([job, next])
      await recorder.has([next])
      await queue.enqueueAgain([job, last])
      await recorder.has([next, job, last])
      expect(recorder.jobs).toEqual([next, job, last])
    })

    test('replacing a job that a consumer is handling is no failure', async () => {
      const queue = await open()
      const [job, next] = [newJob('a'), newJob('a')]
      await queue.enqueue([job, next])
      const connection = new Connection(url, prefix, () => {})
      await connection.open()
      const source = new BullSource(connection, new Bull(connection.client, prefix), queueName(job))
      const inHand = await source.fetch()
      if (inHand === 'none') throw new Error('there is a job')
      await queue.enqueueAgain([job])
      expect(inHand.read()).toEqual(job)
      expect(await inHand.settle(true)).toBe('unknown')
      connection.close()
      const recorder = new Recorder()
      queue.consume(recorder.handler, { concurrency: 1 })
      await recorder.has([next, job])
    })

    test('a job that died with its process is forgotten with its queue', async () => {
      const queue = await open()
      const job = newJob('a')
      await queue.enqueue([job])
      await takeAndDie(job)
      clock.advance(idleAfter + 1)
      expect(await queue.prune()).toBe(1)
      expect((await keys(prefix)).filter((key) => !key.startsWith('shared:'))).toEqual([])
    })

    test('a job that died with its process is forgotten, although its queue gets more jobs', async () => {
      clock = new ManualClock(Date.now())
      const queue = await open()
      const [dead, next] = [newJob('a'), newJob('a')]
      const jobs = async (): Promise<string[]> => (await keys(prefix)).filter((key) => key.startsWith(`${queueName(dead)}:`))
      await queue.enqueue([dead])
      await takeAndDie(dead)
      expect(await queue.prune()).toBe(0)
      expect(await jobs()).toHaveLength(2)
      clock.advance(2 * idleAfter)
      await queue.enqueue([next])
      expect(await queue.prune()).toBe(0)
      expect(await jobs()).toEqual([`${queueName(next)}:${encodeURIComponent(next.run)}`, `${queueName(next)}:wait`])
    })

    test('jobs without a wake are found', async () => {
      const queue = await open()
      const recorder = new Recorder()
      queue.consume(recorder.handler, { concurrency: 1 })
      const woken = newJob('a')
      await queue.enqueue([woken])
      await recorder.has([woken])
      const silent = newJob('b')
      await admin.zadd(`${prefix}:queues`, clock.now(), queueName(silent))
      await (await readyBull(admin, prefix)).queue(queueName(silent)).add('investigate', silent)
      await queue.enqueue([newJob('a')])
      await until(() => expect(recorder.jobs).toHaveLength(2))
      expect(recorder.jobs).not.toContainEqual(silent)
      clock.advance(lookEvery)
      await until(() => expect(recorder.jobs).toContainEqual(silent))
    })

    test('an entry that is not a job of this version is reported and dropped, and the next one is taken', async () => {
      const reports: unknown[] = []
      const queue = await open(clock, (error) => reports.push(error))
      const job = newJob('a')
      await (await readyBull(admin, prefix)).queue(queueName(job)).add('investigate', { of: 'another version' })
      await queue.enqueue([job])
      const recorder = new Recorder()
      queue.consume(recorder.handler, { concurrency: 1 })
      await recorder.has([job])
      expect(reports.map(String)).toEqual([expect.stringContaining('not a job of this version')])
    })

    test('any number of processes share the jobs, and each job is taken once', async () => {
      const producers = [await open(), await open()]
      const recorders = [new Recorder().hold(), new Recorder().hold(), new Recorder().hold()]
      for (const recorder of recorders) (await open()).consume(recorder.handler, { concurrency: 5 })
      const jobs = ['a', 'b', 'c'].flatMap((type) => newJobs(200, type))
      await Promise.all(producers.map((producer, index) => producer.enqueue(jobs.slice(index * 250, index * 250 + 350))))
      await until(() => expect(recorders.map((recorder) => recorder.jobs.length)).toEqual([5, 5, 5]))
      for (const recorder of recorders) recorder.release()
      const taken = (): string[] => recorders.flatMap((recorder) => recorder.jobs.map(({ run }) => run))
      await until(() => expect(taken().length).toBeGreaterThanOrEqual(600))
      expect(taken().sort()).toEqual(jobs.map((job) => job.run).sort())
    })

    test('a job that this process can take at once does not go through Redis; others do, and keep their order', async () => {
      const queue = await open()
      const recorder = new Recorder().hold()
      const consumer = queue.consume(recorder.handler, { concurrency: 2 })
      const [first, second, third, fourth] = newJobs(4, 'a')
      await queue.enqueue([first, second, third] as Job[])
      // The handlers of the first two have started before the third is on its way.
      expect(recorder.jobs).toEqual([first, second])
      expect(await keys(prefix)).toContain(`${queueName(third as Job)}:${encodeURIComponent((third as Job).run)}`)
      expect(await keys(prefix)).not.toContain(`${queueName(first as Job)}:${encodeURIComponent((first as Job).run)}`)
      await queue.enqueue([fourth as Job])
      recorder.release()
      await until(() => expect(recorder.jobs).toEqual([first, second, third, fourth]))
      await until(() => expect(consumer.active).toBe(0))
      await consumer.stop()
      await queue.enqueue([first as Job])
      expect(recorder.jobs).toHaveLength(4)
    })

    test('an installation with another prefix has other queues', async () => {
      const [ours, theirs] = [new Recorder(), new Recorder()]
      const queue = await open()
      const neighbour = await openBullQueue({ url, prefix: nextPrefix(), clock })
      opened.push(neighbour)
      queue.consume(ours.handler, { concurrency: 1 })
      neighbour.consume(theirs.handler, { concurrency: 1 })
      const [job, another] = [newJob('a'), newJob('a')]
      await queue.enqueue([job])
      await neighbour.enqueue([another])
      await ours.has([job])
      await theirs.has([another])
    })
  })
}
