import type { SimulatorServer } from '../server.ts'
import type { Behaviour } from './api.ts'
import type { Failure } from './failures.ts'
import type { Row } from './org/row.ts'
import type { TokenPolicy } from './session.ts'

/** The CRM platform, simulated. README.md says what it imitates and from which source. */
export interface CrmSimulator extends SimulatorServer {
  /** A record as it stands, with `IsDeleted`; by its type and id. */
  find(type: string, id: string): Row | null
  /** How often a record was changed or deleted. */
  writesOf(id: string): number
  fail(failure: Failure): void
  /** No access token that was given out so far is accepted any more. */
  expireTokens(): void
  /** How many access tokens were given out. */
  readonly tokens: number
  /** From now on the token endpoint refuses everybody so; null: it does not. */
  setTokenPolicy(policy: TokenPolicy): void
  /** From now on new tokens are such that the REST API refuses them with 401 although they are right. */
  setUnfitTokens(unfit: boolean): void
  /** What `instance_url` of the token answer says; null: the simulator's address. */
  setInstanceUrl(url: string | null): void
  rotateSecret(secret: string): void
  /** Changes page sizes, the size of event log files, and what can be grouped by. */
  behave(change: Partial<Behaviour>): void
  /** The org as it was at the start, and every switch off. */
  reset(): void
}
