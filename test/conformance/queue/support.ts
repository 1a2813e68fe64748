import { randomUUID } from 'node:crypto'
import { expect, vi } from 'vitest'
import { asId, type OrganizationId, runId } from '../../../runtime/domain/index.ts'
import { Bull } from '../../../runtime/queue/bullmq/bull.ts'
import type { Job, JobHandler } from '../../../runtime/queue/index.ts'
import type { Redis } from '../../../runtime/redis/index.ts'

/** Waits until an assertion passes. Fails with its error if that takes too long. */
export function until(assertion: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(assertion, { timeout: 30_000, interval: 5 })
}

export const acme: OrganizationId = asId('0197a000-0000-7000-8000-000000000001')
export const other: OrganizationId = asId('0197a000-0000-7000-8000-000000000002')

/** Returns a job for a new alert. */
export function newJob(type: string, organization: OrganizationId = acme): Job {
  const alert = asId<Job['alert']>(randomUUID())
  return { run: runId(alert, 1), alert, organization, type, attempt: 1 }
}

export function newJobs(count: number, type: string, organization: OrganizationId = acme): Job[] {
  return Array.from({ length: count }, () => newJob(type, organization))
}

/** A handler that records its jobs. While it holds, jobs stay unfinished until `release`. */
export class Recorder {
  readonly jobs: Job[] = []
  #held: (() => void)[] | null = null

  readonly handler: JobHandler = async (job) => {
    this.jobs.push(job)
    const held = this.#held
    if (held) await new Promise<void>((resolve) => held.push(resolve))
  }

  /** From now on jobs stay unfinished. */
  hold(): this {
    this.#held = []
    return this
  }

  /** Lets all jobs finish, and holds no more. */
  release(): void {
    for (const resolve of this.#held ?? []) resolve()
    this.#held = null
  }

  /** Resolves when exactly these jobs have been taken, in any order. */
  async has(jobs: readonly Job[]): Promise<void> {
    const runs = (list: readonly Job[]): string[] => list.map(({ run }) => run).sort()
    await until(() => expect(this.jobs.length).toBeGreaterThanOrEqual(jobs.length))
    expect(runs(this.jobs)).toEqual(runs(jobs))
  }
}

/** Opens BullMQ as the queue uses it, on a separate connection for the test. */
export async function readyBull(client: Redis, prefix: string): Promise<Bull> {
  const bull = new Bull(client, prefix)
  await bull.ready()
  return bull
}
