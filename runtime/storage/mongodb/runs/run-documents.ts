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

/** The case is not part of it: the alert has one case, and that is where a run's case is read. */
export interface RunDocument extends Omit<Run, 'id' | 'case' | 'caseId' | 'undo' | 'deaths'> {
  readonly _id: RunId
  readonly undo?: NonNullable<Run['undo']>
  /** Absent: no process has died in it. */
  readonly deaths?: RunDeaths
  /** When it was woken while it ran; it is then due as soon as it sleeps. */
  readonly wokenAt?: Millis
  /** Present from its end until webhooks are told of it. */
  readonly told?: false
  /** The pause that keeps it from going on. */
  readonly heldBy?: PauseId | null
  /** Since when pauses have; stays when they are over, until the next claim has told the journal. */
  readonly heldSince?: Millis
}

export interface RunCase {
  readonly uuid: CaseUuid
  readonly caseId: string
}

/** What of a run never changes and its end needs. */
export interface RunFacts {
  readonly organization: OrganizationId
  readonly alert: AlertUuid
  readonly attempt: number
  readonly case: CaseUuid
  /** It undoes another, and nothing of the alert follows from it. */
  readonly undoes: boolean
}

export function factsOf(run: RunDocument, theCase: CaseUuid): RunFacts {
  return { organization: run.organization, alert: run.alert, attempt: run.attempt, case: theCase, undoes: run.undo !== undefined }
}

/** @param deathsBefore how often a process died while it prepared the run */
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
    pins: claim.pins,
    startedAt: claim.at,
    endedAt: null,
    reason: null,
    failure: null,
    retryAt: null,
    cancelled: null,
  }
}

/** A run that undoes another, before its first claim. */
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

export function toRun({ _id, wokenAt: _w, told: _t, heldBy: _b, heldSince: _s, ...run }: RunDocument, { uuid, caseId }: RunCase): Run {
  return {
    id: _id,
    ...run,
    undo: run.undo ?? null,
    deaths: run.deaths ?? noDeaths,
    case: uuid,
    caseId,
  }
}

/** Turns a run into a pending run. @param deaths what the count would be if it were claimed now */
export function toPending({ _id, alert, organization, type, attempt }: RunDocument, deaths: RunDeaths): PendingRun {
  return { run: _id, uuid: alert, organization, type, retryCount: attempt - 1, deaths }
}
