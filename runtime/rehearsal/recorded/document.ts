import type { DecisionKind, DecisionState, Effect, Json, Millis, RunState, SentWrite, Verdict } from '../../domain/index.ts'

/** When something in a run happened, and its place in the journal. */
export interface RecordedMoment {
  /** Never before that of an earlier record, although the clocks of processes may differ. */
  readonly at: Millis
  /** What happened earlier has a lower number. */
  readonly order: number
}

/** The outcome of a call, a script or an approval of a run, by the address of its step. */
export type RecordedAnswer =
  | (RecordedMoment & { readonly step: string; readonly kind: 'output'; readonly output: Json })
  | (RecordedMoment & {
      readonly step: string
      readonly kind: 'failed'
      readonly code: string
      readonly message: string
      readonly effect: Effect
      /** The part of the output that is known. */
      readonly output?: Json
    })
  /** The request was sent, and its outcome is unknown. */
  | { readonly step: string; readonly kind: 'sent' }

export interface RecordedDecision {
  /** The address of the step that asked. */
  readonly step: string
  readonly kind: DecisionKind
  readonly state: DecisionState
  readonly asked_at: Millis
  /** Null while the decision is open. */
  readonly closed_at: Millis | null
  /** When the run asked. Null: its process died before it had recorded that. */
  readonly asked: RecordedMoment | null
  /** When the run went on with what people had decided. Null: it did not. */
  readonly heard: RecordedMoment | null
  readonly answers: readonly { readonly verdict: Verdict; readonly by: string; readonly reason: string | null; readonly output: Json }[]
}

export interface RecordedPlaybook {
  readonly name: string
  readonly digest: string
  /** Null if the store no longer has the text. */
  readonly text: string | null
}

/** A run, with all that is needed to replay it, as the API returns it. */
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
  /** Instance names, by slot. A slot without a connection is absent. */
  readonly connections: Readonly<Record<string, string>>
  /** In the order of the journal. */
  readonly answers: readonly RecordedAnswer[]
  readonly decisions: readonly RecordedDecision[]
  /** When the run waited for people, or a pause held it. These times do not count towards its time limit. */
  readonly uncounted: readonly { readonly from: Millis; readonly to: Millis }[]
  /** When the waits of the run were over, for those that were. */
  readonly waits: readonly (RecordedMoment & { readonly step: string })[]
  /** The addresses of the steps that wrote into the case, if branches of the run were joined or stopped it. */
  readonly noted: readonly string[]
  /**
   * The recorded choices that a replay must repeat, by their address in the journal: branches,
   * joins, and the ends of waits.
   */
  readonly decided: Readonly<Record<string, Json>>
}

/** A write that changed something outside, or may have. */
export interface RecordedSent extends SentWrite {
  /** `<integration>.<skill>`. Null if the playbook can no longer be read. */
  readonly skill: string | null
  readonly target: string | null
}
