import type { Logger } from 'pino'
import type { Connections, ManualCalls } from '../connection/index.ts'
import type { ConsoleFiles } from '../console/index.ts'
import type { Alert, Clock, Ids, Json, Millis, OrganizationId, Scope } from '../domain/index.ts'
import type { Binding, ConnectionUses, DecisionService, RunService, UndoService } from '../engine/index.ts'
import type { Evidence } from '../evidence/index.ts'
import type { Turns } from '../fairness/index.ts'
import type { Feed } from '../feed/index.ts'
import type { Fetches } from '../fetches/index.ts'
import type { Ingest, Investigations } from '../ingest/index.ts'
import type { Webhooks } from '../notify/index.ts'
import type { Pdfs } from '../pdf/index.ts'
import type { DrawnPlaybook, Examination, PlaybookActivation, PlaybookHistory, PlaybookTemplate, Slotted } from '../playbook/index.ts'
import type { CatalogueIntegration, CatalogueSkill } from '../plugin/index.ts'
import type { Policies } from '../policy/index.ts'
import type { Recordings } from '../rehearsal/recorded/index.ts'
import type { TextRehearsals } from '../rehearsals/index.ts'
import type { Relay } from '../relay/index.ts'
import type { Retraces } from '../retrace/index.ts'
import type { Store } from '../storage/index.ts'

/** The check of one part that must answer before this process can serve. `name` is public: `store` or `queue`. */
export interface ReadyCheck {
  readonly name: string
  readonly ok: boolean
  /** Why it does not answer. It is public, so it names no path and no address. */
  readonly why?: string
  /** The same for the log, in the words of its driver. */
  readonly cause?: string
}

/** Counts answered requests, and returns all metrics of the process. */
export interface RequestMetrics {
  /** `route`: the path with names in place of values. Null: no operation has this path. `lasted`: since the request arrived */
  answered(request: { readonly method: string; readonly route: string | null; readonly status: number; readonly lasted: Millis }): void
  /** In the text format of Prometheus. Never rejects because the store does not answer. */
  read(): Promise<{ readonly type: string; readonly text: string }>
}

/** What the API needs from the other rooms. */
export interface ApiServices {
  /** The API uses the store directly to read, and to create single documents. */
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  /** Turns of the event loop, so that large bodies and answers of one tenant do not hold up others. */
  readonly turns: Turns
  /** Addresses and ranges of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[]
  /** The most bytes of a request's body. A body with many alerts or playbooks may have 16 times as many. */
  readonly bodyLimit: number
  /** The version of Tocsin, for the OpenAPI document. */
  readonly version: string
  readonly ingest: Ingest
  /** Says which objects change. It must watch `store`. */
  readonly feed: Feed
  readonly investigations: Investigations
  readonly decisions: Pick<DecisionService, 'answer' | 'approvalRefusals'>
  readonly runs: Pick<RunService, 'cancel'>
  /** Call when a pause has ended: what it held is then handed over at once. */
  resumed(): void
  readonly undo: Pick<UndoService, 'begin' | 'preview'>
  readonly connections: Connections
  readonly manualCalls: ManualCalls
  readonly connectionUses: ConnectionUses
  readonly webhooks: Webhooks
  readonly fetches: Pick<Fetches, 'create' | 'try' | 'list' | 'get' | 'revise' | 'remove' | 'hurry'>
  /** The remote agents of this process. */
  readonly relay: Pick<Relay, 'agents' | 'receive' | 'leave'>
  readonly playbooks: {
    readonly history: PlaybookHistory
    readonly activation: PlaybookActivation
    /** Draws the graph of a playbook's text. @param organization whose sub-playbooks it runs; null: the shared ones */
    draw(scope: Scope, text: string, organization: OrganizationId | null): Promise<DrawnPlaybook>
    /** Lints a playbook's text against the loaded plugins and, if an organization is given, its connections. @param scope the caller's scope */
    lint(scope: Scope, text: string, organization: OrganizationId | null): Promise<Examination>
    /** Writes a first playbook for the type of an alert. */
    generate(alert: Alert): Promise<string>
    /** The playbooks that ship with Tocsin. */
    templates(): Promise<readonly PlaybookTemplate[]>
    /** The JSON Schema of playbooks for editors. Knows the loaded plugins and the active sub-playbooks that the caller may see. */
    schema(scope: Scope): Promise<Json>
    /** Binds the slots of a playbook to the connections that runs of an organization would use. */
    binding(playbook: Slotted, organization: OrganizationId): Promise<Binding>
    readonly rehearsals: TextRehearsals
  }
  readonly metrics: RequestMetrics
  readonly pdfs: Pick<Pdfs, 'draw'>
  readonly policies: Policies
  readonly recordings: Recordings
  readonly evidence: Evidence
  readonly retraces: Retraces
  readonly integrations: {
    list(): Promise<readonly CatalogueIntegration[]>
    /** Null: no such integration is loaded. */
    skills(integration: string): Promise<readonly CatalogueSkill[] | null>
  }
  /** The files of the console. */
  console(): Promise<ConsoleFiles>
  /** Runs all ready checks. Never rejects. */
  ready(): Promise<readonly ReadyCheck[]>
}
