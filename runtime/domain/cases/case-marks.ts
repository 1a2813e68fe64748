import type { AlertUuid, PrincipalId, RunId } from '../ids.ts'
import type { Millis } from '../seams.ts'
import type { CaseStatus } from './case-status.ts'

/** An attempt that failed and that no person or later attempt has dealt with since. */
export interface FailedAttempt {
  readonly run: RunId
  readonly alert: AlertUuid
  readonly alertId: string
  readonly attempt: number
  readonly at: Millis
  readonly code: string
  readonly message: string
  readonly remedy: string | null
  /** Address of the step that failed. Null if the attempt failed before or after its steps. */
  readonly step: string | null
  /** When the next attempt starts by itself. Null if none does. */
  readonly retryAt: Millis | null
}

/** A run that ended with writes in doubt. */
export interface DoubtfulRun {
  readonly run: RunId
  readonly at: Millis
  /** How many writes are in doubt. */
  readonly writes: number
}

/**
 * How far a run has been undone. `nothing`: all its writes are still in effect. `partly`: some are still in effect. `undone`:
 * none is still in effect. `in_doubt`: for some of them, nobody knows.
 */
export type UndoState = 'under_way' | 'nothing' | 'partly' | 'undone' | 'in_doubt'

/** What happened to the writes of an undone run, over all its undos. */
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
  /** Null while the undo is under way. */
  readonly endedAt: Millis | null
  readonly state: UndoState
  /**
   * The status that the undo removed from the case. The case gets it back if the undo takes nothing back and
   * nobody has set another status.
   */
  readonly took: CaseStatus | null
  /** Whether nobody has set the status since the undo. */
  readonly newerThanStatus: boolean
  /** Whether no verdict was given since the undo. False if there was none before either. */
  readonly newerThanVerdict: boolean
}

/** What a person must know about a case beyond its status and verdict. Stored with the case so that lists have it too. */
export interface CaseMarks {
  readonly failures: readonly FailedAttempt[]
  readonly doubts: readonly DoubtfulRun[]
  readonly undos: readonly CaseUndo[]
}

export const noMarks: CaseMarks = { failures: [], doubts: [], undos: [] }

/** The most marks of each kind that a case keeps. Thousands of alerts can join a case; it keeps the latest marks. */
export const mostMarks = 50

/** Returns whether somebody has to look at a case, whatever its status says. */
export function needsAttention({ failures, doubts, undos }: CaseMarks): boolean {
  return failures.length > 0 || doubts.length > 0 || undos.some(({ newerThanStatus }) => newerThanStatus)
}

/**
 * Returns the latest undo since the verdict was given: the verdict may no longer be true. Null if the verdict
 * is still in effect.
 */
export function supersededBy({ undos }: CaseMarks): CaseUndo | null {
  return undos.findLast(({ newerThanVerdict }) => newerThanVerdict) ?? null
}
