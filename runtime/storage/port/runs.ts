import type {
  Alert,
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
  /** The company that this process offers. Absent: it can offer any company. */
  readonly among?: ClaimAmong
  /**
   * The alert's names, if the caller stored or read the alert a moment ago, and knows that no process died while it was
   * prepared and that nobody else can have ended it since. Then a store need not read it again. Only for the
   * first attempt.
   */
  readonly justStored?: Pick<Alert, 'alertId' | 'organizationCode'>
  /** Set if the store has called `sent` for the alert (`AlertStore.insert`), and has not numbered it yet. */
  readonly underWay?: true
  /**
   * The alert may show the run and its case later than `opened` says: when `shown` resolves, or when the run sleeps or
   * ends. Absent: no later.
   */
  readonly mayShowLater?: boolean
  /** Used only if the run is new. */
  readonly pins: RunPins
  /** Used only if the alert has no case yet. */
  readonly opening: CaseOpening
  /** Used only for the first attempt. Absent or null: the alert is investigated and never counts as a duplicate. */
  readonly fingerprint?: Fingerprint | null
}

export type ClaimResult =
  /** `journal` has the entries of earlier executions (empty for a new run). Append the next entry at `position`. */
  | {
      readonly kind: 'claimed'
      readonly run: Run
      readonly position: number
      readonly journal: readonly JournalEntry[]
      /** Since when a pause kept the run from continuing. The `claimed` record says so too. Null if no pause did. */
      readonly heldSince: Millis | null
      /**
       * Resolves when the run's case exists, and the alert shows both or shows them later. Until then, send only reads, and store nothing
       * more about the run. If it rejects, claim the run again. Absent: all of this is done.
       */
      readonly opened?: Promise<void>
      /** `end` may be called before `opened`: it stores the end, and waits by itself before it shows it. Absent: it may not. */
      readonly endsAhead?: true
      /** Resolves when the alert shows run and case, or the end of the run. Never rejects. Absent: it shows them already. */
      readonly shown?: Promise<void>
    }
  /**
   * Another live session has the run (a session may claim again what it gave up itself), or the alert repeats
   * one that has no case yet.
   */
  | { readonly kind: 'held' }
  /** The run sleeps and is not due. A job that arrives twice must not wake it. */
  | { readonly kind: 'asleep' }
  /** The run has ended, is not the alert's current attempt, or is out of scope. */
  | { readonly kind: 'over' }
  /** Processes have died in the run, so it needs a stricter company than `among` offers. Nothing was changed. */
  | { readonly kind: 'apart'; readonly company: Company }
  /** The alert repeats another one, which is investigated in its place. The alert has ended at 15, without a run. */
  | { readonly kind: 'duplicate' }

export interface RunEnd {
  readonly run: RunId
  readonly epoch: number
  /** The position of the `ended` record: one after the last append. */
  readonly position: number
  /** Records to append in the same entry, before `ended`. */
  readonly records: readonly JournalRecord[]
  readonly state: 'completed' | 'failed'
  readonly reason: string | null
  readonly failure: Failure | null
  /** When the automatic retry is due. Null if there is none. */
  readonly retryAt: Millis | null
  readonly at: Millis
  /** Entries for the case. They may change the case (`caseAfter`). */
  readonly entries: readonly TimelineEntry[]
}

export interface RunSleep {
  readonly run: RunId
  readonly epoch: number
  /** The position of the `slept` record: one after the last append. */
  readonly position: number
  /** Records to append in the same entry, before `slept`. */
  readonly records: readonly JournalRecord[]
  /** When the run is due by itself. Null: only when somebody wakes it. */
  readonly wakeAt: Millis | null
  /**
   * The pause that stopped one of the run's writes. It holds the run from now on. Absent: the run waits for
   * something else.
   */
  readonly pause?: PauseId
  readonly at: Millis
}

/** `already`: the run was cancelled before. `over`: the run has ended, and its alert and case show it. */
interface CancelResult {
  readonly kind: 'cancelled' | 'already' | 'over'
  readonly run: Run
}

/** Identifies a run that was started and now waits for a worker. */
export interface PendingRun extends Omit<PendingAlert, 'deaths'> {
  readonly run: RunId
  /** What the deaths would be if the run were claimed now. */
  readonly deaths: RunDeaths
}

export interface UndoOpening {
  /** The id of the new run, which will undo another run. */
  readonly run: RunId
  readonly undo: RunUndo
  readonly pins: RunPins
  readonly at: Millis
}

export interface UndoClaim {
  readonly run: RunId
  readonly session: SessionId
  readonly at: Millis
  /** The company that this process offers. Absent: it can offer any company. */
  readonly among?: ClaimAmong
}

export interface RunQuery {
  readonly organizations?: readonly OrganizationId[]
  /** Normalised. */
  readonly types?: readonly string[]
  /** Names of playbooks. */
  readonly playbooks?: readonly string[]
  readonly states?: readonly RunState[]
  /** Only runs that started at this time or later. */
  readonly startedFrom?: Millis
  /** The position of the last item of the previous page. Newest first: sorts by start time, then id, descending. */
  readonly after: { readonly startedAt: Millis; readonly id: RunId } | null
  readonly limit: number
}

export interface RunStore {
  /**
   * Starts a run, takes it over from a dead session, or wakes it if it sleeps and is due at `claim.at`:
   * 1. Upserts the run with the next epoch.
   * 2. Appends `claimed` at the next position, which fences off the previous owner.
   * 3. Gives the alert a case, if it has none. If the opening names a join, this is the open case of the
   *    organization that was opened with the same key and last changed within the window; it gets a `joined`
   *    entry. Otherwise a new case is opened, with an `opened` entry.
   * 4. Sets the alert to status 10, with investigator and case.
   *
   * Each step may be repeated, so the next claim completes what a crash interrupted.
   *
   * Deaths: when it takes over from a dead session, step 1 also counts the death (`deathsAfter`). No death is
   * counted if that session was closed or is the caller's own, or if the run slept. If the run then needs a
   * stricter company than `among` offers, the result is `apart` and the run does not change.
   *
   * Duplicates: a fingerprint is checked before all that, on the first attempt of an alert that has no run yet.
   * The first alert of an organization and type with this fingerprint is investigated and opens a window.
   * Another alert with the same fingerprint, created within the window's length before or after the first, is
   * its duplicate. The first alert's case gets one `repeated` entry, and the duplicate ends at 15, with that
   * case and `duplicateOf`. An alert from after the window is investigated and opens the next window. So is one
   * whose first alert has failed (status 20 and no automatic retry).
   */
  claim(scope: Scope, claim: RunClaim): Promise<ClaimResult>
  /**
   * Creates a run that undoes another run. It belongs to the same case, is `waiting` in no process, and is
   * due at `at`. If there is a run with this id already, it stays as it is. Returns the stored run. Null if
   * the run to undo is out of scope or has not ended.
   */
  openUndo(scope: Scope, opening: UndoOpening): Promise<Run | null>
  /** Claims a run that undoes another: steps 1 and 2 of `claim`. Alert and case do not change. */
  claimUndo(scope: Scope, claim: UndoClaim): Promise<ClaimResult>
  /**
   * Ends a run:
   * 1. Appends `ended` at the position. This is the fence: returns `superseded` if another execution, or a
   *    cancellation, has written there.
   * 2. Sets the run's state.
   * 3. Writes the case's entries.
   * 4. Sets the alert to 15 or 20, and when its automatic retry is due. An undo does not change the alert.
   *
   * If a crash comes after step 1, `settle` does the rest.
   * @param stored is called when the end is durable and its case exists, but reads do not show the end yet. So nothing
   * can change it any more. A store that does all steps in one write ignores it
   * @throws TocsinError `organization_forbidden`
   */
  end(scope: Scope, end: RunEnd, stored?: () => void): Promise<'ended' | 'superseded'>
  /**
   * Puts a run to sleep:
   * 1. Appends `slept` at the position. This is the fence: returns `superseded` if another execution, or a
   *    cancellation, has written there.
   * 2. Sets the state to `waiting`, so the run no longer depends on its session. If the run was woken since its
   *    claim, it is due at once.
   *
   * A crash between the two leaves an orphan. The next claim takes it, and it sleeps again.
   * @throws TocsinError `organization_forbidden`
   */
  sleep(scope: Scope, sleep: RunSleep): Promise<'slept' | 'superseded'>
  /**
   * Cancels a run that has not ended, once:
   * 1. Appends `cancelled` at the next position. So the owner's next append fails and shows it the
   *    cancellation, and a later `end` returns `superseded`.
   * 2. Marks the run as cancelled. If it sleeps, it is due at once.
   * 3. Writes the case's entry.
   *
   * Each step may be repeated, so calling this again completes what a crash left undone. Null if the run is out
   * of scope.
   */
  cancel(scope: Scope, id: RunId, cancellation: Cancellation): Promise<CancelResult | null>
  /** Returns the cancelled runs that the session is still working on. */
  cancelled(scope: Scope, session: SessionId): Promise<readonly RunId[]>
  /** Drops the automatic retry of a failed run. Returns false if no retry is scheduled or the run is out of scope. */
  dropRetry(scope: Scope, id: RunId): Promise<boolean>
  /** Makes a waiting run due at `at`, unless it is due sooner. A running run remembers it until it sleeps. */
  wake(scope: Scope, id: RunId, at: Millis): Promise<void>
  /**
   * Records that a pause has kept a run from continuing since `since`. Until `release`, the run is neither due
   * nor an orphan. A cancelled run is not held, because it must be claimed to end.
   */
  hold(scope: Scope, id: RunId, pause: PauseId, since: Millis): Promise<void>
  /** Releases runs whose pause has ended. Returns how many. For the sweeper. */
  release(scope: Scope, limit: number): Promise<number>
  /**
   * Returns waiting runs that are due at `now` and not held, those due longest first. Skips the first `skip`
   * of them. For the sweeper.
   */
  due(scope: Scope, now: Millis, limit: number, skip?: number): Promise<readonly PendingRun[]>
  get(scope: Scope, id: RunId): Promise<Run | null>
  /** Sorts by start time, then id, newest first. */
  list(scope: Scope, query: RunQuery): Promise<Page<Run>>
  /** Returns the alert's attempts, oldest first. Undos are not among them. */
  ofAlert(scope: Scope, alert: AlertUuid): Promise<readonly Run[]>
  /** Returns the runs that undo attempts of the alert, in the order in which they were opened. */
  undosOfAlert(scope: Scope, alert: AlertUuid): Promise<readonly Run[]>
  /**
   * Returns runs that are running and not held, and whose session is dead, closed or unknown. Runs with the
   * fewest claims first. For the sweeper.
   */
  orphans(scope: Scope, limit: number): Promise<readonly PendingRun[]>
  /** Forgets the windows of fingerprints that closed before `before`. Returns how many. */
  forgetWindows(scope: Scope, before: Millis): Promise<number>
  /**
   * Repairs runs whose journal has ended, but whose state, alert or case does not show it yet. Returns how
   * many. For the sweeper.
   */
  settle(scope: Scope, limit: number): Promise<number>
}

export interface SessionStore {
  open(scope: Scope, session: Pick<Session, 'id' | 'host' | 'pid'>): Promise<void>
  /**
   * Returns false if the session was declared dead, or was closed. Then its runs no longer belong to it, and
   * it must not continue under this id.
   */
  heartbeat(scope: Scope, id: SessionId): Promise<boolean>
  /** Closes a session. Its runs can be claimed at once, and no death is counted for them. */
  close(scope: Scope, id: SessionId): Promise<void>
  /** Declares sessions dead that sent no heartbeat for `silence`, in store time. Returns how many. */
  bury(scope: Scope, silence: Millis): Promise<number>
}
