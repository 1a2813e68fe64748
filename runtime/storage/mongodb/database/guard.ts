import type { Db } from 'mongodb'
import type { Clock, Millis } from '../../../domain/index.ts'
import { messageOf, TocsinError } from '../../../errors/index.ts'
import { changedAmong, type Identities, identitiesOf } from './identity.ts'
import { restoreUniqueIndexes } from './indexes.ts'

/** A log line for operators. */
export interface MongoNotice {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
}

const lookEvery: Millis = 1_000
/** Every tenth check covers the indexes too. */
const looksForIndexes = 10

/**
 * Watches the collections of an open store. If somebody drops one, MongoDB creates an empty one without
 * indexes at the next write, and reports success. So once a collection is no longer the same one, nothing is
 * read or written until a person has looked.
 */
export class Guard {
  readonly #database: Db
  readonly #known: Identities
  readonly #report: (notice: MongoNotice) => void
  readonly #stop: () => void
  #why: string | null = null
  #looks = 0
  #looking = false

  constructor(database: Db, known: Identities, clock: Clock, report: (notice: MongoNotice) => void) {
    this.#database = database
    this.#known = known
    this.#report = report
    this.#stop = clock.every(lookEvery, () => void this.look())
  }

  /** @throws TocsinError `store_unavailable`; everybody may see its message, so it names no host */
  mustBeWell(): void {
    if (this.#why !== null) throw new TocsinError('store_unavailable', this.#why)
  }

  /** Checks the collections. Never rejects: if MongoDB does not answer, the calls themselves report it. */
  async look(): Promise<void> {
    if (this.#looking) return
    this.#looking = true
    try {
      const changed = changedAmong(this.#known, await identitiesOf(this.#database))
      if (changed.length > 0) this.#dropped(changed)
      else if (this.#looks % looksForIndexes === 0) await this.#lookAtIndexes()
      this.#looks += 1
    } catch {
      // The next check is in a second.
    } finally {
      this.#looking = false
    }
  }

  close(): void {
    this.#stop()
  }

  #dropped(names: readonly string[]): void {
    const why = `Collections were dropped while Tocsin was running: ${names.join(', ')}. Nothing is acknowledged until they are restored and Tocsin is started again.`
    if (this.#why !== why) this.#report({ level: 'error', message: `${why} Database: ${this.#database.databaseName}.` })
    this.#why = why
  }

  async #lookAtIndexes(): Promise<void> {
    try {
      const missing = await restoreUniqueIndexes(this.#database)
      for (const name of missing) this.#report({ level: 'warn', message: `The unique index ${name} was dropped; Tocsin created it again.` })
    } catch (error) {
      if (!(error instanceof TocsinError && error.code === 'store_damaged')) throw error
      if (this.#why === null) this.#report({ level: 'error', message: messageOf(error) })
      this.#why = `${messageOf(error)} Nothing is acknowledged until one of them is removed and Tocsin is started again.`
    }
  }
}
