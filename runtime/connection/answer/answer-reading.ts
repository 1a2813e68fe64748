import type { Turns } from '../../fairness/index.ts'

/** Who reads an answer, and the turns of the event loop that the reading takes. */
export interface AnswerReading {
  readonly turns: Turns
  readonly tenant: string
}
