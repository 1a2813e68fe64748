import type { SimulatorServer } from '../server.ts'
import type { Failure } from './failures.ts'
import type { Kind, Records } from './records.ts'
import type { Level } from './vocabulary.ts'

/** The browser identity-security platform, simulated. README.md says what it imitates and from which source. */
export interface BrowserSimulator extends SimulatorServer {
  /** As it stands now. */
  find<K extends Kind>(kind: K, id: string): Records[K] | null
  /** How often a record was changed or deleted. */
  writesOf(id: string): number
  /** Flips a failure switch. */
  fail(failure: Failure): void
  setLevel(level: Level): void
}
