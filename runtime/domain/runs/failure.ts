/** Why a run or a step failed: a code of the registry or of a manifest, and what a person needs to act on it. */
export interface Failure {
  readonly code: string
  readonly message: string
  readonly remedy: string | null
  /** Address of the step that raised it. Null if it was raised before the first step. */
  readonly step: string | null
  /** The vendor's own identifiers of the failed call, for escalation. */
  readonly vendor?: Readonly<Record<string, string | number>>
  /** For a join with several failed branches: their failures. */
  readonly causes?: readonly Failure[]
}
