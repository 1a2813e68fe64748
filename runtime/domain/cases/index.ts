/**
 * What an investigation leaves for people: the case, its timeline, the writes it lists, and the marks that
 * say what needs attention. `caseAfter` computes the case after each timeline entry.
 */

export * from './case.ts'
export * from './case-after.ts'
export * from './case-marks.ts'
export * from './case-sentences.ts'
export * from './case-status.ts'
export * from './case-writes.ts'
