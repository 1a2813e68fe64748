import type { SimulatorServer } from '../server.ts'
import type { Failure } from './failures.ts'
import type { User } from './users.ts'

/**
 * The form of answers. The vendor's documents show the first two. A third party has seen plain
 * JSON. The others are attacks.
 */
export type AnswerForm = 'wrapped' | 'bare' | 'plain' | 'wrong_signature' | 'other_organization'

/** The simulated MFA provider. README.md lists what it simulates, and the source of each part. */
export interface MfaSimulator extends SimulatorServer {
  /** The `idp_url` of the properties file. */
  readonly idpUrl: string
  user(name: string): User | null
  fail(failure: Failure): void
  /** Sets the form of answers from now on. */
  answerAs(form: AnswerForm): void
  /** Restores the initial users. */
  reset(): void
}
