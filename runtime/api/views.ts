import type { Static } from 'typebox'
import type { CaseDetailsSchema } from './resources/case-view.ts'
import type { SignedInSchema } from './resources/console-sign-in.ts'
import type { DecisionSchema } from './resources/decision-view.ts'
import type { RunDetailsSchema } from './resources/run-details.ts'
import type { RunStepSchema } from './resources/run-step-view.ts'
import type { TimelineEntryShape } from './resources/timeline-view.ts'

/** What the API answers, as types of the schemas that it keeps to: for the console, which is its client. */
export type DecisionView = Static<typeof DecisionSchema>
export type TimelineEntryView = TimelineEntryShape
export type CaseDetailsView = Omit<Static<typeof CaseDetailsSchema>, 'timeline'> & { readonly timeline: readonly TimelineEntryView[] }
export type RunDetailsView = Omit<Static<typeof RunDetailsSchema>, 'pauses'>
export type RunStepView = Static<typeof RunStepSchema>
export type SignedInView = Static<typeof SignedInSchema>
export type { Problem } from './answer/problem.ts'

export interface PageView<Item> {
  readonly items: readonly Item[]
  readonly next_cursor: string | null
}
