import type { Logger } from 'pino'
import type { Connections } from '../connection/index.ts'
import type { ActivationSource, Clock, Digest, Ids, Json, Millis, OrganizationId, Scope } from '../domain/index.ts'
import type { Ingest, Investigations } from '../ingest/index.ts'
import type { Store } from '../storage/index.ts'

/** An active playbook, as a list shows it. */
export interface PlaybookView {
  readonly name: string
  /** Normalised; one activation a type. */
  readonly alertType: string
  /** Null: for every organization. */
  readonly organization: OrganizationId | null
  readonly digest: Digest
  readonly source: ActivationSource
  readonly revision: number
  readonly activatedAt: Millis
}

/** A loaded plugin: what a person needs to make a connection from it. */
export interface IntegrationView {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly categories: readonly string[]
  readonly vendor: { readonly name: string; readonly api: string | null; readonly docs: string | null }
  /** The connection form, in its order. */
  readonly credentials: readonly CredentialView[]
}

export interface CredentialView {
  readonly name: string
  readonly label: string
  readonly type: string
  readonly required: boolean
  /** Write-only. */
  readonly secret: boolean
  readonly advanced: boolean
  readonly help: string | null
  readonly default: string | number | boolean | null
  /** The choices of an enum; empty for other types. */
  readonly values: readonly string[]
}

/** A line of an integration's Skills tab (specification 1, point 6). */
export interface SkillView {
  /** `<integration>.<skill>`, as playbooks name it. */
  readonly id: string
  readonly title: string
  readonly purpose: string
  readonly category: string | null
  readonly impact: 'read' | 'write' | 'high'
  readonly minimumRole: string | null
  readonly warnings: readonly string[]
  /** JSON Schemas. */
  readonly input: Json
  readonly output: Json
}

/** One thing that must answer before this process can serve. `name` is public: `store`, `queue`. */
export interface ReadyCheck {
  readonly name: string
  readonly ok: boolean
}

/** All that the API needs of the other rooms. */
export interface ApiServices {
  /** Reads, and creates of one document, go straight to the port. */
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  /** Bytes of a request's body; a batch may have 16 times as much. */
  readonly bodyLimit: number
  /** The version of the program, for the API's description. */
  readonly version: string
  readonly ingest: Ingest
  readonly investigations: Investigations
  readonly connections: Connections
  readonly playbooks: { list(scope: Scope): Promise<readonly PlaybookView[]> }
  readonly integrations: {
    list(): Promise<readonly IntegrationView[]>
    /** Null: no such integration is loaded. */
    skills(integration: string): Promise<readonly SkillView[] | null>
  }
  /** Asks what must answer; never rejects. */
  ready(): Promise<readonly ReadyCheck[]>
}
