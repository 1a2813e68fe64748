import type { SimulatorServer } from '../server.ts'
import type { Failure } from './failures.ts'
import type { User } from './users.ts'

/** How answers are shaped. The vendor's documents show the first two; plain JSON was seen by a third party; the others are attacks. */
export type AnswerForm = 'wrapped' | 'bare' | 'plain' | 'wrong_signature' | 'other_organization'

/** The MFA provider, simulated. README.md says what it imitates and from which source. */
export interface MfaSimulator extends SimulatorServer {
  /** What the properties file calls `idp_url`. */
  readonly idpUrl: string
  user(name: string): User | null
  fail(failure: Failure): void
  /** From now on answers are shaped so. */
  answerAs(form: AnswerForm): void
  /** Restores the users of the start. */
  reset(): void
}
