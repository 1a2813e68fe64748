import type { Logger } from 'pino'
import type { Connections, ManualCalls } from '../connection/index.ts'
import type { ConsoleFiles } from '../console/index.ts'
import type { Clock, Ids, OrganizationId, Scope } from '../domain/index.ts'
import type { DecisionService, RunService, UndoService } from '../engine/index.ts'
import type { Turns } from '../fairness/index.ts'
import type { Ingest, Investigations } from '../ingest/index.ts'
import type { Webhooks } from '../notify/index.ts'
import type { Finding, PlaybookActivation, PlaybookHistory } from '../playbook/index.ts'
import type { CatalogueIntegration, CatalogueSkill } from '../plugin/index.ts'
import type { Policies } from '../policy/index.ts'
import type { Recordings } from '../rehearsal/index.ts'
import type { Retraces } from '../retrace/index.ts'
import type { Store } from '../storage/index.ts'

/** One thing that must answer before this process can serve. `name` is public: `store`, `queue`. */
export interface ReadyCheck {
  readonly name: string
  readonly ok: boolean
  /** Why it does not answer. Everybody may see this, so it names no path and no address. */
  readonly why?: string
}

/** Everything that the API needs of the other rooms. */
export interface ApiServices {
  /** Reads, and creates of one document, go straight to the port. */
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  /** Turns of the event loop, so that large bodies and answers of one tenant do not hold up others. */
  readonly turns: Turns
  /** Addresses and ranges of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[]
  /** Bytes of a request's body. A body with many alerts or playbooks may have 16 times as much. */
  readonly bodyLimit: number
  /** The version of the program, for the API's description. */
  readonly version: string
  readonly ingest: Ingest
  readonly investigations: Investigations
  readonly decisions: Pick<DecisionService, 'answer'>
  readonly runs: Pick<RunService, 'cancel'>
  readonly undo: Pick<UndoService, 'begin' | 'preview'>
  readonly connections: Connections
  readonly byHand: ManualCalls
  readonly webhooks: Webhooks
  readonly playbooks: {
    readonly history: PlaybookHistory
    readonly activation: PlaybookActivation
    /** Checks a playbook's text against what is loaded, and against the connections of the organization if there is one. @param scope of the caller */
    lint(scope: Scope, text: string, organization: OrganizationId | null): Promise<readonly Finding[]>
  }
  readonly policies: Policies
  readonly recordings: Recordings
  readonly retraces: Retraces
  readonly integrations: {
    list(): Promise<readonly CatalogueIntegration[]>
    /** Null: no such integration is loaded. */
    skills(integration: string): Promise<readonly CatalogueSkill[] | null>
  }
  /** What the console is made of. */
  console(): Promise<ConsoleFiles>
  /** Asks what must answer; never rejects. */
  ready(): Promise<readonly ReadyCheck[]>
}
