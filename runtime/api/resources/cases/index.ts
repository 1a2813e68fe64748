/** Cases: list and read them, with their timelines, verdicts and writes. */

export type { MentionSchema, PersonSchema } from './comments.ts'
export { caseOf } from './found.ts'
export { caseListRoute } from './list.ts'
export { caseRoutes } from './routes.ts'
export { attentionView, standingFields, supersededView } from './standing-view.ts'
export type { TimelineEntryShape } from './timeline-view.ts'
export type { CaseDetailsSchema, CaseSchema } from './view.ts'
