import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { systemClock, systemIds } from '../../../../runtime/config/seams.ts'
import type { Store } from '../../../../runtime/storage/index.ts'
import { assemble } from '../../../../runtime/storage/mongodb/assemble.ts'
import { connect } from '../../../../runtime/storage/mongodb/client/connect.ts'
import { type Collections, collectionsOf } from '../../../../runtime/storage/mongodb/database/collections.ts'
import { migrate } from '../../../../runtime/storage/mongodb/database/indexes.ts'
import { SleeplessClock } from '../../../support/clocks/sleepless-clock.ts'
import { numbersTo } from '../fixtures.ts'
import { dying, type Survives, stalling } from './dying.ts'

export type Aggregates = Omit<Store, 'ping' | 'close'>

/** Lets processes die between two writes to MongoDB, and shows what later processes see. */
export interface CrashBench {
  /** The store of a process that does not die. */
  readonly store: Store
  readonly collections: Collections
  /** Does something in a process that dies in the given way. Returns whether it died. */
  dieAt(survives: Survives, work: (doomed: Aggregates) => Promise<unknown>): Promise<boolean>
  /** Does something in a process that stalls after its first update of a collection, while `meanwhile` happens. */
  stallAfterUpdate<T>(collection: keyof Collections, meanwhile: () => Promise<unknown>, work: (stalled: Aggregates) => Promise<T>): Promise<T>
  /** Does something in a process that stalls before its first update of a collection, while `meanwhile` happens. */
  stallBeforeUpdate: CrashBench['stallAfterUpdate']
  /** Removes the data. */
  close(): Promise<void>
}

/** Gives a file of cases access to the open bench. */
export type At = () => CrashBench

/**
 * Ways to die: before each of the first writes, or at every write to one collection while writes to others
 * still succeed.
 */
export function deaths(writes: number, ...lost: readonly (keyof Collections)[]): (readonly [string, Survives])[] {
  return [
    ...numbersTo(writes).map((n): readonly [string, Survives] => [`before write ${n}`, (_, nth) => nth < n - 1]),
    ...lost.map((name): readonly [string, Survives] => [`at writes to ${name}`, (collection) => collection !== name]),
  ]
}

export async function openCrashBench(url: string): Promise<CrashBench> {
  const { client, database } = await connect(url, `crash-${randomUUID()}`)
  await migrate(database, systemClock)
  const collections = collectionsOf(database)
  const store: Store = { ...assemble(collections, new SleeplessClock(), systemIds).aggregates, ping: async () => {}, close: async () => {} }
  const stall =
    (when: 'before' | 'after'): CrashBench['stallAfterUpdate'] =>
    async (collection, meanwhile, work) => {
      const { aggregates, close } = assemble(stalling(collections, collection, when, meanwhile), systemClock, systemIds)
      return work(aggregates).finally(close)
    }
  return {
    store,
    collections,
    async dieAt(survives, work) {
      const process = dying(collections, survives)
      const { aggregates, close } = assemble(process.collections, systemClock, systemIds)
      const result = await work(aggregates).then(
        () => null,
        (error: unknown) => error,
      )
      await close()
      if (result !== null) expect(result).toMatchObject({ code: 'store_unavailable' })
      return process.hit()
    },
    stallAfterUpdate: stall('after'),
    stallBeforeUpdate: stall('before'),
    async close() {
      await database.dropDatabase()
      await client.close()
    },
  }
}
