import type { AlertUuid, PrincipalId, RunId } from '../ids.ts'
import type { Millis } from '../seams.ts'
import type { CaseStatus } from './case-status.ts'

/** An attempt that ended as failed, and that nothing and nobody has dealt with since. */
export interface FailedAttempt {
  readonly run: RunId
  readonly alert: AlertUuid
  readonly alertId: string
  readonly attempt: number
  readonly at: Millis
  readonly code: string
  readonly message: string
  readonly remedy: string | null
  /** Address of the step that failed; null: it failed before or after its steps. */
  readonly step: string | null
  /** When the next attempt follows by itself; null: none does. */
  readonly retryAt: Millis | null
}

/** A run that ended while nobody knew whether some of its writes had happened. */
export interface DoubtfulRun {
  readonly run: RunId
  readonly at: Millis
  /** How many. */
  readonly writes: number
}

/**
 * How far a run has been undone. `nothing`: what it wrote stands. `partly`: some of it stands. `undone`: nothing of it stands. `in_doubt`: nobody
 * knows of some of it.
 */
export type UndoState = 'under_way' | 'nothing' | 'partly' | 'undone' | 'in_doubt'

/** What became of the writes of an undone run, over all its undos. */
export interface UndoneCounts {
  readonly undone: number
  /** Writes that happened and were not taken back. */
  readonly standing: number
  readonly inDoubt: number
}

/** The latest undo of one run of the case. */
export interface CaseUndo extends UndoneCounts {
  readonly undo: RunId
  /** The run that it undoes. */
  readonly undoes: RunId
  readonly principal: PrincipalId
  /** The principal's name. */
  readonly by: string
  readonly reason: string | null
  readonly at: Millis
  /** Null while it is under way. */
  readonly endedAt: Millis | null
  readonly state: UndoState
  /** The status that it took from the case. The case gets it back if nothing is taken back and nobody has set another status. */
  readonly took: CaseStatus | null
  /** Whether nobody has set the status since. */
  readonly newerThanStatus: boolean
  /** Whether no verdict was given since. False: also where there was none. */
  readonly newerThanVerdict: boolean
}

/** What a person who reads the status or the verdict of a case must know besides. Kept with the case, so that lists have it too. */
export interface CaseMarks {
  readonly failures: readonly FailedAttempt[]
  readonly doubts: readonly DoubtfulRun[]
  readonly undos: readonly CaseUndo[]
}

export const noMarks: CaseMarks = { failures: [], doubts: [], undos: [] }

/** A case that thousands of alerts have joined keeps so many marks of each kind: the latest. */
export const mostMarks = 50

/** Whether somebody has to look at a case, whatever its status says. */
export function needsAttention({ failures, doubts, undos }: CaseMarks): boolean {
  return failures.length > 0 || doubts.length > 0 || undos.some(({ newerThanStatus }) => newerThanStatus)
}

/** The latest undo since the verdict was given: what the verdict says may hold no more. Null: the verdict stands. */
export function supersededBy({ undos }: CaseMarks): CaseUndo | null {
  return undos.findLast(({ newerThanVerdict }) => newerThanVerdict) ?? null
}
