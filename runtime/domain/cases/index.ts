/**
 * What an investigation leaves for people: the case, its timeline, the writes it lists, the marks that say what
 * needs attention, and what people keep on it (tags, tasks, links, service-level clocks). `caseAfter` computes the case after each timeline entry.
 */

export * from './case.ts'
export * from './case-after.ts'
export * from './case-desk.ts'
export * from './case-list.ts'
export * from './case-marks.ts'
export * from './case-search.ts'
export * from './case-sentences.ts'
export * from './case-status.ts'
export * from './case-writes.ts'
export * from './service-levels.ts'
