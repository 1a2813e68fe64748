/** An error keeps a playbook from being imported or activated. A warning is only reported. */
export type FindingSeverity = 'error' | 'warning'

/**
 * The texts of one code, which stands for one kind of mistake. `wrong` and `right` are pieces of playbooks, which `wholeExample` completes.
 * Lint finds the code in `wrong`, and nothing in `right`.
 */
export interface FindingEntry {
  readonly severity: FindingSeverity
  /** The mistake in a few words. */
  readonly title: string
  /** What the mistake does to a run, and how to put it right. */
  readonly why: string
  readonly wrong: string
  readonly right: string
}

/** An entry for each code. */
export type FindingEntries<Code extends string> = Readonly<Record<Code, FindingEntry>>
