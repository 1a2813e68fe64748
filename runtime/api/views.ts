import type { Static } from '../schema/index.ts'
import type { ActSchema, CreatedKeySchema, KeySchema, SignedInSchema } from './resources/access/index.ts'
import type { AgentSchema, AgentWithTokenSchema } from './resources/agents/index.ts'
import type { AlertDetailsSchema, AlertItemSchema, RetryPreviewSchema } from './resources/alerts/index.ts'
import type { CaseDetailsSchema, CaseSchema, MentionSchema, PersonSchema, TimelineEntryShape } from './resources/cases/index.ts'
import type {
  CheckedSchema,
  ConnectionSchema,
  ConnectionTestSchema,
  IntegrationSchema,
  PreviewSchema,
  ResultSchema,
  SkillSchema,
  UseSchema,
} from './resources/connections/index.ts'
import type { DecisionSchema } from './resources/decisions/index.ts'
import type { FeedChangesSchema } from './resources/feed/index.ts'
import type { FetchSchema, FetchTrialSchema } from './resources/fetches/index.ts'
import type {
  OrganizationSchema,
  PolicyCheckSchema,
  PolicyRevisionSchema,
  PolicySchema,
  ProviderSchema,
  UsageSchema,
} from './resources/organizations/index.ts'
import type { PauseSchema } from './resources/pauses/index.ts'
import type { PlaybookGraphSchema } from './resources/playbooks/index.ts'
import type { RunDetailsSchema, RunGraphSchema, RunStepSchema, RunSummarySchema, RunUndoSchema, RunWritesSchema } from './resources/runs/index.ts'
import type { StatisticsSchema } from './resources/statistics/index.ts'
import type { VersionSchema } from './resources/system/index.ts'
import type { DeliverySchema, WebhookSchema, WebhookTestSchema, WebhookWithSecretSchema } from './resources/webhooks/index.ts'

/** The types of the API's answers, from their schemas. The console uses them. */
export type DecisionView = Static<typeof DecisionSchema>
export type TimelineEntryView = TimelineEntryShape
export type CaseDetailsView = Omit<Static<typeof CaseDetailsSchema>, 'timeline'> & { readonly timeline: readonly TimelineEntryView[] }
export type CaseView = Static<typeof CaseSchema>
export type PersonView = Static<typeof PersonSchema>
export type MentionView = Static<typeof MentionSchema>
export type RunDetailsView = Omit<Static<typeof RunDetailsSchema>, 'pauses'> & { readonly pauses: readonly Static<typeof PauseSchema>[] }
export type RunView = Static<typeof RunSummarySchema>
export type RunUndoView = Static<typeof RunUndoSchema>
export type AlertItemView = Static<typeof AlertItemSchema>
export type AlertDetailsView = Omit<Static<typeof AlertDetailsSchema>, 'pauses'> & { readonly pauses: readonly Static<typeof PauseSchema>[] }
export type RetryPreviewView = Static<typeof RetryPreviewSchema>
export type StatisticsView = Static<typeof StatisticsSchema>
export type RunStepView = Static<typeof RunStepSchema>
export type RunGraphView = Static<typeof RunGraphSchema>
export type RunWritesView = Omit<Static<typeof RunWritesSchema>, 'steps'> & { readonly steps: readonly RunStepView[] }
export type PlaybookGraphView = Static<typeof PlaybookGraphSchema>
export type ActView = Static<typeof ActSchema>
export type SignedInView = Static<typeof SignedInSchema>
export type FeedChangeView = Static<typeof FeedChangesSchema>['changes'][number]
export type FetchAnswer = Static<typeof FetchSchema>
export type FetchTrialView = Static<typeof FetchTrialSchema>
export type ConnectionAnswer = Static<typeof ConnectionSchema>
export type ConnectionTestView = Static<typeof ConnectionTestSchema>
export type ConnectionUseView = Static<typeof UseSchema>
export type CheckedEntryView = Static<typeof CheckedSchema>
export type IntegrationView = Static<typeof IntegrationSchema>
export type SkillView = Static<typeof SkillSchema>
export type SkillPreviewView = Static<typeof PreviewSchema>
export type SkillResultView = Static<typeof ResultSchema>
export type OrganizationView = Static<typeof OrganizationSchema>
export type ProviderView = Static<typeof ProviderSchema>
export type KeyView = Static<typeof KeySchema>
export type CreatedKeyView = Static<typeof CreatedKeySchema>
export type PolicyView = Static<typeof PolicySchema>
export type PolicyCheckView = Static<typeof PolicyCheckSchema>
export type PolicyRevisionView = Static<typeof PolicyRevisionSchema>
export type QuotaUsageView = Static<typeof UsageSchema>
export type PauseView = Static<typeof PauseSchema>
export type AgentView = Static<typeof AgentSchema>
export type AgentWithTokenView = Static<typeof AgentWithTokenSchema>
export type WebhookView = Static<typeof WebhookSchema>
export type WebhookWithSecretView = Static<typeof WebhookWithSecretSchema>
export type WebhookTestView = Static<typeof WebhookTestSchema>
export type DeliveryView = Static<typeof DeliverySchema>
export type VersionView = Static<typeof VersionSchema>
/** An organization or a provider. */
export type NamedView = Static<typeof OrganizationSchema>
export type { Problem } from './answer/index.ts'
export type {
  ActivatedPlaybooksView,
  ActivePlaybookView,
  DryRunView,
  FindingView,
  ImpactView,
  LintedPlaybookView,
  PlaybookLanguageView,
  PlaybookTemplateView,
  PlaybookTestReportView,
  PlaybookUseView,
  PlaybookView,
  RehearsedCallView,
  ReplayView,
} from './resources/playbooks/index.ts'

export interface PageView<Item> {
  readonly items: readonly Item[]
  readonly next_cursor: string | null
}
