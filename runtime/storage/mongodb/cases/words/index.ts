/** The index of what cases say: segments of grams, the cases that no segment knows as they are, and the search. */
export { asKnown, known, notKnown, notKnownIndex } from './known.ts'
export { CaseSealing } from './sealing.ts'
export { type CaseKey, searchAll, searchInOrder } from './search.ts'
export { CaseSegments } from './segments.ts'
