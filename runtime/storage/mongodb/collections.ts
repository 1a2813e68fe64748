import type { Collection, Db } from 'mongodb'
import type { AlertDocument } from './alert-documents.ts'
import type { WordsDocument } from './alert-words.ts'
import type { CaseDocument } from './case-documents.ts'
import type { CounterDocument } from './counters.ts'
import type { ActivationDocument, ArtifactDocument } from './documents/artifacts.ts'
import type { ConnectionDocument } from './documents/connections.ts'
import type { DecisionDocument } from './documents/decisions.ts'
import type { DeliveryDocument } from './documents/deliveries.ts'
import type { FingerprintDocument } from './documents/fingerprints.ts'
import type { JournalDocument } from './documents/journal.ts'
import type { OrganizationDocument } from './documents/organizations.ts'
import type { OutputDocument, OutputPartDocument } from './documents/outputs.ts'
import type { PauseDocument } from './documents/pauses.ts'
import type { PolicyDocument } from './documents/policies.ts'
import type { KeyDocument, PrincipalDocument } from './documents/principals.ts'
import type { ProviderDocument } from './documents/providers.ts'
import type { QuotaDocument } from './documents/quotas.ts'
import type { SessionDocument } from './documents/sessions.ts'
import type { SettingDocument } from './documents/settings.ts'
import type { TimelineDocument } from './documents/timeline.ts'
import type { WebhookDocument } from './documents/webhooks.ts'
import type { RunDocument } from './run-documents.ts'

/** Every collection, by its name here; in the database the names are in snake case. */
export interface Collections {
  readonly organizations: Collection<OrganizationDocument>
  readonly policies: Collection<PolicyDocument>
  readonly quotaCalls: Collection<QuotaDocument>
  readonly providers: Collection<ProviderDocument>
  readonly principals: Collection<PrincipalDocument>
  readonly keys: Collection<KeyDocument>
  readonly connections: Collection<ConnectionDocument>
  readonly artifacts: Collection<ArtifactDocument>
  readonly activations: Collection<ActivationDocument>
  readonly alerts: Collection<AlertDocument>
  readonly alertWords: Collection<WordsDocument>
  readonly counters: Collection<CounterDocument>
  readonly sessions: Collection<SessionDocument>
  readonly runs: Collection<RunDocument>
  readonly fingerprints: Collection<FingerprintDocument>
  readonly journal: Collection<JournalDocument>
  readonly outputs: Collection<OutputDocument>
  readonly outputParts: Collection<OutputPartDocument>
  readonly cases: Collection<CaseDocument>
  readonly timeline: Collection<TimelineDocument>
  readonly decisions: Collection<DecisionDocument>
  readonly pauses: Collection<PauseDocument>
  readonly settings: Collection<SettingDocument>
  readonly webhooks: Collection<WebhookDocument>
  readonly deliveries: Collection<DeliveryDocument>
}

export function collectionsOf(database: Db): Collections {
  return {
    organizations: database.collection('organizations'),
    policies: database.collection('policies'),
    quotaCalls: database.collection('quota_calls'),
    providers: database.collection('providers'),
    principals: database.collection('principals'),
    keys: database.collection('keys'),
    connections: database.collection('connections'),
    artifacts: database.collection('artifacts'),
    activations: database.collection('activations'),
    alerts: database.collection('alerts'),
    alertWords: database.collection('alert_words'),
    counters: database.collection('counters'),
    sessions: database.collection('sessions'),
    runs: database.collection('runs'),
    fingerprints: database.collection('fingerprints'),
    journal: database.collection('journal'),
    outputs: database.collection('outputs'),
    outputParts: database.collection('output_parts'),
    cases: database.collection('cases'),
    timeline: database.collection('timeline'),
    decisions: database.collection('decisions'),
    pauses: database.collection('pauses'),
    settings: database.collection('settings'),
    webhooks: database.collection('webhooks'),
    deliveries: database.collection('deliveries'),
  }
}
