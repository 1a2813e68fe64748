import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lookEvery } from '../../../runtime/queue/bullmq/consumer.ts'
import { queueName } from '../../../runtime/queue/bullmq/names.ts'
import { openBullQueue, type Queue } from '../../../runtime/queue/index.ts'
import { ManualClock } from '../../support/clocks/manual-clock.ts'
import { RedisServer, redisServerOnPath } from '../../support/stores/redis-server.ts'
import { SilentProxy } from './silent-proxy.ts'
import { newJob, newJobs, Recorder, readyBull, until } from './support.ts'

// These tests start a Redis of their own. Without redis-server on the PATH they are skipped.
if (!redisServerOnPath) console.log('skipped: BullMQ fault cases (redis-server is not on the PATH)')

const unavailable = { name: 'TocsinError', code: 'queue_unavailable' }

describe.skipIf(!redisServerOnPath).each([
  ['through queues', false],
  ['directly too', true],
])('BullMQ, when Redis fails, and jobs go %s', (_how, direct) => {
  let server: RedisServer
  let clock: ManualClock
  let reports: unknown[]
  /** Stands for another process than the consumer's. */
  let producer: Queue
  let consumer: Queue
  let recorder: Recorder

  beforeAll(async () => {
    server = await RedisServer.start()
  })
  afterAll(() => server.remove())

  beforeEach(async () => {
    // The clock does not move, so the regular check of the queues finds no job.
    clock = new ManualClock()
    reports = []
    const options = { url: server.url, prefix: 'test', clock, report: (error: unknown) => reports.push(error), direct }
    producer = await openBullQueue(options)
    consumer = await openBullQueue(options)
    recorder = new Recorder()
    consumer.consume(recorder.handler, { concurrency: 3 })
    await works()
  })
  afterEach(async () => {
    recorder.release()
    await Promise.all([producer.close(), consumer.close()])
    await server.ask((client) => client.flushall())
  })

  /** Checks that jobs of new and of old types are handled. */
  async function works(): Promise<void> {
    const jobs = [newJob('a'), newJob('b'), newJob(`type ${recorder.jobs.length}`)]
    await producer.enqueue(jobs)
    await until(() => expect(recorder.jobs).toEqual(expect.arrayContaining(jobs)))
  }

  /** Waits until the producer has reconnected. Until then its calls fail at once. */
  const producerIsBack = (): Promise<void> => until(() => producer.ping())

  test('a flush in mid-run loses the waiting jobs and nothing else; enqueueAgain restores them', async () => {
    recorder.hold()
    const jobs = newJobs(50, 'flushed')
    const before = recorder.jobs.length
    await producer.enqueue(jobs)
    await until(() => expect(recorder.jobs).toHaveLength(before + 3))
    await server.ask((client) => client.flushall())
    recorder.release()
    await works()
    await producer.enqueueAgain(jobs.slice(3))
    await until(() => expect(recorder.jobs).toEqual(expect.arrayContaining(jobs)))
    expect(recorder.jobs).toHaveLength(before + 50 + 3)
    expect(reports).toEqual([])
  })

  test('scripts that Redis has forgotten are sent again', async () => {
    await server.ask((client) => client.script('FLUSH'))
    const jobs = newJobs(20, 'a')
    await producer.enqueue(jobs)
    await until(() => {
      // A job may arrive in its queue after the consumer has read the names of the queues. Then only the regular check finds it.
      clock.advance(lookEvery)
      expect(recorder.jobs).toEqual(expect.arrayContaining(jobs))
    })
    await works()
  })

  test.each(['normal', 'pubsub'] as const)('cut %s connections come back', async (type) => {
    for (let round = 0; round < 3; round++) {
      expect(await server.ask((client) => client.client('KILL', 'TYPE', type))).toBeGreaterThan(0)
      await producerIsBack()
      await works()
    }
    expect(reports.length).toBeGreaterThan(0)
    for (const report of reports) expect(report).toMatchObject(unavailable)
  })

  test.each(['normal', 'pubsub'] as const)('jobs that came while a %s connection was cut are found when it is back', async (type) => {
    const job = newJob('missed')
    await server.ask(async (client) => {
      // The job is added without a wake.
      await client.zadd('test:queues', clock.now(), queueName(job))
      await (await readyBull(client, 'test')).queue(queueName(job)).add('investigate', job)
      await client.client('KILL', 'TYPE', type)
    })
    await until(() => expect(recorder.jobs).toContainEqual(job))
  })

  test('whatever connection is cut, enqueueAgain gets all jobs handled, and the consumer loses no slot', async () => {
    const jobs = ['a', 'b', 'c', 'd'].flatMap((type) => newJobs(100, type))
    await producer.enqueue(jobs)
    const missing = (): typeof jobs => {
      const taken = new Set(recorder.jobs.map(({ run }) => run))
      return jobs.filter(({ run }) => !taken.has(run))
    }
    for (let round = 0; missing().length > 0; round++) {
      const type = round % 2 === 0 ? 'normal' : 'pubsub'
      if (round < 10) await server.ask((client) => client.client('KILL', 'TYPE', type))
      // As the sweeper does.
      await until(() => producer.enqueueAgain(missing()))
    }
    await works()
    recorder.hold()
    const before = recorder.jobs.length
    await producer.enqueue(newJobs(10, 'a'))
    await until(() => expect(recorder.jobs).toHaveLength(before + 3))
  })

  test('while Redis is down every call fails at once; when it is back, empty, everything works again', async () => {
    await server.kill()
    await until(() => expect(producer.ping()).rejects.toMatchObject(unavailable))
    const lost = newJobs(3, 'lost')
    await expect(producer.enqueue(lost)).rejects.toMatchObject(unavailable)
    await expect(producer.enqueueAgain(lost)).rejects.toMatchObject(unavailable)
    await expect(producer.prune()).rejects.toMatchObject(unavailable)
    await server.start()
    await producerIsBack()
    await until(() => producer.enqueueAgain(lost))
    await until(() => expect(recorder.jobs).toEqual(expect.arrayContaining(lost)))
    await works()
  })

  test('calls to a hanging Redis time out, and work again when it answers', async () => {
    server.pause()
    try {
      await expect(producer.enqueue(newJobs(1, 'a'))).rejects.toMatchObject(unavailable)
    } finally {
      server.resume()
    }
    await producerIsBack()
    await works()
  })

  test('silent connections are replaced', async () => {
    const proxy = await SilentProxy.open(server.url)
    const queue = await openBullQueue({ url: proxy.url, prefix: 'test', clock, report: () => {}, direct })
    const [before, after] = [newJob('a'), newJob('a')]
    const taken = new Recorder()
    try {
      await queue.enqueue([before])
      await until(() => expect(recorder.jobs).toContainEqual(before))
      queue.consume(taken.handler, { concurrency: 3 })
      proxy.silence()
      await expect(queue.enqueueAgain(newJobs(1, 'a'))).rejects.toMatchObject(unavailable)
      await until(() => queue.ping())
      // Only this connection still listens, and it hears nothing. So it has to look.
      await consumer.close()
      await queue.enqueueAgain([after])
      await until(() => {
        clock.advance(lookEvery)
        expect(taken.jobs).toContainEqual(after)
      })
    } finally {
      await queue.close()
      proxy.close()
    }
  })

  test('a full Redis refuses jobs, and takes them again when it has room', async () => {
    await server.ask((client) => client.config('SET', 'maxmemory', '1'))
    await expect(producer.enqueue(newJobs(1, 'a'))).rejects.toMatchObject(unavailable)
    await server.ask((client) => client.config('SET', 'maxmemory', '0'))
    await works()
  })

  test('an idle consumer sends no requests to Redis', async () => {
    await server.ask(async (client) => {
      const commands = async (): Promise<number> => Number(/total_commands_processed:(\d+)/.exec(await client.info('stats'))?.[1])
      let last = await commands()
      const sinceLast = async (): Promise<number> => {
        const now = await commands()
        const count = now - last
        last = now
        return count
      }
      // Wait until the requests of the last job have ended. One request is the test's own.
      await until(async () => expect(await sinceLast()).toBe(1))
      for (let round = 0; round < 50; round++) expect(await sinceLast()).toBe(1)
    })
  })

  test('the queue opens without Redis and reports that once, without the password; it works when Redis comes', async () => {
    const late = await RedisServer.reserve()
    const told: unknown[] = []
    const queue = await openBullQueue({
      url: late.url.replace('//', '//user:hunter2@'),
      prefix: 'test',
      clock,
      report: (error) => told.push(error),
      direct,
    })
    const came = new Recorder()
    try {
      queue.consume(came.handler, { concurrency: 3 })
      await expect(queue.ping()).rejects.toMatchObject(unavailable)
      // A free consumer of the own process takes a new job without Redis.
      const own = newJob('a')
      await queue.enqueue([own])
      expect(came.jobs).toEqual([own])
      await expect(queue.enqueueAgain(newJobs(1, 'a'))).rejects.toMatchObject(unavailable)
      await late.start()
      await late.ask((client) => client.acl('SETUSER', 'user', 'on', '>hunter2', '~*', '&*', '+@all'))
      await until(() => queue.ping())
      const jobs = newJobs(3, 'a')
      await queue.enqueueAgain(jobs)
      await until(() => expect(came.jobs).toEqual(expect.arrayContaining(jobs)))
      const texts = told.map(String)
      expect(texts.length).toBeGreaterThan(0)
      expect(texts.filter((text) => !text.includes(String(late.port)))).toEqual([])
      expect(texts.join(' ')).not.toContain('hunter2')
    } finally {
      came.release()
      await queue.close()
      await late.remove()
    }
  })

  test('opening fails if Redis refuses it', async () => {
    await server.ask((client) => client.acl('SETUSER', 'bob', 'on', '>right', '~*', '&*', '+@all'))
    const opening = openBullQueue({ url: server.url.replace('//', '//bob:hunter2@'), prefix: 'test', clock, report: () => {}, direct })
    await expect(opening).rejects.toMatchObject({ ...unavailable, message: expect.stringContaining('WRONGPASS') })
    await expect(opening).rejects.not.toMatchObject({ message: expect.stringContaining('hunter2') })
  })

  test('opening fails if Redis does not have the database of the URL', async () => {
    const opening = openBullQueue({ url: `${server.url}/99`, prefix: 'test', clock, report: () => {}, direct })
    await expect(opening).rejects.toMatchObject({ ...unavailable, message: expect.stringContaining('DB index is out of range') })
  })
})
