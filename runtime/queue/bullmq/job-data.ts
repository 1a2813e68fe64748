import type { Job as BullJob } from 'bullmq'
import type { Job } from '../port.ts'

/** A job as it came back from Redis. @throws Error when it is not one: another version's, or Redis evicted its key */
export function readJob({ data, queueName, id }: BullJob<unknown>): Job {
  if (typeof data === 'object' && data !== null) {
    const { run, alert, organization, type, attempt } = data as Record<string, unknown>
    const texts = [run, alert, organization, type].every((value) => typeof value === 'string')
    if (texts && typeof attempt === 'number') return data as Job
  }
  throw new Error(`Queue ${queueName} held something that is not a job of this version: ${id}. It was dropped.`)
}
