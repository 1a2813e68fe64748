import type { SimulatorServer } from '../server.ts'
import type { Case } from './cases/cases.ts'
import type { Detection } from './detections/detections.ts'
import type { Failure } from './failures.ts'
import type { Account, Issue, Message } from './issues/records.ts'
import type { SearchPace } from './searches/searches.ts'
import type { TrustedEntity } from './trusted/trusted.ts'
import type { Role } from './vocabulary.ts'

/** The e-mail-security platform, simulated. README.md says what it imitates and from which source. */
export interface MailsecSimulator extends SimulatorServer {
  /** As it stands now. */
  issue(id: string): Issue | null
  issueNamed(name: string): Issue | null
  /** How often an issue was updated. */
  updatesOf(id: string): number
  message(id: string): Message | null
  account(id: string): Account | null
  /** By its UUID. */
  case(id: string): Case | null
  detection(id: string): Detection | null
  trusted(id: string): TrustedEntity | null
  /** All trusted entities, oldest first. */
  readonly trustedEntities: readonly TrustedEntity[]
  setSearchPace(pace: SearchPace): void
  /** The next search that is started ends as failed. */
  failNextSearch(): void
  /** Whether the tenant has the beta API; it has unless this says otherwise. */
  setBeta(enabled: boolean): void
  /** Flips a failure switch. */
  fail(failure: Failure): void
  /** A role change affects existing tokens at once (specification 5). */
  setRole(role: Role): void
}
