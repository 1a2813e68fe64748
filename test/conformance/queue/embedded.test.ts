import { expect, test } from 'vitest'
import { systemClock } from '../../../runtime/config/seams.ts'
import { currentLane } from '../../../runtime/fairness/index.ts'
import { openEmbeddedQueue } from '../../../runtime/queue/index.ts'
import { queueConformance } from './suite.ts'
import { newJob, newJobs, Recorder } from './support.ts'

queueConformance('embedded', async (report) => openEmbeddedQueue(systemClock, report))

test('a handler starts before the enqueuer continues', async () => {
  const queue = openEmbeddedQueue(systemClock)
  const recorder = new Recorder()
  queue.consume(recorder.handler, { concurrency: 1 })
  const job = newJob('a')
  await queue.enqueue([job])
  expect(recorder.jobs).toEqual([job])
})

test('a handler works in the lane of its job, and the enqueuer in none', async () => {
  const queue = openEmbeddedQueue(systemClock)
  const [first, second] = [newJob('a'), newJob('b')]
  const lanes = new Map<string, string | null>()
  queue.consume(
    async (job) => {
      await new Promise((resolve) => setImmediate(resolve))
      lanes.set(job.run, currentLane())
    },
    { concurrency: 2 },
  )
  await queue.enqueue([first, second])
  await expect.poll(() => lanes.size).toBe(2)
  expect([lanes.get(first.run), lanes.get(second.run), currentLane()]).toEqual([
    `${first.organization} ${first.type}`,
    `${second.organization} ${second.type}`,
    null,
  ])
})

test('handlers that throw at once do not fill the stack, however many jobs there are', async () => {
  let reports = 0
  const queue = openEmbeddedQueue(systemClock, () => reports++)
  await queue.enqueue(newJobs(20_000, 'a'))
  queue.consume(
    () => {
      throw new Error('at once')
    },
    { concurrency: 1 },
  )
  await expect.poll(() => reports).toBe(20_000)
})
