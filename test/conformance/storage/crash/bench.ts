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
import { dying, type Survives } from './dying.ts'

export type Aggregates = Omit<Store, 'ping' | 'close'>

/** Processes that die between two writes to MongoDB, and what those see that come after them. */
export interface CrashBench {
  /** Of a process that lives. */
  readonly store: Store
  readonly collections: Collections
  /** Does something in a process that dies the given way. Returns whether it died of it. */
  dieAt(survives: Survives, work: (doomed: Aggregates) => Promise<unknown>): Promise<boolean>
  /** Removes the data. */
  close(): Promise<void>
}

/** How a file of cases reaches the bench that is open. */
export type At = () => CrashBench

/** Ways to die: before each of the first writes, or at every write to one collection while those to others still pass. */
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
  return {
    store,
    collections,
    async dieAt(survives, work) {
      const process = dying(collections, survives)
      const { aggregates, idle } = assemble(process.collections, systemClock, systemIds)
      const result = await work(aggregates).then(
        () => null,
        (error: unknown) => error,
      )
      await idle()
      if (result !== null) expect(result).toMatchObject({ code: 'store_unavailable' })
      return process.hit()
    },
    async close() {
      await database.dropDatabase()
      await client.close()
    },
  }
}
