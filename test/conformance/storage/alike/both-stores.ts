import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openEmbeddedStore } from '../../../../runtime/storage/embedded/index.ts'
import type { Store } from '../../../../runtime/storage/index.ts'
import { ManualClock } from '../../../support/clocks/manual-clock.ts'
import { mongoHarness } from '../mongodb.ts'

/** An embedded store and one on MongoDB that are told and asked the same. */
export class BothStores {
  readonly #stores: readonly [Store, Store]
  readonly close: () => Promise<void>

  private constructor(stores: readonly [Store, Store], close: () => Promise<void>) {
    this.#stores = stores
    this.close = close
  }

  static async open(url: string): Promise<BothStores> {
    const directory = await mkdtemp(join(tmpdir(), 'tocsin-alike-'))
    const embedded = await openEmbeddedStore({ directory, clock: new ManualClock() })
    const mongo = await mongoHarness(url).open()
    return new BothStores([embedded, mongo.store], async () => {
      await embedded.close()
      await mongo.close()
      await rm(directory, { recursive: true })
    })
  }

  /** Asks both. Their answers must be equal. @param what is asked, for the error @param call must not choose anything at random */
  async alike<T>(what: object, call: (store: Store) => Promise<T>): Promise<T> {
    const [embedded, mongo] = this.#stores
    const answer = await call(embedded)
    expect({ what, answer: await call(mongo) }).toEqual({ what, answer })
    return answer
  }
}
