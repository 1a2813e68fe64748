import type { ActId } from '../../../domain/index.ts'

/** An act, with the fields that queries use. */
export interface ActDocument {
  readonly _id: ActId
  readonly at: number
  /** What it is found by (`actTerms`). */
  readonly terms: readonly string[]
  /** The whole act as JSON. */
  readonly act: string
  /** When MongoDB deletes it. */
  readonly expiresAt: Date
}
