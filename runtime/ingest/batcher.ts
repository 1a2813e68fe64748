import type { NewAlert } from '../domain/index.ts'
import { systemScope } from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'
import type { AlertStore, InsertedAlert } from '../storage/index.ts'

interface Waiting {
  readonly alert: NewAlert
  readonly resolve: (inserted: InsertedAlert) => void
  readonly reject: (error: Error) => void
}

const alertsInBatch = 500
/** One on its way to the disk while the next gathers. */
const batchesUnderWay = 2
/** More than this waiting means that the store is slower than the sources; they are told to come again. */
const mostWaiting = 20_000

/** Gathers the alerts that arrive while the store is busy: they are numbered and inserted together, and acknowledged together. */
export class AlertBatcher {
  readonly #store: AlertStore
  readonly #onInserted: (inserted: readonly InsertedAlert[]) => void
  #waiting: Waiting[] = []
  #underWay = 0

  constructor(store: AlertStore, onInserted: (inserted: readonly InsertedAlert[]) => void) {
    this.#store = store
    this.#onInserted = onInserted
  }

  /** Resolves when the alert is durable. @throws TocsinError `overloaded`, `store_unavailable` */
  insert(alert: NewAlert): Promise<InsertedAlert> {
    if (this.#waiting.length >= mostWaiting) return Promise.reject(new TocsinError('overloaded', `${mostWaiting} alerts wait for the store.`))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ alert, resolve, reject })
      // What the same turn of the event loop brings goes together.
      if (this.#waiting.length === 1) queueMicrotask(() => this.#send())
    })
  }

  #send(): void {
    while (this.#waiting.length > 0 && this.#underWay < batchesUnderWay) {
      const batch = this.#waiting.splice(0, alertsInBatch)
      this.#underWay += 1
      this.#store
        .insert(
          systemScope,
          batch.map(({ alert }) => alert),
        )
        .then(
          (inserted) => {
            for (const [index, { resolve, reject }] of batch.entries()) {
              const result = inserted[index]
              if (result) resolve(result)
              else reject(new TocsinError('internal', 'The store answered fewer alerts than it was given.'))
            }
            this.#onInserted(inserted)
          },
          (error: Error) => {
            for (const { reject } of batch) reject(error)
          },
        )
        .finally(() => {
          this.#underWay -= 1
          this.#send()
        })
    }
  }
}
