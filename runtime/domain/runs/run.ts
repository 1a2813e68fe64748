import type { AlertUuid, CaseUuid, OrganizationId, PrincipalId, RunId, SessionId } from '../ids.ts'
import type { Millis } from '../seams.ts'
import type { Cancellation } from './cancellation.ts'
import type { RunDeaths } from './deaths.ts'
import type { Failure } from './failure.ts'
import type { RunPins } from './pins.ts'

export const runStates = ['running', 'waiting', 'completed', 'failed'] as const
/** `waiting`: it sleeps in the store until a time or a person wakes it; no process has it. */
export type RunState = (typeof runStates)[number]

/** Of a run that takes back what another one has done: which one, and who wanted it. */
export interface RunUndo {
  readonly run: RunId
  /** 1 for the first. */
  readonly number: number
  readonly by: PrincipalId
  /** The principal's name. */
  readonly name: string
  readonly reason: string | null
}

/**
 * One attempt to investigate one alert. The alert's status is a projection of it. With `undo`, it is a run that takes back the writes of another run:
 * then it is no attempt, and the alert stays as it is.
 */
export interface Run {
  readonly id: RunId
  readonly alert: AlertUuid
  readonly organization: OrganizationId
  /** The alert's type, normalised. */
  readonly type: string
  /** 1 for the first; the alert's retry count + 1. Of a run that undoes another, that one's. */
  readonly attempt: number
  /** Null: it investigates. */
  readonly undo: RunUndo | null
  readonly state: RunState
  /** Of a waiting run: when it goes on by itself; null: when a person has answered. Null in any other state. */
  readonly wakeAt: Millis | null
  /** Rises with every claim; 0 before the first. */
  readonly epoch: number
  /** The session that last claimed it. */
  readonly owner: SessionId
  /** How often a process died while it worked on the run. */
  readonly deaths: RunDeaths
  readonly pins: RunPins
  readonly case: CaseUuid
  readonly caseId: string
  /** Also the run's `now`: the same however often it is resumed. */
  readonly startedAt: Millis
  readonly endedAt: Millis | null
  readonly reason: string | null
  readonly failure: Failure | null
  /** Of a failed run that another attempt follows by itself: when. */
  readonly retryAt: Millis | null
  /** Once it was asked for; the run ends at its next step. */
  readonly cancelled: Cancellation | null
}

/** The order in which runs that undo attempts of one alert were opened. */
export function byOpening(one: Run, other: Run): number {
  return one.startedAt - other.startedAt || one.attempt - other.attempt || (one.undo?.number ?? 0) - (other.undo?.number ?? 0)
}
