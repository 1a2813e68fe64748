/** The index of what cases say: which cases of a segment have words that contain a part. */
export { type BuiltCases, CaseBuilder } from './build.ts'
export { type CaseHead, type CasePages, casesWith, findCases, type NeededPages, type WantedCases } from './find.ts'
export { wantedByQuery } from './wanted.ts'
