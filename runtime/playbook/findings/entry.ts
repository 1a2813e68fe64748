/** An error keeps the playbook from being imported or activated. A warning is only reported. */
export type FindingSeverity = 'error' | 'warning'

/**
 * One kind of mistake. `wrong` has it and `right` has not; each is a piece of a playbook as `wholeExample` completes it.
 */
export interface FindingEntry {
  readonly severity: FindingSeverity
  /** The mistake in a few words. */
  readonly title: string
  /** What it does to a run, or would. */
  readonly why: string
  readonly wrong: string
  readonly right: string
}
