/** Findings: each code with its severity, texts and examples, and the reference pages made from them. */
export type { FindingEntry } from './entry.ts'
export { examplePlaybooks, wholeExample } from './example.ts'
export * from './finding.ts'
export { renderLintIndex, renderLintPage } from './reference.ts'
export * from './registry/index.ts'
