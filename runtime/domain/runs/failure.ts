/** Why a run or a step failed: a code of the registry or of a manifest, and what a person needs to act on it. */
export interface Failure {
  readonly code: string
  readonly message: string
  readonly remedy: string | null
  /** Address of the step that raised it; null when it was raised before the first step. */
  readonly step: string | null
  /** The vendor's own identifiers of the failed call, kept for escalation. */
  readonly vendor?: Readonly<Record<string, string | number>>
  /** Of a join that several branches failed: their failures. */
  readonly causes?: readonly Failure[]
}
