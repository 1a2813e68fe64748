import type { Decision, DecisionAction, DecisionAnswer, Effect, Json, Millis, RunState, Unchanged } from '../domain/index.ts'

/** What the journal says about one write, in order. The names are those of the journal's records. */
export type WriteEvent =
  | { readonly kind: 'intent'; readonly at: Millis; readonly try: number; readonly send_by: Millis }
  | { readonly kind: 'tried'; readonly at: Millis; readonly try: number; readonly effect: Effect; readonly code: string }
  | { readonly kind: 'retried'; readonly at: Millis; readonly code: string; readonly until: Millis }
  | { readonly kind: 'answered'; readonly at: Millis; readonly try: number }
  | { readonly kind: 'probed'; readonly at: Millis; readonly try: number; readonly happened: boolean }
  | { readonly kind: 'asked' | 'heard'; readonly at: Millis; readonly decision: string }
  | { readonly kind: 'done'; readonly at: Millis }
  | { readonly kind: 'failed'; readonly at: Millis; readonly effect: Effect; readonly code: string; readonly message: string }

/** A write that the run tried. */
export interface EvidenceWrite {
  /** Address of the step. A request of a handler adds `#` and its number. */
  readonly step: string
  /** `<integration>.<skill>` */
  readonly skill: string | null
  readonly connection: { readonly id: string; readonly revision: number; readonly instance: string | null }
  readonly target: string | null
  /** What was sent. Null if it is not kept here: see `input_left_out`. For a request of a handler, the input of its skill. */
  readonly input: Json
  /** Whether the input is left out, because the inputs together are too long. */
  readonly input_left_out: boolean
  /** SHA-256 of what the last try sent, as base64url: of the input as JSON without blanks, or of the handler's request. */
  readonly digest: string
  /** `unknown`: nobody knows whether it happened. */
  readonly outcome: 'done' | 'unknown' | 'not_done'
  /** As in `RecordedWrite`. Null: it changed something, or it is not done. */
  readonly changed: Unchanged | null
  readonly history: readonly WriteEvent[]
}

export interface EvidenceDecision {
  readonly id: string
  readonly kind: Decision['kind']
  readonly step: string
  readonly title: string
  readonly state: Decision['state']
  readonly asked_at: Millis
  readonly closed_at: Millis | null
  readonly expires_at: Millis | null
  readonly approvers: number
  readonly may_answer: readonly string[]
  readonly actions: readonly (Pick<DecisionAction, 'step' | 'skill' | 'target' | 'digest'> & {
    readonly connection: { readonly id: string; readonly revision: number; readonly instance: string }
  })[]
  readonly answers: readonly EvidenceAnswer[]
}

interface EvidenceAnswer extends Pick<DecisionAnswer, 'by' | 'verdict' | 'reason' | 'at'> {
  readonly principal_uuid: string
  /**
   * Whose key made the key that answered, whose key made that one, and so on: at most `mostMakers`. Empty: nobody's, or it is not
   * known. Absent in evidence of versions that did not keep it.
   */
  readonly made_by: readonly { readonly by: string | null; readonly principal_uuid: string }[]
}

interface Who {
  readonly by: string
  readonly principal_uuid: string
}

/** What is signed. Times are epoch milliseconds. */
export interface EvidenceDocument {
  readonly format: 1
  readonly made_at: Millis
  readonly made_for: Who
  /** The version of Tocsin that made it. */
  readonly tocsin: string
  readonly run: {
    readonly run_id: string
    readonly undoes: string | null
    readonly attempt: number
    readonly state: RunState
    readonly reason: string | null
    readonly error: { readonly code: string; readonly message: string; readonly step: string | null } | null
    readonly started_at: Millis
    readonly ended_at: Millis | null
    readonly organization_code: string | null
    readonly organization_uuid: string
    readonly case_id: string
    readonly cancelled: (Who & { readonly reason: string | null; readonly at: Millis }) | null
    /** For an undo: who asked for it. */
    readonly requested: (Who & { readonly reason: string | null }) | null
  }
  /** Null: the alert is gone. */
  readonly alert: {
    readonly alert_uuid: string
    readonly alert_id: string
    readonly alert_provider: string
    readonly alert_type: string | null
    readonly created_at: Millis
    readonly created_by: string
    /** SHA-256 of `alert_content` in UTF-8, as base64url. */
    readonly content_digest: string
  } | null
  /** The code that the run was pinned to, as digests by name. */
  readonly code: {
    readonly playbook: { readonly name: string; readonly digest: string }
    readonly playbooks: Readonly<Record<string, string>>
    readonly plugins: Readonly<Record<string, string>>
    readonly policy_revision: number
  }
  readonly writes: readonly EvidenceWrite[]
  readonly decisions: readonly EvidenceDecision[]
  /** `digest`: SHA-256 of the whole journal, as base64url. The same journal always has the same digest. */
  readonly journal: { readonly entries: number; readonly digest: string }
}
