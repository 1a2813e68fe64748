/** The index of the words of alerts, for both stores: segments that never change, how to build and search one, and how to merge what they find. */
export { type Bits, countOf, intersect, positionsOf, segmentSize, setBit } from './bits.ts'
export { type BuiltSegment, SegmentBuilder } from './build.ts'
export {
  type BuiltCases,
  CaseBuilder,
  type CaseHead,
  type CasePages,
  casesWith,
  findCases,
  type NeededPages,
  type WantedCases,
  wantedByQuery,
} from './cases/index.ts'
export { merge, type Source } from './merge.ts'
export { Page } from './page.ts'
export { type Key, matching, neededFor, type Pages, propertyTerm, type SegmentHead, type Wanted } from './segment.ts'
export { encodeStates, positionsWith, statesWanted, statusesOf, termsOfState, type WantedStates } from './states.ts'
export { foundBy, TermSearch } from './term-search.ts'
export { isSearch, mostLookedUp, wantedOf } from './wanted.ts'
