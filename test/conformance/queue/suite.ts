import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Arrivals } from '../../../runtime/fairness/index.ts'
import type { Job, Queue, Report } from '../../../runtime/queue/index.ts'
import { ManualClock } from '../../support/clocks/manual-clock.ts'
import { acme, newJob, newJobs, other, Recorder, until } from './support.ts'

/** Tests what runtime/queue/port.ts says, case by case, for every adapter. */
export function queueConformance(adapter: string, open: (report: Report) => Promise<Queue>): void {
  describe(`queue conformance: ${adapter}`, () => {
    let queue: Queue
    let reported: unknown[]
    beforeEach(async () => {
      reported = []
      queue = await open((error) => reported.push(error))
    })
    afterEach(async () => {
      await queue.close()
    })

    test('a job arrives as it was enqueued, whatever its type contains', async () => {
      const recorder = new Recorder()
      queue.consume(recorder.handler, { concurrency: 3 })
      const jobs = ['phishing', 'a:b:c', 'тип \u{1f4e7}', '{"x":1}', 'x'.repeat(300)].map((type) => newJob(type))
      for (const job of jobs) await queue.enqueue([job])
      await recorder.has(jobs)
      for (const job of jobs) expect(recorder.jobs).toContainEqual(job)
    })

    test('jobs that were enqueued before there was a consumer are taken', async () => {
      const recorder = new Recorder()
      const jobs = [...newJobs(30, 'a'), ...newJobs(30, 'b', other)]
      await queue.enqueue(jobs)
      queue.consume(recorder.handler, { concurrency: 7 })
      await recorder.has(jobs)
    })

    test('enqueuing nothing does nothing', async () => {
      await queue.enqueue([])
      await queue.enqueueAgain([])
    })

    test('enqueuing a job that already waits changes nothing', async () => {
      const recorder = new Recorder()
      const [first, second, last] = [newJob('a'), newJob('a'), newJob('a')]
      await queue.enqueue([first, first, second])
      await queue.enqueue([first])
      await queue.enqueueAgain([first, first])
      await queue.enqueue([last])
      queue.consume(recorder.handler, { concurrency: 1 })
      await until(() => expect(recorder.jobs).toContainEqual(last))
      expect(recorder.jobs).toEqual([first, second, last])
    })

    test.each(['enqueue', 'enqueueAgain'] as const)('a taken job is gone: it waits again after %s, even from within its handler', async (method) => {
      const job = newJob('a')
      const taken: Job[] = []
      queue.consume(
        async (it) => {
          if (taken.push(it) < 5) await queue[method]([it])
        },
        { concurrency: 1 },
      )
      await queue.enqueue([job])
      await until(() => expect(taken).toEqual([job, job, job, job, job]))
    })

    test('jobs of one queue are taken in order, even those that come while others are taken', async () => {
      const taken: Job[] = []
      const jobs = newJobs(300, 'a')
      queue.consume(
        async (job) => {
          taken.push(job)
          if (taken.length % 50 === 0) await queue.enqueue(jobs.slice(taken.length * 2 - 50, taken.length * 2 + 50))
        },
        { concurrency: 1 },
      )
      await queue.enqueue(jobs.slice(0, 50))
      await until(() => expect(taken).toHaveLength(300))
      expect(taken).toEqual(jobs)
    })

    test.each([
      ['type', newJob('rare', acme)],
      ['organization', newJob('flood', other)],
    ])('a flood does not starve another %s', async (_what, rare) => {
      const recorder = new Recorder().hold()
      await queue.enqueue(newJobs(300, 'flood'))
      const consumer = queue.consume(recorder.handler, { concurrency: 1 })
      await until(() => expect(recorder.jobs).toHaveLength(1))
      await queue.enqueue([rare])
      // With one slot and a handler that holds it, the next job is chosen after the rare job came.
      recorder.release()
      await until(() => expect(recorder.jobs).toContainEqual(rare))
      expect(recorder.jobs.indexOf(recorder.jobs.find(({ run }) => run === rare.run) ?? rare)).toBeLessThanOrEqual(20)
      await consumer.stop()
    })

    test('queues that have jobs take turns', async () => {
      const recorder = new Recorder()
      const types = ['a', 'b', 'c', 'd']
      for (const type of types) await queue.enqueue(newJobs(25, type))
      queue.consume(recorder.handler, { concurrency: 1 })
      await until(() => expect(recorder.jobs).toHaveLength(100))
      // At any point, no queue is more than two jobs ahead of another.
      const served = new Map(types.map((type) => [type, 0]))
      for (const { type } of recorder.jobs) {
        served.set(type, (served.get(type) ?? 0) + 1)
        expect(Math.max(...served.values()) - Math.min(...served.values())).toBeLessThanOrEqual(2)
      }
    })

    test('while alerts arrive, an organization has fewer jobs at once, and the others as soon as the alerts are stored', async () => {
      const recorder = new Recorder().hold()
      const clock = new ManualClock()
      const arrivals = new Arrivals(clock)
      for (let alert = 0; alert < 100; alert += 1) arrivals.came()
      const consumer = queue.consume(recorder.handler, { concurrency: 16, arrivals })
      await queue.enqueue(newJobs(30, 'flood'))
      await until(() => expect(recorder.jobs.length).toBeGreaterThanOrEqual(5))
      await queue.enqueue([newJob('flood', other)])
      await until(() => expect(recorder.jobs).toContainEqual(expect.objectContaining({ organization: other })))
      expect(recorder.jobs).toHaveLength(6)
      arrivals.went(100)
      clock.advance(100)
      await until(() => expect(recorder.jobs).toHaveLength(16))
      recorder.release()
      await until(() => expect(recorder.jobs).toHaveLength(31))
      await consumer.stop()
    })

    test('an organization runs as many jobs at once as the concurrency says, and never more', async () => {
      const inWork = new Map([acme, other].map((organization) => [organization, 0]))
      let most = 0
      let ended = 0
      const full = Promise.withResolvers<void>()
      const consumer = queue.consume(
        async ({ organization }) => {
          const now = (inWork.get(organization) ?? 0) + 1
          inWork.set(organization, now)
          most = Math.max(most, now)
          expect(consumer.active).toBeLessThanOrEqual(6)
          // No job ends until as many run as the concurrency allows.
          if (now === 4) full.resolve()
          if (organization === acme) await full.promise
          for (let turn = 0; turn < 5; turn++) await setImmediate()
          inWork.set(organization, (inWork.get(organization) ?? 0) - 1)
          ended++
        },
        { concurrency: 4 },
      )
      await queue.enqueue([...newJobs(80, 'a'), ...newJobs(40, 'b')])
      await full.promise
      await queue.enqueue(newJobs(40, 'c', other))
      await until(() => expect(ended).toBe(160))
      expect(most).toBe(4)
      expect(reported).toEqual([])
      await until(() => expect(consumer.active).toBe(0))
    })

    test('a type of which no job runs begins one beside a flood that has all slots of its organization', async () => {
      const flood = new Recorder().hold()
      const light = new Recorder().hold()
      const consumer = queue.consume((job) => (job.type === 'flood' ? flood : light).handler(job), { concurrency: 16 })
      await queue.enqueue(newJobs(40, 'flood'))
      await until(() => expect(flood.jobs).toHaveLength(16))
      const first = [newJob('light'), newJob('other')]
      await queue.enqueue([...first, newJob('light'), newJob('other')])
      await light.has(first)
      await queue.enqueue([newJob('third')])
      expect([consumer.active, flood.jobs.length]).toEqual([18, 16])
      light.release()
      await until(() => expect(light.jobs).toHaveLength(5))
      flood.release()
      await until(() => expect(flood.jobs).toHaveLength(40))
    })

    test('an organization whose jobs do not end leaves slots to others', async () => {
      const stuck = new Recorder().hold()
      const fine = new Recorder()
      queue.consume((job) => (job.organization === acme ? stuck : fine).handler(job), { concurrency: 6 })
      await queue.enqueue(['a', 'b', 'c'].flatMap((type) => newJobs(30, type)))
      await until(() => expect(stuck.jobs).toHaveLength(6))
      const theirs = newJobs(40, 'a', other)
      await queue.enqueue(theirs)
      await fine.has(theirs)
      expect(stuck.jobs).toHaveLength(6)
      stuck.release()
      await until(() => expect(stuck.jobs).toHaveLength(90))
    })

    test('an organization with many types gets no more turns than others', async () => {
      const recorder = new Recorder().hold()
      const consumer = queue.consume(recorder.handler, { concurrency: 1 })
      await queue.enqueue([newJob('first'), newJob('first', other)])
      await until(() => expect(recorder.jobs).toHaveLength(2))
      await queue.enqueue([...Array.from({ length: 30 }, (_, index) => newJob(`type ${index}`)), ...newJobs(5, 'a', other)])
      recorder.release()
      await until(() => expect(recorder.jobs).toHaveLength(37))
      const last = recorder.jobs.findLastIndex(({ organization }) => organization === other)
      expect(last).toBeLessThanOrEqual(20)
      await consumer.stop()
    })

    test('suspected runs have a part of the slots, and others continue', async () => {
      const suspects = new Recorder().hold()
      const fine = new Recorder()
      const consumer = queue.consume((job) => (job.company ? suspects : fine).handler(job), { concurrency: 16 })
      const few = (job: Job): Job => ({ ...job, company: 'few' })
      await queue.enqueue(newJobs(30, 'a').map(few))
      await until(() => expect(suspects.jobs).toHaveLength(4))
      await queue.enqueue(newJobs(10, 'a', other).map(few))
      await until(() => expect(suspects.jobs.length).toBeGreaterThan(4))
      const others = [...newJobs(40, 'a'), ...newJobs(40, 'a', other)]
      await queue.enqueue(others)
      await fine.has(others)
      expect(suspects.jobs.filter(({ organization }) => organization === acme)).toHaveLength(4)
      expect(suspects.jobs.length).toBeLessThanOrEqual(6)
      suspects.release()
      await until(() => expect(suspects.jobs).toHaveLength(40))
      await consumer.stop()
    })

    test('a run that must be alone starts when the others have ended, and nothing starts beside it', async () => {
      const before = new Recorder().hold()
      const alone = new Recorder().hold()
      const after = new Recorder()
      const handlers = new Map([
        ['before', before],
        ['alone', alone],
        ['after', after],
      ])
      const consumer = queue.consume(async (job) => handlers.get(job.type)?.handler(job), { concurrency: 4, aloneAfter: 0 })
      await queue.enqueue(newJobs(2, 'before'))
      await until(() => expect(before.jobs).toHaveLength(2))
      await queue.enqueue(['x', 'y'].map(() => ({ ...newJob('alone'), company: 'none' as const })))
      const begun = queue.enqueue(newJobs(3, 'before'))
      await begun
      before.release()
      await until(() => expect(alone.jobs).toHaveLength(1))
      const others = newJobs(3, 'after')
      await queue.enqueue(others)
      for (let turn = 0; turn < 50; turn++) await setImmediate()
      expect([alone.jobs.length, after.jobs.length, consumer.active]).toEqual([1, 0, 1])
      alone.release()
      await after.has(others)
      await until(() => expect(alone.jobs).toHaveLength(2))
      await until(() => expect(before.jobs).toHaveLength(5))
    })

    test('a run that must be alone waits until its consumer has worked for a while, and delays nothing', async () => {
      const recorder = new Recorder()
      const [first, second] = [newJob('first'), newJob('second')]
      await queue.enqueue([{ ...first, company: 'none' }])
      queue.consume(recorder.handler, { concurrency: 4, aloneAfter: 600_000 })
      await queue.enqueue([second])
      await recorder.has([second])
      expect(recorder.jobs).toEqual([second])
      queue.consume(recorder.handler, { concurrency: 4, aloneAfter: 1 })
      await until(() => expect(recorder.jobs).toHaveLength(2))
    })

    test('a job that is offered to a consumer is taken by that consumer as soon as it has a slot', async () => {
      const recorder = new Recorder().hold()
      const consumer = queue.consume(recorder.handler, { concurrency: 1 })
      await queue.enqueue([newJob('a')])
      await until(() => expect(recorder.jobs).toHaveLength(1))
      const [waiting, offered] = [newJob('a'), newJob('b')]
      await queue.enqueue([waiting])
      consumer.offer(offered)
      consumer.offer(offered)
      recorder.release()
      await until(() => expect(recorder.jobs).toHaveLength(3))
      expect(recorder.jobs.slice(1)).toEqual(expect.arrayContaining([waiting, offered]))
      await consumer.stop()
      consumer.offer(newJob('a'))
      expect(recorder.jobs).toHaveLength(3)
    })

    test('a consumer that stops takes no more jobs and waits for its own; the rest stays for the next consumer', async () => {
      const jobs = newJobs(20, 'a')
      const before = new Recorder().hold()
      const consumer = queue.consume(before.handler, { concurrency: 3 })
      await queue.enqueue(jobs)
      await until(() => expect(before.jobs).toHaveLength(3))
      let stopped = false
      const stopping = consumer.stop().then(() => {
        stopped = true
      })
      const after = new Recorder()
      queue.consume(after.handler, { concurrency: 1 })
      await after.has(jobs.slice(3))
      expect([stopped, consumer.active, before.jobs.length]).toEqual([false, 3, 3])
      before.release()
      await stopping
      expect(consumer.active).toBe(0)
      await queue.enqueue(newJobs(5, 'a'))
      await until(() => expect(after.jobs).toHaveLength(22))
      expect(before.jobs).toEqual(jobs.slice(0, 3))
      await consumer.stop()
    })

    test('two consumers share the jobs, and each job is taken once', async () => {
      const [left, right] = [new Recorder().hold(), new Recorder().hold()]
      queue.consume(left.handler, { concurrency: 2 })
      queue.consume(right.handler, { concurrency: 2 })
      const jobs = [...newJobs(100, 'a'), ...newJobs(100, 'b')]
      await queue.enqueue(jobs)
      await until(() => expect([left.jobs.length, right.jobs.length]).toEqual([2, 2]))
      left.release()
      right.release()
      await until(() => expect(left.jobs.length + right.jobs.length).toBeGreaterThanOrEqual(200))
      expect([...left.jobs, ...right.jobs].map(({ run }) => run).sort()).toEqual(jobs.map(({ run }) => run).sort())
    })

    test('a handler that rejects is reported; its job does not come back, and others continue', async () => {
      const taken: Job[] = []
      const consumer = queue.consume(
        (job) => {
          taken.push(job)
          if (job.type === 'throws') throw new Error('thrown')
          return job.type === 'rejects' ? Promise.reject(new Error('rejected')) : Promise.resolve()
        },
        { concurrency: 1 },
      )
      const jobs = [...newJobs(3, 'rejects'), ...newJobs(3, 'throws')]
      await queue.enqueue(jobs)
      await until(() => expect(reported).toHaveLength(6))
      const last = newJob('fine')
      await queue.enqueue([last])
      await until(() => expect(taken).toContainEqual(last))
      expect(taken).toHaveLength(7)
      expect(reported.map(String).sort()).toEqual([
        'Error: rejected',
        'Error: rejected',
        'Error: rejected',
        'Error: thrown',
        'Error: thrown',
        'Error: thrown',
      ])
      await until(() => expect(consumer.active).toBe(0))
    })

    test('pruning leaves waiting jobs alone', async () => {
      const jobs = newJobs(3, 'a')
      await queue.enqueue(jobs)
      expect(await queue.prune()).toBe(0)
      const recorder = new Recorder()
      queue.consume(recorder.handler, { concurrency: 1 })
      await recorder.has(jobs)
    })

    test('close waits for running jobs; a closed queue refuses everything', async () => {
      await queue.ping()
      const recorder = new Recorder().hold()
      queue.consume(recorder.handler, { concurrency: 1 })
      await queue.enqueue(newJobs(2, 'a'))
      await until(() => expect(recorder.jobs).toHaveLength(1))
      let closed = false
      const closing = queue.close().then(() => {
        closed = true
      })
      for (let turn = 0; turn < 20; turn++) await setImmediate()
      expect(closed).toBe(false)
      recorder.release()
      await closing
      expect(recorder.jobs).toHaveLength(1)
      await expect(queue.ping()).rejects.toMatchObject({ name: 'TocsinError', code: 'queue_unavailable' })
      await expect(queue.enqueue(newJobs(1, 'a'))).rejects.toMatchObject({ name: 'TocsinError', code: 'queue_unavailable' })
      await queue.close()
    })
  })
}
