import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DirectTaker } from '../../../runtime/queue/bullmq/direct-taker.ts'
import { queueName, redisNames } from '../../../runtime/queue/bullmq/names.ts'
import { type Job, openBullQueue, type Queue } from '../../../runtime/queue/index.ts'
import { Connection } from '../../../runtime/redis/index.ts'
import { ManualClock } from '../../support/clocks/manual-clock.ts'
import { SilentProxy } from './silent-proxy.ts'
import { newJob, newJobs, Recorder, until } from './support.ts'

const url = process.env['REDIS_URL']
// These tests need a Redis. Without REDIS_URL they are skipped.
if (!url) console.log('skipped: jobs that are given directly (REDIS_URL is not set)')

describe.skipIf(!url)('jobs that are given directly', () => {
  const run = `test-${randomUUID()}`
  const admin = new Redis(url ?? '', { lazyConnect: true })
  let count = 0
  let prefix: string
  let clock: ManualClock
  let reports: unknown[]
  const opened: Queue[] = []
  let giver: Queue

  const open = async (): Promise<Queue> => {
    const queue = await openBullQueue({ url: url ?? '', prefix, clock, report: (error) => reports.push(error), direct: true })
    opened.push(queue)
    return queue
  }
  /** Returns how many keys of this name there are. */
  const has = (name: string): Promise<number> => admin.exists(`${prefix}:${name}`)
  /** Returns the connections that wait for a gift. */
  const waiting = async (): Promise<string[]> =>
    String(await admin.client('LIST'))
      .split('\n')
      .filter((line) => line.includes(` name=${prefix}-direct `) && line.includes(' cmd=blpop '))
  const wait = (many: number): Promise<void> => until(async () => expect(await waiting()).toHaveLength(many))
  const consumed = async (recorder: Recorder, concurrency = 1) => (await open()).consume(recorder.handler, { concurrency })

  beforeEach(async () => {
    prefix = `${run}-${count++}`
    // It does not move, so nobody looks for jobs that nobody announced, and a giver that rests goes on resting.
    clock = new ManualClock()
    reports = []
    giver = await open()
  })
  afterEach(async () => {
    for (const queue of opened.splice(0)) await queue.close()
  })
  afterAll(async () => {
    for await (const page of admin.scanStream({ match: `${run}*`, count: 1_000 })) for (const key of page as string[]) await admin.unlink(key)
    admin.disconnect()
  })

  test('a free consumer gets a job that never was in a queue', async () => {
    const recorder = new Recorder()
    await consumed(recorder)
    for (const job of [newJob('a'), newJob('b'), { ...newJob('Ü: "quoted"'), attempt: 2 }]) {
      await wait(1)
      await giver.enqueue([job])
      await until(() => expect(recorder.jobs).toContainEqual(job))
    }
    expect([await has('queues'), await has('direct')]).toEqual([0, 0])
  })

  test('what is given with a job comes with it, and is in no queue', async () => {
    const recorder = new Recorder().hold()
    const consumer = await consumed(recorder)
    const seal = ({ alert }: Job): string => `sealed ${alert}`
    const [first, second, third] = newJobs(3, 'a') as [Job, Job, Job]
    await wait(1)
    await giver.enqueue([first], seal)
    await until(() => expect(recorder.jobs).toEqual([{ ...first, sealed: seal(first) }]))
    // Nobody is free.
    await giver.enqueue([second], seal)
    recorder.release()
    await until(() => expect(recorder.jobs.slice(1)).toEqual([second]))
    // The consumer stops being free while it waits.
    recorder.hold()
    await wait(1)
    consumer.offer(newJob('b'))
    clock.advance(1_000)
    await giver.enqueue([third], seal)
    const queue = `${prefix}:${queueName(third)}`
    await until(async () => expect(await admin.llen(`${queue}:wait`)).toBe(1))
    const [id = ''] = await admin.lrange(`${queue}:wait`, 0, -1)
    expect(JSON.stringify(await admin.hgetall(`${queue}:${id}`))).not.toContain('sealed')
    recorder.release()
    await until(() => expect(recorder.jobs.slice(3)).toEqual([third]))
  })

  test('of several free consumers one gets a job, in turn', async () => {
    const [left, right] = [new Recorder(), new Recorder()]
    await consumed(left)
    await consumed(right)
    const jobs = newJobs(10, 'a')
    for (const job of jobs) {
      await wait(2)
      await giver.enqueue([job])
      await until(() => expect([...left.jobs, ...right.jobs]).toContainEqual(job))
    }
    expect([left.jobs.length, right.jobs.length]).toEqual([5, 5])
  })

  test('without a free consumer, jobs wait in their queue, and are taken in order', async () => {
    const recorder = new Recorder().hold()
    await consumed(recorder)
    await wait(1)
    const jobs = newJobs(4, 'a')
    for (const job of jobs) await giver.enqueue([job])
    await until(() => expect(recorder.jobs).toEqual(jobs.slice(0, 1)))
    expect(await admin.llen(`${prefix}:${queueName(jobs[0] as Job)}:wait`)).toBe(3)
    recorder.release()
    await until(() => expect(recorder.jobs).toEqual(jobs))
  })

  test('a job does not pass one that waits in its queue, though a consumer is free', async () => {
    const recorder = new Recorder()
    const [first, second] = [newJob('a'), newJob('a')]
    await giver.enqueue([first])
    await consumed(recorder)
    await wait(1)
    await until(() => expect(recorder.jobs).toEqual([first]))
    // Nobody tells the consumer of this one.
    await admin.lpush(`${prefix}:${queueName(first)}:wait`, 'earlier')
    await admin.del(`${prefix}:queues`)
    clock.advance(1_000)
    await giver.enqueue([second])
    expect(await has('queues')).toBe(1)
  })

  test('jobs that come one right after another keep their order', async () => {
    const recorder = new Recorder()
    await consumed(recorder)
    const jobs = newJobs(60, 'a')
    for (let at = 0; at < jobs.length; at += 3) {
      clock.advance(1_000)
      await wait(1)
      await Promise.all(jobs.slice(at, at + 3).map((job) => giver.enqueue([job])))
      await until(() => expect(recorder.jobs).toHaveLength(at + 3))
    }
    expect(recorder.jobs).toEqual(jobs)
  })

  test('a gift that comes when the consumer is no longer free goes into its queue', async () => {
    const recorder = new Recorder().hold()
    const consumer = await consumed(recorder)
    await wait(1)
    const [own, given] = [newJob('a'), newJob('b')]
    // The consumer takes this one while it waits.
    consumer.offer(own)
    await giver.enqueue([given])
    await until(async () => expect(await admin.llen(`${prefix}:${queueName(given)}:wait`)).toBe(1))
    recorder.release()
    await until(() => expect(recorder.jobs).toEqual([own, given]))
  })

  test('many jobs at once go into their queues, and so do those that need stricter company', async () => {
    const recorder = new Recorder().hold()
    await consumed(recorder, 20)
    await wait(1)
    await giver.enqueue(newJobs(5, 'a'))
    expect(await has('queues')).toBe(1)
    await admin.del(`${prefix}:queues`)
    await giver.enqueue([{ ...newJob('b'), company: 'few' }])
    expect(await has('queues')).toBe(1)
    await until(() => expect(recorder.jobs).toHaveLength(6))
    recorder.release()
  })

  test('a consumer that stops loses nothing, whenever a job comes', async () => {
    const [before, after] = [new Recorder(), new Recorder()]
    const jobs = newJobs(20, 'a')
    for (const [index, job] of jobs.entries()) {
      clock.advance(1_000)
      const consumer = await consumed(before)
      await wait(1)
      const stopping = index % 2 === 0 ? consumer.stop() : null
      await Promise.all([giver.enqueue([job]), consumer.stop(), stopping])
    }
    expect(await waiting()).toEqual([])
    await consumed(after)
    await until(() => expect(before.jobs.length + after.jobs.length).toBe(jobs.length))
    expect([...before.jobs, ...after.jobs].map(({ run: id }) => id).sort()).toEqual(jobs.map(({ run: id }) => id).sort())
  })

  test('a consumer stops although its wait reaches Redis later than the end of it', async () => {
    const proxy = await SilentProxy.open(url ?? '')
    const connection = new Connection(url ?? '', prefix, () => {})
    await connection.open()
    let free = false
    let asked = 0
    const hands = {
      get isFree() {
        asked += 1
        return free
      },
      takeAtOnce: (): [] => [],
    }
    const names = redisNames(prefix)
    const taker = new DirectTaker(hands, { url: proxy.url, names, connection, putBack: async () => {}, report: (error) => reports.push(error) })
    await until(() => expect(asked).toBe(1))
    const letThrough = proxy.hold()
    free = true
    taker.waitIfFree()
    const stopped = taker.stop()
    // Redis has executed what ends the wait.
    await connection.client.ping()
    letThrough()
    await stopped
    expect([await admin.keys(`${prefix}:direct*`), reports]).toEqual([[], []])
    connection.close()
    proxy.close()
  })

  test('what a process that died has left in the list is taken by the next consumer, or gone before the sweeper looks', async () => {
    const [left, recorder] = [newJob('a'), new Recorder()]
    await admin.rpush(`${prefix}:direct`, JSON.stringify([left]))
    await consumed(recorder)
    await until(() => expect(recorder.jobs).toEqual([left]))
    // A giver sets the time itself, together with the gift.
    const commands: string[] = []
    const monitor = await admin.monitor()
    monitor.on('monitor', (_time: string, command: string[]) => commands.push(command.join(' ')))
    await wait(1)
    await giver.enqueue([newJob('a')])
    await until(() => expect(commands.map((command) => command.toLowerCase())).toContain(`pexpire ${prefix}:direct 2000`))
    monitor.disconnect()
  })

  test('a consumer whose connection was cut waits again', async () => {
    const recorder = new Recorder()
    await consumed(recorder)
    for (const jobs of [newJobs(1, 'a'), newJobs(1, 'a')]) {
      await wait(1)
      const [line = ''] = await waiting()
      const id = /^id=(\d+)/.exec(line)?.[1] ?? ''
      await admin.client('KILL', 'ID', id)
      await wait(1)
      expect((await waiting())[0]).not.toContain(`id=${id} `)
      await giver.enqueue(jobs)
      await until(() => expect(recorder.jobs).toEqual(expect.arrayContaining(jobs)))
    }
    expect(await has('queues')).toBe(0)
  })

  test('what is no job is dropped and reported, and the next job is taken', async () => {
    const recorder = new Recorder()
    await consumed(recorder)
    for (const text of ['{', '{}', '[{"run":1}]', JSON.stringify([{ ...newJob('a'), sealed: 1 }])]) {
      await wait(1)
      await admin.rpush(`${prefix}:direct`, text)
    }
    await until(() => expect(reports).toHaveLength(4))
    for (const report of reports) expect(String(report)).toContain('not a job of this version')
    const job = newJob('a')
    await wait(1)
    await giver.enqueue([job])
    await until(() => expect(recorder.jobs).toEqual([job]))
  })

  test('a process that has a consumer gives nothing away', async () => {
    const [own, other] = [new Recorder().hold(), new Recorder()]
    giver.consume(own.handler, { concurrency: 1 })
    await consumed(other)
    await wait(2)
    const [first, second] = newJobs(2, 'a')
    await giver.enqueue([first as Job])
    expect(own.jobs).toEqual([first])
    await giver.enqueue([second as Job])
    expect(await has('queues')).toBe(1)
    await until(() => expect(other.jobs).toEqual([second]))
    own.release()
  })
})
