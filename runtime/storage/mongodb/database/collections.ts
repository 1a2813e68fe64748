import type { Collection, Db } from 'mongodb'
import type { ActDocument } from '../access/act-documents.ts'
import type { OrganizationDocument } from '../access/organization-documents.ts'
import type { KeyDocument, PrincipalDocument } from '../access/principal-documents.ts'
import type { ProviderDocument } from '../access/provider-documents.ts'
import type { SettingDocument } from '../access/setting-documents.ts'
import type { AgentDocument } from '../agents/agent-documents.ts'
import type { AlertDocument, FingerprintDocument } from '../alerts/alert-documents.ts'
import type { WordsDocument } from '../alerts/alert-words.ts'
import type { StatesDocument } from '../alerts/states/state-pages.ts'
import type { SegmentDocument } from '../alerts/word-segments.ts'
import type { CaseDocument } from '../cases/case-documents.ts'
import type { MentionDocument } from '../cases/mention-documents.ts'
import type { TimelineDocument } from '../cases/timeline-documents.ts'
import type { CaseSegmentDocument } from '../cases/words/segments.ts'
import type { ConnectionDocument } from '../connections/connection-documents.ts'
import type { DecisionDocument } from '../decisions/decision-documents.ts'
import type { FetchDocument } from '../fetches/fetch-documents.ts'
import type { PauseDocument } from '../guards/pause-documents.ts'
import type { PolicyDocument } from '../guards/policy-documents.ts'
import type { QuotaDocument } from '../guards/quota-documents.ts'
import type { JournalDocument } from '../journal/journal-documents.ts'
import type { OutputDocument, OutputPartDocument } from '../journal/output-documents.ts'
import type { ActivationDocument, ArtifactDocument } from '../playbooks/artifact-documents.ts'
import type { RunDocument } from '../runs/run-documents.ts'
import type { SessionDocument } from '../runs/session-documents.ts'
import type { DeliveryDocument } from '../webhooks/delivery-documents.ts'
import type { WebhookDocument } from '../webhooks/webhook-documents.ts'
import type { PageDocument } from '../words/pages.ts'
import type { CounterDocument } from './counters.ts'

/** Every collection. In the database, the names are in snake case. */
export interface Collections {
  readonly organizations: Collection<OrganizationDocument>
  readonly policies: Collection<PolicyDocument>
  readonly quotaCalls: Collection<QuotaDocument>
  readonly providers: Collection<ProviderDocument>
  readonly principals: Collection<PrincipalDocument>
  readonly keys: Collection<KeyDocument>
  readonly agents: Collection<AgentDocument>
  readonly acts: Collection<ActDocument>
  readonly connections: Collection<ConnectionDocument>
  readonly artifacts: Collection<ArtifactDocument>
  readonly activations: Collection<ActivationDocument>
  readonly alerts: Collection<AlertDocument>
  readonly alertWords: Collection<WordsDocument>
  readonly alertSegments: Collection<SegmentDocument>
  readonly alertPages: Collection<PageDocument>
  readonly alertStates: Collection<StatesDocument>
  readonly counters: Collection<CounterDocument>
  readonly sessions: Collection<SessionDocument>
  readonly runs: Collection<RunDocument>
  readonly fingerprints: Collection<FingerprintDocument>
  readonly journal: Collection<JournalDocument>
  readonly outputs: Collection<OutputDocument>
  readonly outputParts: Collection<OutputPartDocument>
  readonly cases: Collection<CaseDocument>
  readonly caseSegments: Collection<CaseSegmentDocument>
  readonly casePages: Collection<PageDocument>
  readonly timeline: Collection<TimelineDocument>
  readonly mentions: Collection<MentionDocument>
  readonly decisions: Collection<DecisionDocument>
  readonly pauses: Collection<PauseDocument>
  readonly fetches: Collection<FetchDocument>
  readonly settings: Collection<SettingDocument>
  readonly webhooks: Collection<WebhookDocument>
  readonly deliveries: Collection<DeliveryDocument>
}

/** Returns the collections of a database. Creates none. */
export function collectionsOf(database: Db): Collections {
  return {
    organizations: database.collection('organizations'),
    policies: database.collection('policies'),
    quotaCalls: database.collection('quota_calls'),
    providers: database.collection('providers'),
    principals: database.collection('principals'),
    keys: database.collection('keys'),
    agents: database.collection('agents'),
    acts: database.collection('acts'),
    connections: database.collection('connections'),
    artifacts: database.collection('artifacts'),
    activations: database.collection('activations'),
    alerts: database.collection('alerts'),
    alertWords: database.collection('alert_words'),
    alertSegments: database.collection('alert_segments'),
    alertPages: database.collection('alert_pages'),
    alertStates: database.collection('alert_states'),
    counters: database.collection('counters'),
    sessions: database.collection('sessions'),
    runs: database.collection('runs'),
    fingerprints: database.collection('fingerprints'),
    journal: database.collection('journal'),
    outputs: database.collection('outputs'),
    outputParts: database.collection('output_parts'),
    cases: database.collection('cases'),
    caseSegments: database.collection('case_segments'),
    casePages: database.collection('case_pages'),
    timeline: database.collection('timeline'),
    mentions: database.collection('mentions'),
    decisions: database.collection('decisions'),
    pauses: database.collection('pauses'),
    fetches: database.collection('fetches'),
    settings: database.collection('settings'),
    webhooks: database.collection('webhooks'),
    deliveries: database.collection('deliveries'),
  }
}
