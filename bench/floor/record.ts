import type { Job } from 'bullmq'
import type { FloorAlert } from './alert.ts'

/** One entry of a run's journal. */
interface Entry {
  readonly kind: 'read' | 'intent' | 'outcome' | 'step'
  readonly value: unknown
}

/** The records that a floor writes besides its queue. Each promise resolves when the data is on the disk. */
export interface FloorRecord {
  /** Stores a new alert with a number. */
  add(alert: FloorAlert): Promise<void>
  /** Returns false if another run has the alert. */
  claim(alert: FloorAlert): Promise<boolean>
  /** Appends an entry to the journal of a run. `sequence` counts from 0. */
  note(alert: FloorAlert, sequence: number, entry: Entry): Promise<void>
  /** Keeps that a step of a long run is done. */
  step(job: Job, alert: FloorAlert, sequence: number): Promise<void>
  /** Opens the case, and then ends the alert. */
  end(alert: FloorAlert): Promise<void>
  close(): Promise<void>
}

/** Floor 1 has the queue alone. Only a step of a long run leaves a mark: the progress of its job. */
export const queueAlone: FloorRecord = {
  async add() {},
  async claim() {
    return true
  },
  async note() {},
  async step(job, _, sequence) {
    await job.updateProgress(sequence)
  },
  async end() {},
  async close() {},
}
