import {
  type AlertUuid,
  asId,
  type CaseUuid,
  type Millis,
  noDeaths,
  type OrganizationId,
  type PauseId,
  type Run,
  type RunDeaths,
  type RunId,
} from '../../../domain/index.ts'
import type { PendingRun, RunClaim, UndoOpening } from '../../port/index.ts'
import type { FirstClaim } from '../journal/journal-documents.ts'

/** A run, without its case. An alert has only one case, so the case is read through the alert. */
export interface RunDocument extends Omit<Run, 'id' | 'case' | 'caseId' | 'undo' | 'deaths'> {
  readonly _id: RunId
  readonly undo?: NonNullable<Run['undo']>
  /**
   * The first claim. It is the entry at position 0 of the journal, which has no document of its own: so one write
   * begins the run. Absent in a run that undoes another, whose claims are all in the journal.
   */
  readonly begun?: FirstClaim
  /** Absent if no process has died in the run. */
  readonly deaths?: RunDeaths
  /** When the run was woken while it was running. It is then due as soon as it sleeps. */
  readonly wokenAt?: Millis
  /** Set when the run fails. Removed once its webhook event is written. */
  readonly told?: false
  /** The pause that keeps the run from continuing. */
  readonly heldBy?: PauseId | null
  /** Since when pauses have held the run. Stays after they end, until the next claim has written it to the journal. */
  readonly heldSince?: Millis
}

export interface RunCase {
  readonly uuid: CaseUuid
  readonly caseId: string
}

/** What the end of a run needs to know about it, and what never changes. */
export interface RunFacts {
  readonly organization: OrganizationId
  readonly alert: AlertUuid
  readonly attempt: number
  readonly case: CaseUuid
  /** Whether the run undoes another one. Then its end does not change the alert. */
  readonly undoes: boolean
}

export function factsOf(run: RunDocument, theCase: CaseUuid): RunFacts {
  return { organization: run.organization, alert: run.alert, attempt: run.attempt, case: theCase, undoes: run.undo !== undefined }
}

/**
 * Returns the document of a new run, with its first claim.
 * @param deathsBefore how often a process died while it prepared the run
 */
export function newlyClaimed(claim: RunClaim, deathsBefore = 0): RunDocument {
  return {
    ...(deathsBefore > 0 && { deaths: { inPlace: 0, total: deathsBefore } }),
    _id: claim.run,
    alert: claim.alert,
    organization: claim.organization,
    type: claim.type,
    attempt: claim.attempt,
    state: 'running',
    wakeAt: null,
    epoch: 1,
    owner: claim.session,
    begun: { owner: claim.session, at: claim.at },
    pins: claim.pins,
    startedAt: claim.at,
    endedAt: null,
    reason: null,
    failure: null,
    retryAt: null,
    cancelled: null,
  }
}

/** Returns the document of a new run that undoes another one. It waits for its first claim. */
export function unclaimed({ run, undo, pins, at }: UndoOpening, { alert, organization, type, attempt }: RunDocument): RunDocument {
  return {
    _id: run,
    alert,
    organization,
    type,
    attempt,
    undo,
    state: 'waiting',
    wakeAt: at,
    epoch: 0,
    owner: asId(''),
    pins,
    startedAt: at,
    endedAt: null,
    reason: null,
    failure: null,
    cancelled: null,
    retryAt: null,
  }
}

export function toRun({ _id, begun: _c, wokenAt: _w, told: _t, heldBy: _b, heldSince: _s, ...run }: RunDocument, { uuid, caseId }: RunCase): Run {
  return {
    id: _id,
    ...run,
    undo: run.undo ?? null,
    deaths: run.deaths ?? noDeaths,
    case: uuid,
    caseId,
  }
}

/**
 * Turns a run into a pending run.
 * @param deaths what the deaths would be if the run were claimed now
 */
export function toPending({ _id, alert, organization, type, attempt }: RunDocument, deaths: RunDeaths): PendingRun {
  return { run: _id, uuid: alert, organization, type, retryCount: attempt - 1, deaths }
}
