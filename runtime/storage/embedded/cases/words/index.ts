/** The index of what cases say: segments of grams, the cases that changed since, and the search. */
export { type CaseIndex, CaseSealing, caseIndex } from './sealing.ts'
export { type CaseReader, searchAll, searchInOrder } from './search.ts'
export { CaseSegments } from './segments.ts'
