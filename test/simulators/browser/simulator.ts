import type { SimulatorServer } from '../server.ts'
import type { Failure } from './failures.ts'
import type { Kind, Records } from './records.ts'
import type { Level } from './vocabulary.ts'

/**
 * The simulated browser identity-security platform. README.md lists what it simulates, and the
 * source of each part.
 */
export interface BrowserSimulator extends SimulatorServer {
  /** Returns the current record. */
  find<K extends Kind>(kind: K, id: string): Records[K] | null
  /** Returns how often a record was changed or deleted. */
  writesOf(id: string): number
  /** Sets a failure switch. */
  fail(failure: Failure): void
  setLevel(level: Level): void
}
