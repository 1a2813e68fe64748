import type { FloorAlert } from './alert.ts'
import { Ends } from './ends.ts'
import type { FloorRecord } from './record.ts'
import { concurrency, run, type System } from './run.ts'
import type { Taken } from './server.ts'

/** A queue and a worker in memory: the record has everything that must not be lost. */
export class Slots implements Taken {
  readonly #record: FloorRecord
  readonly #system: System
  readonly #failed: (error: Error) => void
  readonly #ends = new Ends()
  readonly #waiting: FloorAlert[] = []
  #free = concurrency

  /** @param failed is told of a run that failed: the measurement is void then */
  constructor(record: FloorRecord, system: System, failed: (error: Error) => void) {
    this.#record = record
    this.#system = system
    this.#failed = failed
  }

  get open(): number {
    return this.#ends.open
  }

  take(alert: FloorAlert): Promise<void> {
    this.#ends.begin()
    const stored = this.#record.add(alert)
    // Begins without waiting for the disk, so that alert and claim share a commit. Until then the run only reads.
    this.#waiting.push(alert)
    this.#fill()
    return stored
  }

  ended(id: string): Promise<void> {
    return this.#ends.of(id)
  }

  close(): Promise<void> {
    return this.#record.close()
  }

  #fill(): void {
    while (this.#free > 0) {
      const alert = this.#waiting.shift()
      if (!alert) return
      this.#free -= 1
      void this.#run(alert)
    }
  }

  async #run(alert: FloorAlert): Promise<void> {
    try {
      await run(alert, this.#record, this.#system)
    } catch (error) {
      this.#failed(error as Error)
    }
    this.#free += 1
    this.#ends.end(alert.id)
    this.#fill()
  }
}
