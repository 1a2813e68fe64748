/** Questions that a run puts before people: approvals, writes in doubt, calls for which a quota has no room. */
export * from './decision.ts'
