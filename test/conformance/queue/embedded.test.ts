import { expect, test } from 'vitest'
import { systemClock } from '../../../runtime/config/seams.ts'
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
