import type { PinnedPolicy } from '../guards/policy.ts'
import type { ConnectionId, Digest } from '../ids.ts'
import type { Failure } from './failure.ts'

/** The code that a run started with, by name and digest. It stays the same for the whole run. */
interface PinnedArtifact {
  readonly name: string
  readonly digest: Digest
}

/** A connection as it was when the run started. */
export interface PinnedConnection {
  readonly id: ConnectionId
  readonly revision: number
  readonly instance: string
  /** Digest of what decides where its requests go. Absent: its plugin was not loaded. */
  readonly address?: string
}

/** What a run may use, fixed when it starts. A process that takes over the run uses exactly these. */
export interface RunPins {
  readonly playbook: PinnedArtifact
  /** Keyed by name: the sub-playbooks that it runs, and those that they run. */
  readonly playbooks: Readonly<Record<string, Digest>>
  /** The organization's policy on approvals and limits when the run started. */
  readonly policy: PinnedPolicy
  /** Keyed by integration id: the plugin (manifest and skills) as it was when the run started. */
  readonly plugins: Readonly<Record<string, Digest>>
  /** Keyed by slot. A slot of a sub-playbook is `<sub-playbook>/<slot>`. A slot without a matching connection is absent. */
  readonly connections: Readonly<Record<string, PinnedConnection>>
  /** How many runs of the playbook one process may execute at once. Absent: any number. */
  readonly concurrency?: number
  /**
   * Why the run cannot begin. It is still claimed, so that its alert fails and the case gives the reason, even if
   * the process dies first. Absent: it can begin.
   */
  readonly refused?: Failure
}
