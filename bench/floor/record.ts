import type { Job } from 'bullmq'
import type { FloorAlert } from './alert.ts'

/** One entry of a run's journal. */
export interface Entry {
  readonly kind: 'read' | 'intent' | 'outcome' | 'step'
  readonly value: unknown
}

/** The records that a floor writes besides its queue. Each promise resolves when the run may go on: see the record's own comment. */
export interface FloorRecord {
  /** Stores a new alert with a number. Resolves when the alert is on the disk. */
  add(alert: FloorAlert): Promise<void>
  /** Returns false if another run has the alert. */
  claim(alert: FloorAlert): Promise<boolean>
  /** Appends an entry to the journal of a run. `sequence` counts from 0. An intent is on the disk when this resolves. */
  note(alert: FloorAlert, sequence: number, entry: Entry): Promise<void>
  /** Keeps that a step of a long run is done. */
  step(alert: FloorAlert, sequence: number): Promise<void>
  /** Opens the case, and then ends the alert. Resolves when both are on the disk. */
  end(alert: FloorAlert): Promise<void>
  close(): Promise<void>
}

/** What floor 1 keeps of a run: nothing but the queue's job. Only a step of a long run leaves a mark, the progress of the job. */
export class QueueAlone implements FloorRecord {
  readonly #job: Job

  constructor(job: Job) {
    this.#job = job
  }

  async add(): Promise<void> {}

  async claim(): Promise<boolean> {
    return true
  }

  async note(): Promise<void> {}

  async step(_: FloorAlert, sequence: number): Promise<void> {
    await this.#job.updateProgress(sequence)
  }

  async end(): Promise<void> {}

  async close(): Promise<void> {}
}
