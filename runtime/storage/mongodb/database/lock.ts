import { type Collection, ObjectId } from 'mongodb'
import type { Clock, Millis } from '../../../domain/index.ts'
import { isDuplicate } from '../client/index.ts'

export interface LockDocument {
  readonly _id: string
  readonly holder?: ObjectId
  /** Server time until which the lock counts; then its holder is taken to have died. */
  readonly until?: Date
}

const lease: Millis = 10_000
const lookEvery: Millis = 100

async function take(locks: Collection<LockDocument>, name: string, holder: ObjectId): Promise<boolean> {
  // Only a pipeline has the server's time. The condition makes a lock that is there a duplicate key.
  const until = { $add: ['$$NOW', lease] }
  try {
    await locks.updateOne({ _id: name, holder: { $exists: false } }, [{ $set: { holder: { $literal: holder }, until } }], { upsert: true })
    return true
  } catch (error) {
    if (!isDuplicate(error)) throw error
  }
  await locks.deleteOne({ _id: name, $expr: { $lt: ['$until', '$$NOW'] } })
  return false
}

/**
 * Does some work while no other process does it. A politeness, not a fence: a holder that is slower than its lease is joined by
 * the next, so the work must bear being done twice.
 */
export async function locked<T>(locks: Collection<LockDocument>, name: string, clock: Clock, work: () => Promise<T>): Promise<T> {
  const holder = new ObjectId()
  while (!(await take(locks, name, holder))) await clock.sleep(lookEvery)
  try {
    return await work()
  } finally {
    await locks.deleteOne({ _id: name, holder })
  }
}
