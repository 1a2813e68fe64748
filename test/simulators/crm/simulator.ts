import type { SimulatorServer } from '../server.ts'
import type { Behaviour } from './api.ts'
import type { Failure } from './failures.ts'
import type { Row } from './org/row.ts'
import type { TokenPolicy } from './session.ts'

/** The simulated CRM platform. README.md lists what it simulates, and the source of each part. */
export interface CrmSimulator extends SimulatorServer {
  /** Returns the current record with `IsDeleted`, by its type and id. */
  find(type: string, id: string): Row | null
  /** Returns how often a record was changed or deleted. */
  writesOf(id: string): number
  fail(failure: Failure): void
  /** Expires all access tokens so far. */
  expireTokens(): void
  /** The number of access tokens so far. */
  readonly tokens: number
  /** Makes the token endpoint refuse every request from now on. Null: it works again. */
  setTokenPolicy(policy: TokenPolicy): void
  /** If true, the REST API answers 401 to new tokens from now on, although they are valid. */
  setUnfitTokens(unfit: boolean): void
  /** Sets the `instance_url` of the token answer. Null: the simulator's address. */
  setInstanceUrl(url: string | null): void
  rotateSecret(secret: string): void
  /** Changes page sizes, the size of event log files, and the fields that GROUP BY accepts. */
  behave(change: Partial<Behaviour>): void
  /** Restores the initial org, and turns every switch off. */
  reset(): void
}
