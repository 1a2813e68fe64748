import type { Difference } from '../subset.ts'

/** A failed expectation or a mistake of a test, and its place in the test file. */
export interface Problem {
  readonly line: number
  readonly column: number
  /** The dotted path in the test file. */
  readonly field: string
  readonly message: string
  readonly differences: readonly Difference[]
}
