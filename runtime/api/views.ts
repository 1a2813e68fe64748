import type { Static } from 'typebox'
import type { SignedInSchema } from './resources/access/index.ts'
import type { CaseDetailsSchema, TimelineEntryShape } from './resources/cases/index.ts'
import type { DecisionSchema } from './resources/decisions/index.ts'
import type { RunDetailsSchema, RunStepSchema } from './resources/runs/index.ts'

/** The types of the API's answers, from their schemas. The console uses them. */
export type DecisionView = Static<typeof DecisionSchema>
export type TimelineEntryView = TimelineEntryShape
export type CaseDetailsView = Omit<Static<typeof CaseDetailsSchema>, 'timeline'> & { readonly timeline: readonly TimelineEntryView[] }
export type RunDetailsView = Omit<Static<typeof RunDetailsSchema>, 'pauses'>
export type RunStepView = Static<typeof RunStepSchema>
export type SignedInView = Static<typeof SignedInSchema>
export type { Problem } from './answer/index.ts'

export interface PageView<Item> {
  readonly items: readonly Item[]
  readonly next_cursor: string | null
}
