import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Millis } from '../../../../runtime/domain/index.ts'
import { TocsinError } from '../../../../runtime/errors/index.ts'
import { openEmbeddedStore } from '../../../../runtime/storage/embedded/index.ts'
import type { Store } from '../../../../runtime/storage/index.ts'
import { ManualClock } from '../../../support/clocks/manual-clock.ts'
import { mongoHarness } from '../mongodb.ts'

/** An embedded store and one on MongoDB that are told and asked the same. */
export class BothStores {
  readonly #stores: readonly [Store, Store]
  /** Lets store time pass for leases and sessions. */
  readonly pass: (duration: Millis) => Promise<void>
  readonly close: () => Promise<void>

  private constructor(stores: readonly [Store, Store], pass: BothStores['pass'], close: BothStores['close']) {
    this.#stores = stores
    this.pass = pass
    this.close = close
  }

  static async open(url: string): Promise<BothStores> {
    const directory = await mkdtemp(join(tmpdir(), 'tocsin-alike-'))
    const clock = new ManualClock()
    const embedded = await openEmbeddedStore({ directory, clock })
    const mongo = await mongoHarness(url).open()
    const pass: BothStores['pass'] = async (duration) => {
      clock.leap(duration)
      await mongo.pass(duration)
    }
    return new BothStores([embedded, mongo.store], pass, async () => {
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

  /** Like `alike`, but both may also refuse with the same error. Then the answer is null. */
  async alikeOrRefused<T>(what: object, call: (store: Store) => Promise<T>): Promise<T | null> {
    const outcome = await this.alike(what, async (store) => {
      try {
        return { answer: await call(store) }
      } catch (error) {
        if (error instanceof TocsinError) return { refused: error.code }
        throw error
      }
    })
    return 'answer' in outcome ? (outcome.answer as T) : null
  }
}
