import type { DecisionState } from '../decisions/decision.ts'
import type { AlertUuid, CaseUuid, DecisionId, OrganizationId, PrincipalId, RunId } from '../ids.ts'
import type { Effect } from '../journal/effect.ts'
import type { Millis } from '../seams.ts'
import type { Json } from '../text/json.ts'
import type { CaseDesk, DeskBody, Mention } from './case-desk.ts'
import type { CaseMarks, FailedAttempt, UndoneCounts, UndoState } from './case-marks.ts'
import type { CaseStatus } from './case-status.ts'

export const severities = ['unassigned', 'informational', 'low', 'medium', 'high', 'critical'] as const
export type Severity = (typeof severities)[number]

export const dispositions = ['pending', 'no_threat_found', 'non_malicious_positive', 'malicious'] as const
export type Disposition = (typeof dispositions)[number]

export const risks = ['info', 'low', 'medium', 'high', 'critical'] as const
export type Risk = (typeof risks)[number]

export interface CaseAlert {
  readonly alertId: string
  readonly alertUuid: AlertUuid
}

export interface Case {
  readonly uuid: CaseUuid
  readonly organization: OrganizationId
  /** Unique within the organization, and rising. */
  readonly number: number
  /** `<org code>-<number>` (specification 2.3). */
  readonly caseId: string
  readonly alerts: readonly CaseAlert[]
  readonly title: string
  readonly severity: Severity
  readonly status: CaseStatus
  readonly disposition: Disposition
  readonly assignee: string | null
  /** The verdict's summary. Null until a playbook gives one. */
  readonly summary: string | null
  readonly marks: CaseMarks
  readonly desk: CaseDesk
  readonly createdAt: Millis
  readonly modifiedAt: Millis
}

/** How a new case begins. */
export interface CaseOpening {
  readonly uuid: CaseUuid
  readonly title: string
  readonly severity: Severity
  /**
   * Continue an open case of the organization with the same join key that changed recently, instead of
   * opening a new one.
   */
  readonly join: CaseJoin | null
}

export interface CaseJoin {
  readonly key: string
  /** How long after its last change a case can still be continued. */
  readonly within: Millis
}

/** Fields with a new value. Absent fields stay as they are. */
export type CaseChange = Partial<Pick<Case, 'title' | 'severity' | 'status' | 'disposition' | 'assignee' | 'summary'>>

/** Who did it: a principal, or a step of a run. */
export type Actor = { readonly principal: PrincipalId } | { readonly run: RunId; readonly step: string }

/** The run that undoes, the name of the person who asked for it, and why. */
interface AskedUndo {
  readonly undo: RunId
  readonly by: string
  readonly reason: string | null
}

/** An entry that may change the status of its case by itself. `status` is the status that it set. */
type Changing<Body> = Body & { readonly status?: CaseStatus }

export type TimelineBody =
  | { readonly kind: 'opened'; readonly text: string }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'finding'; readonly title: string; readonly risk: Risk; readonly evidence: Json }
  /** How often a run called each read skill. */
  | {
      readonly kind: 'lookups'
      readonly calls: readonly { readonly skill: string; readonly connection: string; readonly times: number; readonly failed: number }[]
    }
  /**
   * A write that a run made. `outcome`: `done`, or the code of its failure. `effect`: what all its tries
   * together did outside. `undoes`: the write of another run that it takes back.
   */
  | {
      readonly kind: 'action'
      readonly skill: string
      readonly connection: string
      readonly outcome: string
      readonly target: string | null
      readonly effect: Effect
      readonly undoes?: { readonly run: RunId; readonly address: string }
    }
  /** A write that was not sent because its target is protected. The text says why. */
  | { readonly kind: 'protected'; readonly skill: string; readonly connection: string; readonly target: string; readonly text: string }
  /**
   * `before`: the values that the fields had. A verdict is left out, because it can be long. `withheld`: what a run did not
   * set, because a person had closed the case.
   */
  | {
      readonly kind: 'change'
      readonly change: CaseChange
      readonly before?: Omit<CaseChange, 'summary'>
      readonly withheld?: Pick<CaseChange, 'status' | 'disposition'>
    }
  | { readonly kind: 'verdict'; readonly text: string }
  /** Something failed. `ended`: set if this ended an attempt. */
  | Changing<{ readonly kind: 'failure'; readonly code: string; readonly text: string; readonly ended?: Omit<FailedAttempt, 'at' | 'code'> }>
  /** A run ended with this number of writes in doubt. */
  | Changing<{ readonly kind: 'doubt'; readonly run: RunId; readonly writes: number; readonly text: string }>
  /** A later attempt for an alert completed. */
  | { readonly kind: 'recovered'; readonly alert: AlertUuid; readonly text: string }
  | { readonly kind: 'comment'; readonly text: string; readonly mentions?: readonly Mention[] }
  | DeskBody
  /**
   * Whether and when another attempt follows a failed one, or that a person asked for one or cancelled it.
   * `dropped`: the attempt that no longer gets a retry.
   */
  | Changing<{ readonly kind: 'retry'; readonly due: Millis | null; readonly text: string; readonly dropped?: RunId }>
  /** Somebody cancelled the run. `text` says why. */
  | { readonly kind: 'cancelled'; readonly run: RunId; readonly by: string; readonly text: string | null }
  /** Another alert joined the case. */
  | { readonly kind: 'joined'; readonly text: string }
  /** The alert was repeated within its window. Duplicates are counted on read. */
  | ({ readonly kind: 'repeated' } & CaseAlert)
  /** Somebody asked to undo a run. The text says why, and which of its writes cannot be undone. */
  | Changing<{ readonly kind: 'undo'; readonly undoes: RunId; readonly text: string; readonly asked: AskedUndo }>
  /** An undo ended, with the result for the writes of the undone run. `changed`: it took something back, or may have. */
  | Changing<
      {
        readonly kind: 'undone'
        readonly undoes: RunId
        readonly state: Exclude<UndoState, 'under_way'>
        readonly changed: boolean
        readonly text: string
      } & {
        readonly principal: PrincipalId
      } & AskedUndo &
        UndoneCounts
    >
  /** A decision was opened or closed. `state` says which. */
  | {
      readonly kind: 'decision'
      readonly decision: DecisionId
      readonly state: DecisionState
      readonly title: string
      /** Names of the people who answered. */
      readonly by: readonly string[]
      readonly text: string | null
    }

/** One line of a case's history, stored as a document of its own. */
export interface TimelineEntry {
  /**
   * Unique within the case. What a run wrote has `<run>#<step address>`, so a resumed run does not write it
   * twice. What a person wrote has a UUID.
   */
  readonly key: string
  readonly at: Millis
  readonly actor: Actor
  readonly body: TimelineBody
}

/**
 * The most alerts that one case can have. The next alert opens another case. Every join writes the whole list
 * again, so it must stay short.
 */
export const mostAlertsOfCase = 500
