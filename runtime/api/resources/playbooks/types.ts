import type { Static } from '../../../schema/index.ts'
import type { ActivatedSchema } from './activation.ts'
import type { LanguageSchema, TemplateSchema } from './authoring.ts'
import type { CheckedSchema } from './lint.ts'
import type { UseSchema } from './organizations.ts'
import type { DryRunSchema, RehearsedCallSchema, ReplaySchema, TestReportSchema } from './rehearsal-view.ts'
import type { FindingSchema, ImpactSchema, PlaybookAnswer } from './view.ts'

/* The types of the answers about playbooks, with the types behind their references. */

export type PlaybookView = PlaybookAnswer
export type ActivePlaybookView = PlaybookView & { readonly text: string }
export type FindingView = Static<typeof FindingSchema>
export type ImpactView = Static<typeof ImpactSchema>
type CheckedPlaybookView = Omit<Static<typeof CheckedSchema>, 'impact'> & { readonly impact: ImpactView }

export interface LintedPlaybookView {
  readonly findings: readonly FindingView[]
  readonly playbook: CheckedPlaybookView | null
}

type Activated = Static<typeof ActivatedSchema>
export interface ActivatedPlaybooksView {
  readonly checked_only: boolean
  readonly playbooks: readonly (Pick<Activated, 'name' | 'kind' | 'digest' | 'unbound' | 'over_policy'> & {
    readonly findings: readonly FindingView[]
    readonly impact: ImpactView
    readonly places: readonly (Pick<Activated['places'][number], 'key' | 'outcome' | 'replaced'> & { readonly standing: PlaybookView | null })[]
  })[]
}

export type PlaybookTestReportView = Static<typeof TestReportSchema>
export type DryRunView = Static<typeof DryRunSchema>
export type RehearsedCallView = Static<typeof RehearsedCallSchema>
export type ReplayView = Omit<Static<typeof ReplaySchema>, 'added' | 'removed' | 'changed' | 'missing'> &
  Readonly<Record<'added' | 'removed' | 'missing', readonly RehearsedCallView[]>> & {
    readonly changed: readonly (RehearsedCallView & { readonly before: RehearsedCallView })[]
  }
export type PlaybookUseView = Static<typeof UseSchema>
export type PlaybookTemplateView = Static<typeof TemplateSchema>
export type PlaybookLanguageView = Static<typeof LanguageSchema>
