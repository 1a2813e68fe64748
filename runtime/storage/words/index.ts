/** The index of the words of alerts, for both stores: segments that never change, how to build and search one, and how to merge what they find. */
export { type Bits, intersect, positionsOf, segmentSize, setBit } from './bits.ts'
export { type BuiltSegment, SegmentBuilder } from './build.ts'
export { merge, type Source } from './merge.ts'
export { encodePage, Page } from './page.ts'
export { type Key, matching, neededFor, type Pages, positionsWith, propertyTerm, type SegmentHead, type Wanted } from './segment.ts'
export { isSearch, mostLookedUp, wantedOf } from './wanted.ts'
