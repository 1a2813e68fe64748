/** What a finding is, and what an entry of a code is. The compiler and the lint rules hold the entries of their codes. */
export type { FindingEntries, FindingEntry } from './entry.ts'
export * from './finding.ts'
