/** Questions that a run asks people: approvals, writes in doubt, and calls over their quota. */
export * from './decision.ts'
