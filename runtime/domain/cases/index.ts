/**
 * What an investigation leaves for people: the case and its timeline, the writes it lists, and the marks that say what needs attention.
 * `caseAfter` decides what a case is after each entry of its timeline.
 */

export * from './case.ts'
export * from './case-after.ts'
export * from './case-marks.ts'
export * from './case-sentences.ts'
export * from './case-status.ts'
export * from './case-writes.ts'
