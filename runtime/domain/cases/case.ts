import type { DecisionState } from '../decisions/decision.ts'
import type { AlertUuid, CaseUuid, DecisionId, OrganizationId, PrincipalId, RunId } from '../ids.ts'
import type { Effect } from '../journal/effect.ts'
import type { Millis } from '../seams.ts'
import type { Json } from '../text/json.ts'
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
  /** Unique and rising within the organization. */
  readonly number: number
  /** `<org code>-<number>` (specification 2.3). */
  readonly caseId: string
  readonly alerts: readonly CaseAlert[]
  readonly title: string
  readonly severity: Severity
  readonly status: CaseStatus
  readonly disposition: Disposition
  readonly assignee: string | null
  /** The verdict's summary, once a playbook has given one. */
  readonly summary: string | null
  readonly marks: CaseMarks
  readonly createdAt: Millis
  readonly modifiedAt: Millis
}

/** What a new case begins with. */
export interface CaseOpening {
  readonly uuid: CaseUuid
  readonly title: string
  readonly severity: Severity
  /** Continue an open case of the organization that was opened with the same key and changed lately, instead of opening another. */
  readonly join: CaseJoin | null
}

export interface CaseJoin {
  readonly key: string
  /** So long after its last change a case is still continued. */
  readonly within: Millis
}

/** Fields to be given a new value; the absent ones stay. */
export type CaseChange = Partial<Pick<Case, 'title' | 'severity' | 'status' | 'disposition' | 'assignee' | 'summary'>>

/** Who did it: a person or script by its principal, or a run. */
export type Actor = { readonly principal: PrincipalId } | { readonly run: RunId; readonly step: string }

/** Which run undoes, by name who wanted it, and why. */
interface AskedUndo {
  readonly undo: RunId
  readonly by: string
  readonly reason: string | null
}

/** An entry that may change the status of its case by itself: `status` is the one that it gave it. */
type Changing<Body> = Body & { readonly status?: CaseStatus }

export type TimelineBody =
  | { readonly kind: 'opened'; readonly text: string }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'finding'; readonly title: string; readonly risk: Risk; readonly evidence: Json }
  /** What a run asked of external systems, counted. */
  | {
      readonly kind: 'lookups'
      readonly calls: readonly { readonly skill: string; readonly connection: string; readonly times: number; readonly failed: number }[]
    }
  /**
   * A write that a run made. `outcome`: `done`, or the code of its failure. `effect`: what all its tries together did outside. `undoes`: the write of
   * another run that it takes back.
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
  /** A write that was not sent, since what it acts on is protected; the text says why. */
  | { readonly kind: 'protected'; readonly skill: string; readonly connection: string; readonly target: string; readonly text: string }
  | { readonly kind: 'change'; readonly change: CaseChange }
  | { readonly kind: 'verdict'; readonly text: string }
  /** Something failed. `ended`: it was an attempt, and it ended for that. */
  | Changing<{ readonly kind: 'failure'; readonly code: string; readonly text: string; readonly ended?: Omit<FailedAttempt, 'at' | 'code'> }>
  /** A run ended while nobody knew whether so many of its writes had happened. */
  | Changing<{ readonly kind: 'doubt'; readonly run: RunId; readonly writes: number; readonly text: string }>
  /** A later attempt for an alert completed. */
  | { readonly kind: 'recovered'; readonly alert: AlertUuid; readonly text: string }
  | { readonly kind: 'comment'; readonly text: string }
  /**
   * After an attempt that failed: whether another follows by itself, and when; or that somebody asked for another, or for none. `dropped`: the
   * attempt that none follows any more.
   */
  | Changing<{ readonly kind: 'retry'; readonly due: Millis | null; readonly text: string; readonly dropped?: RunId }>
  /** Somebody cancelled the run; `text` is why. */
  | { readonly kind: 'cancelled'; readonly run: RunId; readonly by: string; readonly text: string | null }
  /** Another alert continued the case. */
  | { readonly kind: 'joined'; readonly text: string }
  /** The alert came again within its window; the duplicates are counted when it is read. */
  | ({ readonly kind: 'repeated' } & CaseAlert)
  /** Somebody asked to undo a run. The text says why, and which of its writes cannot be undone. */
  | Changing<{ readonly kind: 'undo'; readonly undoes: RunId; readonly text: string; readonly asked: AskedUndo }>
  /** An undo has ended: what became of the writes of the run that it undoes. `changed`: it took something back, or may have. */
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
  /** A decision was opened, or closed: `state` says which. */
  | {
      readonly kind: 'decision'
      readonly decision: DecisionId
      readonly state: DecisionState
      readonly title: string
      /** Names of those who answered. */
      readonly by: readonly string[]
      readonly text: string | null
    }

/** One line of a case's history; a document of its own. */
export interface TimelineEntry {
  /** Unique within the case. `<run>#<step address>` for what a run wrote, so that a resumed run does not write it twice; a UUID for what a person wrote. */
  readonly key: string
  readonly at: Millis
  readonly actor: Actor
  readonly body: TimelineBody
}

/** How many alerts one case can have. Every join writes all of them again, so there is a limit. The next alert opens another case. */
export const mostAlertsOfCase = 500
