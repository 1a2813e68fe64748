/**
 * Hands alerts to workers. `port.ts` says what a queue does. The adapters are `embedded/`, for one process, and
 * `bullmq/`, for several. The store is the record: a queue may lose its jobs.
 */

import type { BullQueueOptions } from './bullmq/index.ts'
import type { Queue } from './port.ts'

export { Admission } from './admission.ts'
export type { BullQueueOptions } from './bullmq/index.ts'
export { openEmbeddedQueue } from './embedded/index.ts'
export { FairJobQueue, shareOfJob } from './fair-job-queue.ts'
export type * from './port.ts'
export type { Report } from './report.ts'

/**
 * Opens a queue on Redis. Loads BullMQ only when it is needed, because loading it takes longer than the rest
 * of a start.
 * @throws TocsinError `queue_unavailable`
 */
export async function openBullQueue(options: BullQueueOptions): Promise<Queue> {
  const { openBullQueue: open } = await import('./bullmq/index.ts')
  return open(options)
}
