import type { AlertUuid, CaseUuid, OrganizationId, PrincipalId, RunId, SessionId } from '../ids.ts'
import type { Millis } from '../seams.ts'
import type { Cancellation } from './cancellation.ts'
import type { RunDeaths } from './deaths.ts'
import type { Failure } from './failure.ts'
import type { RunPins } from './pins.ts'

export const runStates = ['running', 'waiting', 'completed', 'failed'] as const
/** `waiting`: the run sleeps in the store until a time or a person wakes it. No process works on it. */
export type RunState = (typeof runStates)[number]

/** Set on a run that takes back the writes of another run: which run, and who asked for it. */
export interface RunUndo {
  readonly run: RunId
  /** 1 for the first undo of that run. */
  readonly number: number
  readonly by: PrincipalId
  /** The principal's name. */
  readonly name: string
  readonly reason: string | null
}

/**
 * One attempt to investigate one alert. The alert's status follows from it. With `undo`, the run takes back
 * the writes of another run. It is then not an attempt, and the alert stays as it is.
 */
export interface Run {
  readonly id: RunId
  readonly alert: AlertUuid
  readonly organization: OrganizationId
  /** The alert's type, normalised. */
  readonly type: string
  /** 1 for the first attempt: the alert's retry count + 1. An undo has the attempt of the run that it undoes. */
  readonly attempt: number
  /** Null if the run investigates. */
  readonly undo: RunUndo | null
  readonly state: RunState
  /** For a waiting run: when it continues by itself, or null if it waits for an answer. Null in all other states. */
  readonly wakeAt: Millis | null
  /** Rises with every claim. 0 before the first. */
  readonly epoch: number
  /** The session that last claimed it. */
  readonly owner: SessionId
  /** How often a process died while it worked on the run. */
  readonly deaths: RunDeaths
  readonly pins: RunPins
  readonly case: CaseUuid
  readonly caseId: string
  /** Also the `now` of the run's templates. It stays the same when the run resumes. */
  readonly startedAt: Millis
  readonly endedAt: Millis | null
  readonly reason: string | null
  readonly failure: Failure | null
  /** For a failed run that another attempt follows by itself: when. */
  readonly retryAt: Millis | null
  /** Set once somebody asked to cancel. The run ends at its next step. */
  readonly cancelled: Cancellation | null
}

/** Compares runs that undo attempts of one alert by when they were opened. */
export function byOpening(one: Run, other: Run): number {
  return one.startedAt - other.startedAt || one.attempt - other.attempt || (one.undo?.number ?? 0) - (other.undo?.number ?? 0)
}
