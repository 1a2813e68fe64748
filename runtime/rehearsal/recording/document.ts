import type { DecisionKind, DecisionState, Effect, Json, Millis, RunState, SentWrite, Verdict } from '../../domain/index.ts'

/** What a call of a run was answered, by the address of its step. */
export type RecordedAnswer =
  | { readonly step: string; readonly kind: 'output'; readonly output: Json; readonly at: Millis }
  | {
      readonly step: string
      readonly kind: 'failed'
      readonly code: string
      readonly message: string
      readonly effect: Effect
      /** As much of it as is known. */
      readonly output?: Json
    }
  /** It was sent, and nothing says what became of it. */
  | { readonly step: string; readonly kind: 'sent' }

export interface RecordedDecision {
  /** Address of the step that asked. */
  readonly step: string
  readonly kind: DecisionKind
  readonly state: DecisionState
  readonly asked_at: Millis
  /** Null while it is open. */
  readonly closed_at: Millis | null
  readonly answers: readonly { readonly verdict: Verdict; readonly by: string; readonly reason: string | null; readonly output: Json }[]
}

export interface RecordedPlaybook {
  readonly name: string
  readonly digest: string
  /** Null: the store has it no more. */
  readonly text: string | null
}

/** A run with all that it takes to walk it again, as the API gives it. */
export interface Recording {
  readonly run_id: string
  readonly attempt: number
  readonly state: RunState
  readonly reason: string | null
  readonly error: { readonly code: string; readonly message: string; readonly step: string | null } | null
  readonly started_at: Millis
  readonly ended_at: Millis | null
  readonly case_id: string
  readonly alert: {
    readonly alert_content: string
    readonly alert_id: string
    readonly alert_name: string
    readonly alert_provider: string
    readonly alert_type: string | null
    readonly alert_uuid: string
    readonly created_at: Millis
    readonly created_at_source: Millis | null
    readonly created_by: string
    readonly investigation_retry_count: number
    readonly organization_code: string
    readonly organization_uuid: string
  }
  readonly playbook: RecordedPlaybook
  /** The sub-playbooks that it may run. */
  readonly playbooks: readonly RecordedPlaybook[]
  /** Digests, by integration. */
  readonly plugins: Readonly<Record<string, string>>
  /** Instances, by slot; a slot that was not bound is absent. */
  readonly connections: Readonly<Record<string, string>>
  /** In the order in which the journal has them. */
  readonly answers: readonly RecordedAnswer[]
  readonly decisions: readonly RecordedDecision[]
  /** What a walk of it must repeat, by the address that the journal has it under: ways, joins, times that it waited until. */
  readonly decided: Readonly<Record<string, Json>>
}

/** A write that changed the outside world, or may have. */
export interface RecordedSent extends SentWrite {
  /** `<integration>.<skill>`; null: the playbook can no longer be read. */
  readonly skill: string | null
  readonly target: string | null
}
