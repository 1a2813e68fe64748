import type { Turns } from '../../fairness/index.ts'

/** The turns of the event loop that reading an answer takes, and the tenant who takes them. */
export interface AnswerReading {
  readonly turns: Turns
  readonly tenant: string
}
