import { type JournalRecord, systemScope } from '../../../runtime/domain/index.ts'
import { Sweeper } from '../../../runtime/engine/worker/sweeper.ts'
import type { CallResult } from '../../../runtime/plugin/index.ts'
import type { Job, Queue } from '../../../runtime/queue/index.ts'
import { createLogger } from '../../../runtime/telemetry/index.ts'
import type { Answer, Bench } from './harness.ts'

export const minute = 60_000
export const hour = 60 * minute

/** An answer for tests in which nothing may be called. */
export const never: Answer = ({ skill }) => Promise.reject(new Error(`${skill.id} was called`))

/** Returns what the pause check says about a write, from the current state of the store. */
export async function turnedAway({ store }: Bench): Promise<CallResult | null> {
  const [standing] = await store.pauses.standing(systemScope)
  if (!standing) return null
  const failure = { code: 'paused', message: 'paused', remedy: null, retryAfter: null, turnedAway: { pause: standing.id } }
  return { ok: false, effect: 'not_sent', failure }
}

/** Sweeps, and returns the jobs that were handed over. */
export async function sweep({ store, clock }: Bench): Promise<readonly Job[]> {
  const jobs: Job[] = []
  const queue = { enqueueAgain: async (again: readonly Job[]) => void jobs.push(...again) } as unknown as Queue
  await new Sweeper(store, queue, clock, createLogger({ level: 'silent' }), 3).sweep(0)
  return jobs
}

/** Returns the records of those kinds, each with its try and code. */
export async function kinds(bench: Bench, ...wanted: JournalRecord['kind'][]): Promise<string[]> {
  const records = (await bench.records()).filter(({ kind }) => wanted.includes(kind))
  return records.map((record) => [record.kind, 'try' in record ? record.try : '', 'code' in record ? record.code : ''].join(' ').trim())
}
