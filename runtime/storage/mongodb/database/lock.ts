import { type Collection, ObjectId } from 'mongodb'
import type { Clock, Millis } from '../../../domain/index.ts'
import { isDuplicate } from '../client/index.ts'

export interface LockDocument {
  readonly _id: string
  readonly holder?: ObjectId
  /** The lock expires at this time (server time). Its holder has then probably died. */
  readonly until?: Date
}

const lease: Millis = 10_000
const lookEvery: Millis = 100

async function take(locks: Collection<LockDocument>, name: string, holder: ObjectId): Promise<boolean> {
  // Only a pipeline has the server's time. If the lock exists, the condition makes the upsert fail with a
  // duplicate key.
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
 * Does some work while no other process does it. This is not a fence: if the holder takes longer than its
 * lease, the next process begins as well. So the work must be safe to do twice.
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
