import type {
  Activation,
  ActivationSource,
  Alert,
  AlertStatus,
  AlertUuid,
  ApiKey,
  Artifact,
  ArtifactKind,
  Case,
  CaseChange,
  CaseOpening,
  CaseStatus,
  CaseUuid,
  Connection,
  ConnectionId,
  ConnectionRevision,
  ConnectionTest,
  Decision,
  DecisionId,
  DecisionKind,
  DecisionState,
  Digest,
  Failure,
  JournalEntry,
  JournalRecord,
  KeptToken,
  KeyId,
  Millis,
  NewAlert,
  Organization,
  OrganizationId,
  OrganizationPolicy,
  Principal,
  PrincipalId,
  Provider,
  Run,
  RunId,
  RunPins,
  Scope,
  Session,
  SessionId,
  Severity,
  TimelineEntry,
  TokenRefusal,
} from '../domain/index.ts'

/**
 * What the runtime keeps, in the terms of the domain. Two adapters implement it (embedded, MongoDB); one conformance suite
 * (test/conformance/storage) says what each method means, and every sentence here is a case there.
 *
 * Durability: a resolved promise of a method that writes means that the write survives a power cut (embedded: fsync of the
 * write-ahead log) or the loss of a minority of the replica set (MongoDB: majority write concern with journal).
 * Scope: what lies outside the given scope is not found, not listed, not changed.
 * Failures: an adapter throws `TocsinError('store_unavailable')` when it cannot answer; conflicts that callers act on are results, not errors.
 */
export interface Store {
  readonly organizations: OrganizationStore
  readonly policies: PolicyStore
  readonly providers: ProviderStore
  readonly principals: PrincipalStore
  readonly connections: ConnectionStore
  readonly tokens: TokenStore
  readonly artifacts: ArtifactStore
  readonly alerts: AlertStore
  readonly sessions: SessionStore
  readonly runs: RunStore
  readonly journal: JournalStore
  readonly cases: CaseStore
  readonly decisions: DecisionStore
  readonly settings: SettingStore
  /** Round trip to the store; for readiness. Throws when it does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Part of a listing in a stable order: `after` is the last item's position of the page before. */
export interface Page<T> {
  readonly items: readonly T[]
  /** Whether more may follow. */
  readonly more: boolean
}

export interface OrganizationStore {
  /** 'exists' when the code is taken, in any case. Needs a scope of all organizations. */
  create(scope: Scope, organization: Organization): Promise<'created' | 'exists'>
  /** Exact codes; the absent are left out. */
  byCode(scope: Scope, codes: readonly string[]): Promise<readonly Organization[]>
  byId(scope: Scope, ids: readonly OrganizationId[]): Promise<readonly Organization[]>
  /** By folded code, rising. */
  list(scope: Scope, page: { readonly after: string | null; readonly limit: number }): Promise<Page<Organization>>
}

/** What organizations have set as their policy; every revision is kept. */
export interface PolicyStore {
  /** What stands; null: the organization has set none, or is out of scope. */
  get(scope: Scope, organization: OrganizationId): Promise<OrganizationPolicy | null>
  /** What stands in every organization that has set one. */
  all(scope: Scope): Promise<readonly OrganizationPolicy[]>
  /** Compare-and-set: `next.revision` is the standing revision + 1 (1 where there is none). 'changed' when it is not. */
  set(scope: Scope, next: OrganizationPolicy): Promise<'set' | 'changed'>
  /** Every policy it ever had, newest first. */
  history(scope: Scope, organization: OrganizationId): Promise<readonly OrganizationPolicy[]>
}

/** Providers belong to the platform: every scope sees all of them. */
export interface ProviderStore {
  create(scope: Scope, provider: Provider): Promise<'created' | 'exists'>
  /** Without regard to case. */
  byCode(scope: Scope, codes: readonly string[]): Promise<readonly Provider[]>
  /** By folded code, rising. */
  list(scope: Scope, page: { readonly after: string | null; readonly limit: number }): Promise<Page<Provider>>
}

/**
 * Principals and their keys. A scope sees the principals whose organizations lie within it; those of all organizations
 * only a scope of all sees.
 */
export interface PrincipalStore {
  create(scope: Scope, principal: Principal): Promise<void>
  byId(scope: Scope, ids: readonly PrincipalId[]): Promise<readonly Principal[]>
  /** A second key of the same hash is refused ('exists'). */
  addKey(scope: Scope, key: ApiKey): Promise<'added' | 'exists'>
  /** The unrevoked key of this hash, and whose it is. Used before a scope is known, so with the system's. */
  keyByHash(scope: Scope, hash: string): Promise<{ readonly key: ApiKey; readonly principal: Principal } | null>
  /** Newest first; revoked ones too. */
  listKeys(
    scope: Scope,
    page: { readonly after: KeyId | null; readonly limit: number },
  ): Promise<Page<{ readonly key: ApiKey; readonly principal: Principal }>>
  /** The first revocation's time stands. Null when there is no such key in scope. */
  revokeKey(scope: Scope, id: KeyId, at: Millis): Promise<ApiKey | null>
}

export interface ConnectionQuery {
  /** Only their own: without the shared ones. */
  readonly organizations?: readonly OrganizationId[]
  readonly integrations?: readonly string[]
  readonly after: ConnectionId | null
  readonly limit: number
}

/** A connection without organization is shared: every scope sees it, only a scope of all changes it. */
export interface ConnectionStore {
  /**
   * 'exists' when the instance name is taken in that organization (or among the shared). 'default_exists' when it is a default and its
   * place (organization, or the shared) has one for the integration already.
   */
  create(scope: Scope, connection: Connection): Promise<'created' | 'exists' | 'default_exists'>
  byId(scope: Scope, ids: readonly ConnectionId[]): Promise<readonly Connection[]>
  /** The organization's own and the shared ones. */
  forOrganization(scope: Scope, organization: OrganizationId): Promise<readonly Connection[]>
  /** By id, rising. */
  list(scope: Scope, page: ConnectionQuery): Promise<Page<Connection>>
  /** Replaces the connection whose revision is `next.revision - 1`. */
  revise(scope: Scope, next: Connection): Promise<'revised' | 'changed' | 'exists' | 'default_exists'>
  /** Keeps a test's result on the connection of exactly this revision, which stays. False when there is none that the scope may change. */
  noteTest(scope: Scope, tested: Pick<Connection, 'id' | 'revision'>, result: ConnectionTest): Promise<boolean>
  remove(scope: Scope, id: ConnectionId): Promise<boolean>
}

/** Who wants to renew an access token. */
export interface TokenLease {
  /** The version that is not good any more; 0: there is none yet. */
  readonly seen: number
  /** Names the lease: unique to this renewal. */
  readonly holder: string
  /** So long, in store time, does the lease last unless it is ended. */
  readonly duration: Millis
  /** Whether the external system is asked though it refused a moment ago. */
  readonly anew: boolean
}

export type LeaseResult =
  /** The caller is the one to ask for a token. */
  | { readonly kind: 'taken' }
  /** Another lease lasts. */
  | { readonly kind: 'held' }
  /** A newer token than the seen one stands. */
  | { readonly kind: 'newer'; readonly token: KeptToken }
  /** The external system refused a moment ago. */
  | { readonly kind: 'refused'; readonly refusal: TokenRefusal }
  /** No connection of this revision is in scope. */
  | { readonly kind: 'gone' }

/**
 * Access tokens, each of one revision of one connection, and the lease of whoever renews one. Whoever sees a connection may use and
 * renew its token, also a shared one. With its connection changed or removed, token, lease and refusal are gone.
 */
export interface TokenStore {
  /** Null when there is none, or no connection of this revision is in scope. */
  get(scope: Scope, connection: ConnectionRevision): Promise<KeptToken | null>
  /** Takes the lease when the seen version still stands, no other lease lasts, and no refusal is remembered (or it asks `anew`). */
  lease(scope: Scope, connection: ConnectionRevision, lease: TokenLease): Promise<LeaseResult>
  /** Keeps the token that the lease's holder was given, and ends the lease and what was remembered. Null when another lease was taken meanwhile. */
  put(scope: Scope, connection: ConnectionRevision, holder: string, token: Omit<KeptToken, 'version'>): Promise<KeptToken | null>
  /** Ends the holder's lease without a token, and remembers a refusal for `duration` of store time. The token that stands, stays. Another's lease stays too. */
  release(scope: Scope, connection: ConnectionRevision, holder: string, refused: RememberedRefusal | null): Promise<void>
}

export interface RememberedRefusal {
  readonly refusal: TokenRefusal
  readonly duration: Millis
}

/** Content-addressed artifacts, and which of them are active. A shared artifact or activation is visible to every scope. */
export interface ArtifactStore {
  /** Storing the same digest again changes nothing. */
  put(scope: Scope, artifacts: readonly Artifact[]): Promise<void>
  get(scope: Scope, digest: Digest): Promise<Artifact | null>
  /** What stands in exactly this place (an organization's, or the shared one when it is null); a withdrawal too. */
  active(scope: Scope, place: ActivationPlace): Promise<Activation | null>
  /** Without what was withdrawn. */
  listActive(scope: Scope, kind: ArtifactKind): Promise<readonly Activation[]>
  /** Compare-and-set: `next.revision` is the standing revision + 1 (1 where there is none). Returns what stands now. */
  activate(scope: Scope, next: Activation): Promise<{ readonly activated: boolean; readonly standing: Activation }>
  /** Every activation the place ever had, newest first. */
  history(scope: Scope, place: ActivationPlace): Promise<readonly Activation[]>
}
export type ActivationPlace = Pick<Activation, 'kind' | 'organization' | 'key'>
export type { ActivationSource }

export interface InsertedAlert {
  readonly alert: Alert
  /** False when an earlier alert of the same principal has the same idempotency key: then `alert` is that one. */
  readonly fresh: boolean
}

/** Immutable sort keys only, so that paging meets every alert that was there before the first page exactly once. */
export type AlertSort = 'created_at' | '-created_at'

export interface AlertQuery {
  readonly organizations?: readonly OrganizationId[]
  /** Folded codes. */
  readonly providers?: readonly string[]
  /** Normalised types. */
  readonly types?: readonly string[]
  readonly statuses?: readonly AlertStatus[]
  /** created at or after. */
  readonly createdFrom?: Millis
  /** created before. */
  readonly createdTo?: Millis
  /** Case-folded words; an alert fits when each is the beginning of one of its tokens. */
  readonly words?: readonly string[]
  readonly sort: AlertSort
  readonly after: { readonly createdAt: Millis; readonly uuid: AlertUuid } | null
  readonly limit: number
  /** Characters of the content to return with each item. */
  readonly preview: number
}

/** What a worker needs to find an alert that waits for it. */
export interface PendingAlert {
  readonly uuid: AlertUuid
  readonly organization: OrganizationId
  readonly type: string
  readonly retryCount: number
}

export interface AlertStore {
  /**
   * Numbers and inserts in order: one counter step for each prefix and one insert a batch. Numbers are unique and rising for
   * `numberedAs`: an alert inserted after another was acknowledged has the larger number. A repeat (same principal and
   * idempotency key) takes no number, whether it races, is in the same batch, or comes later; only a crash between numbering
   * and insert may leave a gap. All in scope, or the whole batch is refused.
   */
  insert(scope: Scope, alerts: readonly NewAlert[]): Promise<readonly InsertedAlert[]>
  get(scope: Scope, uuids: readonly AlertUuid[]): Promise<readonly Alert[]>
  byAlertId(scope: Scope, alertId: string): Promise<Alert | null>
  /** Sorted by creation time, then uuid. `content` of the items is cut to the preview. */
  list(scope: Scope, query: AlertQuery): Promise<Page<Alert>>
  /** 0 -> 5 for those that are still at 0; for those already at 5, notes that they were handed over again. */
  submit(scope: Scope, uuids: readonly AlertUuid[], at: Millis): Promise<void>
  /** 15 or 20 -> 5, one more retry, handed over `at`. Null when not in scope; `retried` is false in any other status. */
  retry(scope: Scope, uuid: AlertUuid, at: Millis): Promise<{ readonly retried: boolean; readonly alert: Alert } | null>
  /**
   * Alerts with a type that no run has taken: at 0 and created before `before`, or at 5 and last handed over before it. Oldest
   * first. For the sweeper.
   */
  pending(scope: Scope, before: Millis, limit: number): Promise<readonly PendingAlert[]>
  /** Completes what a crash left between the steps of an insert (an adapter whose insert is one step has nothing to do). Returns how many. */
  repair(scope: Scope, before: Millis): Promise<number>
}

export interface SessionStore {
  open(scope: Scope, session: Pick<Session, 'id' | 'host' | 'pid'>): Promise<void>
  /** False when the session was declared dead: its runs are no longer its own, and it must not go on under that name. */
  heartbeat(scope: Scope, id: SessionId): Promise<boolean>
  close(scope: Scope, id: SessionId): Promise<void>
  /** Declares dead the sessions without a heartbeat for `silence`, in store time. Returns how many. */
  bury(scope: Scope, silence: Millis): Promise<number>
}

export interface RunClaim {
  readonly run: RunId
  readonly alert: AlertUuid
  readonly organization: OrganizationId
  /** Normalised. */
  readonly type: string
  readonly attempt: number
  readonly session: SessionId
  readonly at: Millis
  /** Used only when the run is new. */
  readonly pins: RunPins
  /** Used only when the alert has no case yet. */
  readonly opening: CaseOpening
}

export type ClaimResult =
  /** `journal` holds the entries of earlier lives (empty for a new run); the next append goes to `position`. */
  | { readonly kind: 'claimed'; readonly run: Run; readonly position: number; readonly journal: readonly JournalEntry[] }
  /** Another living session has it. (A session may claim again what it gave up itself.) */
  | { readonly kind: 'held' }
  /** It sleeps, and is not due: a job that came twice must not wake it. */
  | { readonly kind: 'asleep' }
  /** It has ended, or it is not the alert's current attempt. */
  | { readonly kind: 'over' }

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
  readonly at: Millis
  /** What the case shall say of it. */
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
  readonly at: Millis
}

export interface RunQuery {
  readonly organizations?: readonly OrganizationId[]
  /** Normalised. */
  readonly types?: readonly string[]
  /** Names of playbooks. */
  readonly playbooks?: readonly string[]
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
   */
  claim(scope: Scope, claim: RunClaim): Promise<ClaimResult>
  /**
   * Ends a run: (1) `ended` appended at the position, the fence: 'superseded' if another life has written there; (2) the run's state;
   * (3) the case's entries; (4) the alert projected to 15 or 20. What a crash leaves undone after (1), `settle` does.
   */
  end(scope: Scope, end: RunEnd): Promise<'ended' | 'superseded'>
  /**
   * Lets a run sleep: (1) `slept` appended at the position, the fence: 'superseded' if another life has written there; (2) its state
   * `waiting`, with no owner to live or die. What was woken since it was claimed is due at once. A run that a crash left between the two
   * is an orphan: the next claim takes it, and it sleeps again.
   */
  sleep(scope: Scope, sleep: RunSleep): Promise<'slept' | 'superseded'>
  /** Makes a waiting run due at `at`, if it is not due sooner; of a running one it is kept for when it sleeps. Others stay as they are. */
  wake(scope: Scope, id: RunId, at: Millis): Promise<void>
  /** Waiting, and due at `now`. The longest due first, after so many that are skipped. For the sweeper. */
  due(scope: Scope, now: Millis, limit: number, skip?: number): Promise<readonly PendingAlert[]>
  get(scope: Scope, id: RunId): Promise<Run | null>
  /** By when they began, the latest first. */
  list(scope: Scope, query: RunQuery): Promise<Page<Run>>
  /** Oldest attempt first. */
  ofAlert(scope: Scope, alert: AlertUuid): Promise<readonly Run[]>
  /** Running, and their session is dead or unknown. For the sweeper. */
  orphans(scope: Scope, limit: number): Promise<readonly PendingAlert[]>
  /** Repeats the projections of runs whose journal has ended but whose state, alert or case lags behind. Returns how many it mended. */
  settle(scope: Scope, limit: number): Promise<number>
}

export interface JournalStore {
  /** 'superseded' when the position is taken: another life of the run has claimed it, and the caller must stop. */
  append(scope: Scope, run: RunId, entry: JournalEntry): Promise<'appended' | 'superseded'>
  /** In order of position. */
  read(scope: Scope, run: RunId): Promise<readonly JournalEntry[]>
  /** A large output, stored beside the log under a name of the caller's; storing the same name again changes nothing. */
  putOutput(scope: Scope, run: RunId, name: string, json: string): Promise<void>
  getOutput(scope: Scope, run: RunId, name: string): Promise<string | null>
}

export interface CaseQuery {
  readonly organizations?: readonly OrganizationId[]
  readonly statuses?: readonly CaseStatus[]
  readonly severities?: readonly Severity[]
  /** Newest first; `after` is the last item's position. */
  readonly after: { readonly createdAt: Millis; readonly uuid: CaseUuid } | null
  readonly limit: number
}

export interface CaseStore {
  byCaseId(scope: Scope, caseId: string): Promise<Case | null>
  get(scope: Scope, uuid: CaseUuid): Promise<Case | null>
  list(scope: Scope, query: CaseQuery): Promise<Page<Case>>
  /** In order of time, then of writing. */
  timeline(scope: Scope, uuid: CaseUuid): Promise<readonly TimelineEntry[]>
  /**
   * Applies a change and writes its entry. When an entry of that key is there already, nothing changes: a resumed run may say it
   * again. Returns the case as it now stands; null when not in scope.
   */
  record(scope: Scope, uuid: CaseUuid, change: CaseChange | null, entry: TimelineEntry): Promise<Case | null>
}

export interface DecisionQuery {
  readonly organizations?: readonly OrganizationId[]
  readonly states?: readonly DecisionState[]
  readonly kinds?: readonly DecisionKind[]
  readonly runs?: readonly RunId[]
  /** Newest first; `after` is the last item's position. */
  readonly after: { readonly askedAt: Millis; readonly id: DecisionId } | null
  readonly limit: number
}

export interface DecisionStore {
  /** Opens it, unless one of its id is there. Returns what stands. */
  open(scope: Scope, decision: Decision): Promise<Decision>
  get(scope: Scope, id: DecisionId): Promise<Decision | null>
  list(scope: Scope, query: DecisionQuery): Promise<Page<Decision>>
  /** Replaces the decision whose revision is `next.revision - 1`. One that is open no more is untold until `told`. */
  revise(scope: Scope, next: Decision): Promise<'revised' | 'changed'>
  /** Closed, and whoever closed them may have died before the run and the case were told. For the sweeper. */
  untold(scope: Scope, limit: number): Promise<readonly Decision[]>
  told(scope: Scope, id: DecisionId): Promise<void>
  /** Open, and their run has ended: whoever ended it died before it could withdraw them. For the sweeper. */
  left(scope: Scope, limit: number): Promise<readonly Decision[]>
}

/** Small facts of the installation: the id of its vault key, for one. */
export interface SettingStore {
  /** Sets it if it is not set. Returns what stands. */
  settle(scope: Scope, name: string, value: string): Promise<string>
}
