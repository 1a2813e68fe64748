/**
 * What people do with a connection outside any run: test it, or call one skill. The organization's
 * policy applies to these calls too (`policy-check.ts`).
 */
export { createManualCalls } from './manual-calls.ts'
