/**
 * The registry of findings: every code, from the compiler, the lint rules and the comparison of files.
 * The reference pages in docs/reference/lint/ are generated from it.
 */
export { examplePlaybooks, wholeExample } from './example.ts'
export { renderLintIndex, renderLintPage } from './reference.ts'
export { type FindingCode, finding, findingRegistry } from './registry.ts'
