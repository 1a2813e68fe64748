import type { Finding, FindingCode } from '../../../../../playbook/index.ts'

/** What a format gets: the findings, and the texts of the files. */
export interface Shown {
  readonly findings: readonly Finding<FindingCode>[]
  /** By file. */
  readonly texts: ReadonlyMap<string, string>
}

/** Counts the findings of a severity. */
export function countOf(findings: readonly Finding[], severity: Finding['severity']): number {
  return findings.filter((finding) => finding.severity === severity).length
}
