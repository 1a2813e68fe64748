import type { Finding } from '../../../../../playbook/index.ts'

/** The findings of some files, and their texts, for whoever shows them. */
export interface Shown {
  readonly findings: readonly Finding[]
  /** By file. */
  readonly texts: ReadonlyMap<string, string>
}

export function countOf(findings: readonly Finding[], severity: Finding['severity']): number {
  return findings.filter((finding) => finding.severity === severity).length
}
