import type {
  AlertUuid,
  Cancellation,
  CaseOpening,
  ClaimAmong,
  Company,
  Failure,
  Fingerprint,
  JournalEntry,
  JournalRecord,
  Millis,
  OrganizationId,
  PauseId,
  Run,
  RunDeaths,
  RunId,
  RunPins,
  RunState,
  RunUndo,
  Scope,
  Session,
  SessionId,
  TimelineEntry,
} from '../../domain/index.ts'
import type { PendingAlert } from './alerts.ts'
import type { Page } from './page.ts'

export interface RunClaim {
  readonly run: RunId
  readonly alert: AlertUuid
  readonly organization: OrganizationId
  /** Normalised. */
  readonly type: string
  readonly attempt: number
  readonly session: SessionId
  readonly at: Millis
  /** Absent: any company will do. */
  readonly among?: ClaimAmong
  /** Used only when the run is new. */
  readonly pins: RunPins
  /** Used only when the alert has no case yet. */
  readonly opening: CaseOpening
  /** Used only for the first attempt. Absent or null: the alert is investigated, whatever came before it. */
  readonly fingerprint?: Fingerprint | null
}

export type ClaimResult =
  /** `journal` holds the entries of earlier lives (empty for a new run); the next append goes to `position`. */
  | {
      readonly kind: 'claimed'
      readonly run: Run
      readonly position: number
      readonly journal: readonly JournalEntry[]
      /** Since when a pause had kept it from going on; the `claimed` record says so, too. Null: none had. */
      readonly heldSince: Millis | null
    }
  /** Another living session has it (a session may claim again what it gave up itself); or it repeats an alert that has no case yet. */
  | { readonly kind: 'held' }
  /** It sleeps, and is not due: a job that came twice must not wake it. */
  | { readonly kind: 'asleep' }
  /** It has ended, or it is not the alert's current attempt. */
  | { readonly kind: 'over' }
  /** Processes have died in the run, so it needs a stricter company than `among` offers. Nothing was changed. */
  | { readonly kind: 'apart'; readonly company: Company }
  /** The alert repeats another, which is investigated in its stead: it has ended at 15, without a run. */
  | { readonly kind: 'duplicate' }

export interface RunEnd {
  readonly run: RunId
  readonly epoch: number
  /** Where the `ended` record goes: one after the last append. */
  readonly position: number
  /** Records that ride with it. */
  readonly records: readonly JournalRecord[]
  readonly state: 'completed' | 'failed'
  readonly reason: string | null
  readonly failure: Failure | null
  /** When the automatic retry is due; null: there is none. */
  readonly retryAt: Millis | null
  readonly at: Millis
  /** Entries for the case. They may change the case (`caseAfter`). */
  readonly entries: readonly TimelineEntry[]
}

export interface RunSleep {
  readonly run: RunId
  readonly epoch: number
  /** Where the `slept` record goes: one after the last append. */
  readonly position: number
  /** Records that ride with it. */
  readonly records: readonly JournalRecord[]
  /** Null: until it is woken. */
  readonly wakeAt: Millis | null
  /** What stopped a write of it: the run is held by that from then on. Absent: it waits for something else. */
  readonly pause?: PauseId
  readonly at: Millis
}

/** `already`: the run was cancelled before. `over`: the run has ended, and everything that follows from that is visible. */
interface CancelResult {
  readonly kind: 'cancelled' | 'already' | 'over'
  readonly run: Run
}

/** What a worker needs to find a run that was begun and waits for it. */
export interface PendingRun extends Omit<PendingAlert, 'deaths'> {
  readonly run: RunId
  /** What the count would be if the run were claimed now. */
  readonly deaths: RunDeaths
}

export interface UndoOpening {
  /** Of the run that undoes another. */
  readonly run: RunId
  readonly undo: RunUndo
  readonly pins: RunPins
  readonly at: Millis
}

export interface UndoClaim {
  readonly run: RunId
  readonly session: SessionId
  readonly at: Millis
  /** Absent: any company will do. */
  readonly among?: ClaimAmong
}

export interface RunQuery {
  readonly organizations?: readonly OrganizationId[]
  /** Normalised. */
  readonly types?: readonly string[]
  /** Names of playbooks. */
  readonly playbooks?: readonly string[]
  readonly states?: readonly RunState[]
  /** started at or after. */
  readonly startedFrom?: Millis
  /** Newest first; `after` is the last item's position. */
  readonly after: { readonly startedAt: Millis; readonly id: RunId } | null
  readonly limit: number
}

export interface RunStore {
  /**
   * Starts a run, takes it over from a dead session, or wakes it when it sleeps and is due at `claim.at`: (1) the run by upsert, with the next epoch; (2) `claimed` appended at the
   * next position, which fences off whoever had it; (3) the alert's one case, opened if it has none, with an `opened` entry,
   * or, where the opening names a join and an open case of the organization was opened with that key and changed within the window, that
   * one, with a `joined` entry; (4) the alert projected to 10 with investigator and case. Each step may be repeated, so a crash between them is mended by the next claim.
   *
   * When it takes over from a dead session, step (1) also counts the death (`deathsAfter`). No death is counted if that session was closed or is the
   * caller's own, or if the run slept. If the run then needs a stricter company than `among` offers, the result is `apart`, and the run stays as it was.
   *
   * With a fingerprint it is decided before all that, for the first attempt of an alert that has no run yet: whoever first names a fingerprint (of one
   * organization and type) is investigated, and is the first of its window. An alert of the same fingerprint that was created within the window of
   * the first, before or after it, is its duplicate: (1) the first's case says so once, by a `repeated` entry; (2) the alert ends at 15 with the
   * case and `duplicateOf`. One from after the window, or whose first has failed (20, and no further attempt follows by itself), is investigated and becomes the first.
   */
  claim(scope: Scope, claim: RunClaim): Promise<ClaimResult>
  /**
   * Makes a run that undoes another, in that one's case: waiting, in no process, and due at `at`. One of its id that is there stays. Returns what
   * stands; null when the run that is to be undone is not in scope, or has not ended.
   */
  openUndo(scope: Scope, opening: UndoOpening): Promise<Run | null>
  /** Takes up a run that undoes another: (1) and (2) of a claim. Alert and case stay as they are. */
  claimUndo(scope: Scope, claim: UndoClaim): Promise<ClaimResult>
  /**
   * Ends a run: (1) `ended` appended at the position, the fence: 'superseded' if another life has written there; (2) the run's state;
   * (3) the case's entries; (4) of an investigation the alert projected to 15 or 20, and where another attempt is to follow, to when
   * that is due. What a crash leaves undone after (1), `settle` does.
   */
  end(scope: Scope, end: RunEnd): Promise<'ended' | 'superseded'>
  /**
   * Lets a run sleep: (1) `slept` appended at the position, the fence: 'superseded' if another life has written there; (2) its state
   * `waiting`, with no owner to live or die. What was woken since it was claimed is due at once. A run that a crash left between the two
   * is an orphan: the next claim takes it, and it sleeps again.
   */
  sleep(scope: Scope, sleep: RunSleep): Promise<'slept' | 'superseded'>
  /**
   * Cancels a run that has not ended, once: (1) appends `cancelled` at the next position. The owner of the run meets it at its next append, and an end
   * that comes later is 'superseded'; (2) marks the run as cancelled, and makes it due at once when it sleeps; (3) writes the case's entry. Each step
   * may be repeated, so calling it again completes what a crash left undone. Null when not in scope.
   */
  cancel(scope: Scope, id: RunId, cancellation: Cancellation): Promise<CancelResult | null>
  /** Runs of the session that are running and were cancelled. */
  cancelled(scope: Scope, session: SessionId): Promise<readonly RunId[]>
  /** Drops the automatic retry of a failed run. False if no retry was due any more, or the run is out of scope. */
  dropRetry(scope: Scope, id: RunId): Promise<boolean>
  /** Makes a waiting run due at `at`, if it is not due sooner; of a running one it is kept for when it sleeps. Others stay as they are. */
  wake(scope: Scope, id: RunId, at: Millis): Promise<void>
  /** A pause keeps a waiting or abandoned run from going on, since `since`: it is neither due nor an orphan, until `release`. One that was cancelled is not held: it is taken up to end. */
  hold(scope: Scope, id: RunId, pause: PauseId, since: Millis): Promise<void>
  /** Lets those go that were held by pauses which stand no more. Returns how many. For the sweeper. */
  release(scope: Scope, limit: number): Promise<number>
  /** Waiting, due at `now` and not held. The longest due first, after so many that are skipped. For the sweeper. */
  due(scope: Scope, now: Millis, limit: number, skip?: number): Promise<readonly PendingRun[]>
  get(scope: Scope, id: RunId): Promise<Run | null>
  /** Those that began last come first. */
  list(scope: Scope, query: RunQuery): Promise<Page<Run>>
  /** The attempts to investigate it, oldest first. */
  ofAlert(scope: Scope, alert: AlertUuid): Promise<readonly Run[]>
  /** The runs that undo attempts of the alert, in the order in which they were opened. */
  undosOfAlert(scope: Scope, alert: AlertUuid): Promise<readonly Run[]>
  /** Runs that are running and not held, and whose session is dead, closed or unknown. Those with the fewest claims first. For the sweeper. */
  orphans(scope: Scope, limit: number): Promise<readonly PendingRun[]>
  /** Forgets the windows of fingerprints whose first alert was created, and whose window closed, before `before`. Returns how many. */
  forgetWindows(scope: Scope, before: Millis): Promise<number>
  /** Repeats the projections of runs whose journal has ended but whose state, alert or case lags behind. Returns how many it mended. */
  settle(scope: Scope, limit: number): Promise<number>
}

export interface SessionStore {
  open(scope: Scope, session: Pick<Session, 'id' | 'host' | 'pid'>): Promise<void>
  /** False if the session was declared dead or closed. Its runs no longer belong to it, and it must not go on under this id. */
  heartbeat(scope: Scope, id: SessionId): Promise<boolean>
  /** Frees the session's runs at once. This counts as no death of theirs. */
  close(scope: Scope, id: SessionId): Promise<void>
  /** Declares dead the sessions without a heartbeat for `silence`, in store time. Returns how many. */
  bury(scope: Scope, silence: Millis): Promise<number>
}
