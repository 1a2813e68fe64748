import type { SimulatorServer } from '../server.ts'
import type { Case } from './cases/cases.ts'
import type { Detection } from './detections/detections.ts'
import type { Failure } from './failures.ts'
import type { Account, Issue, Message } from './issues/records.ts'
import type { SearchPace } from './searches/searches.ts'
import type { TrustedEntity } from './trusted/trusted.ts'
import type { Role } from './vocabulary.ts'

/** The simulated e-mail security platform. README.md lists what it simulates, and the source of each part. */
export interface MailsecSimulator extends SimulatorServer {
  /** Returns the current issue. */
  issue(id: string): Issue | null
  issueNamed(name: string): Issue | null
  /** Returns how often an issue was updated. */
  updatesOf(id: string): number
  message(id: string): Message | null
  account(id: string): Account | null
  /** Returns a case by its UUID. */
  case(id: string): Case | null
  detection(id: string): Detection | null
  trusted(id: string): TrustedEntity | null
  /** All trusted entities, oldest first. */
  readonly trustedEntities: readonly TrustedEntity[]
  setSearchPace(pace: SearchPace): void
  /** Makes the next search fail. */
  failNextSearch(): void
  /** Says whether the tenant has the beta API. By default it has. */
  setBeta(enabled: boolean): void
  /** Sets a failure switch. */
  fail(failure: Failure): void
  /** Changes the role. This applies to existing tokens at once (specification 5). */
  setRole(role: Role): void
}
