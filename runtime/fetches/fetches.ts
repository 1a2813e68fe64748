import {
  type AlertFetch,
  asId,
  type Clock,
  type FetchId,
  type Ids,
  type Millis,
  may,
  newFetchState,
  type Organization,
  type OrganizationId,
  type Principal,
  type PrincipalId,
  type Scope,
  scopeOf,
  systemScope,
} from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'
import type { KnownFetch, Page, Store } from '../storage/index.ts'
import { checkFetch, type Entry, type FetchCheckDeps } from './check.ts'
import { creatorOf } from './submit.ts'
import { type TrialDeps, trialOf } from './trial.ts'
import type { FetchChange, FetchDraft, FetchView, Trial } from './types.ts'

/** The most fetches of one organization, including disabled ones. */
const mostFetches = 50
/**
 * How long after an attempt people may ask for the next one: as long as the shortest `every_seconds`. The connection may
 * be shared, and asking again and again would use up the vendor's rate limit for everybody.
 */
const leastSpacing: Millis = 10_000

interface FetchesDeps extends FetchCheckDeps, TrialDeps {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
}

/** Creates, tries and changes fetches for people. */
export class Fetches {
  readonly #deps: FetchesDeps

  constructor(deps: FetchesDeps) {
    this.#deps = deps
  }

  /**
   * Creates a fetch. Concurrent requests may together exceed the limit by a few.
   * @throws TocsinError `fetch_invalid`, `fetches_exceeded`, `organization_unknown`, `organization_forbidden` (the connection is shared, and
   * the principal is not one of all organizations), `provider_unknown`, `permission_missing` (it needs `alerts:write` too)
   */
  async create(principal: Principal, draft: FetchDraft): Promise<FetchView> {
    const { store, ids, clock } = this.#deps
    const organization = await this.#organization(principal, draft.organizationCode)
    const checked = await this.#check(principal, organization.id, draft)
    if ((await store.fetches.count(scopeOf(principal), organization.id)) >= mostFetches)
      throw new TocsinError('fetches_exceeded', `The organization ${organization.code} can have no more than ${mostFetches} fetches.`)
    const now = clock.now()
    const { name, connection, input, reading, every, overlap, enabled } = draft
    const fetch: AlertFetch = {
      id: asId<FetchId>(ids.uuid()),
      organization: organization.id,
      name,
      connection,
      skill: checked.skill,
      input,
      reading,
      every,
      overlap,
      enabled,
      principal: asId<PrincipalId>(ids.uuid()),
      revision: 1,
      createdAt: now,
      createdBy: principal.id,
      modifiedAt: now,
    }
    // Before the fetch, so that whoever reads one of its alerts finds who created it.
    await store.principals.create(systemScope, creatorOf(fetch))
    const state = newFetchState(draft.since ?? now)
    await store.fetches.create(scopeOf(principal), fetch, state)
    return this.#view({ fetch, state })
  }

  /**
   * Calls the skill once and shows which alerts a fetch would make. Stores nothing.
   * @throws TocsinError as `create`
   */
  async try(principal: Principal, draft: FetchDraft, signal: AbortSignal): Promise<Trial> {
    const organization = await this.#organization(principal, draft.organizationCode)
    const { skill } = await this.#check(principal, organization.id, draft)
    const tried = { ...draft, organization: organization.id, skill, since: draft.since ?? this.#deps.clock.now() }
    return trialOf(this.#deps, tried, signal)
  }

  async list(scope: Scope, page: { readonly after: FetchId | null; readonly limit: number }): Promise<Page<FetchView>> {
    const { items, more } = await this.#deps.store.fetches.list(scope, page)
    return { items: await this.#views(items), more }
  }

  /** @throws TocsinError `fetch_unknown` */
  async get(scope: Scope, id: FetchId): Promise<FetchView> {
    return this.#view(await this.#find(scope, id))
  }

  /** @throws TocsinError `fetch_unknown`, `fetch_changed`, and as `create` */
  async revise(principal: Principal, id: FetchId, change: FetchChange): Promise<FetchView> {
    const { store, clock } = this.#deps
    const scope = scopeOf(principal)
    const { fetch: standing } = await this.#find(scope, id)
    const { revision, since = null, reading, skill, ...plain } = change
    if (standing.revision !== revision) throw changed()
    const entered = { ...standing, ...plain, reading: { ...standing.reading, ...reading }, ...(skill !== undefined && { skill }) }
    // Somebody who only stops a fetch need not repair it.
    const stops = Object.keys(plain).every((key) => key === 'enabled') && !entered.enabled && reading === undefined && skill === undefined
    const kept = stops ? standing.skill : (await this.#check(principal, standing.organization, entered)).skill
    const next = { ...entered, skill: kept, revision: revision + 1, modifiedAt: clock.now() }
    if ((await store.fetches.revise(scope, next, since)) === 'changed') throw changed()
    return this.get(scope, id)
  }

  /** @throws TocsinError `fetch_unknown` */
  async remove(scope: Scope, id: FetchId): Promise<void> {
    if (!(await this.#deps.store.fetches.remove(scope, id))) unknown()
  }

  /**
   * Makes a fetch due at once, or a moment after its last attempt.
   * @throws TocsinError `fetch_unknown`
   */
  async hurry(scope: Scope, id: FetchId): Promise<FetchView> {
    if (!(await this.#deps.store.fetches.hurry(scope, id, leastSpacing))) unknown()
    return this.get(scope, id)
  }

  async #check(principal: Principal, organization: OrganizationId, entry: Entry): Promise<{ readonly skill: string }> {
    if (!may(principal, 'alerts:write')) throw new TocsinError('permission_missing', 'A fetch creates alerts. This needs the scope alerts:write too.')
    return checkFetch(this.#deps, principal, organization, entry)
  }

  async #organization(principal: Principal, code: string): Promise<Organization> {
    const [organization] = await this.#deps.store.organizations.byCode(scopeOf(principal), [code])
    if (organization) return organization
    throw new TocsinError('organization_unknown', `No organization has the code "${code}".`, [
      { field: 'organization_code', message: 'unknown organization' },
    ])
  }

  async #find(scope: Scope, id: FetchId): Promise<KnownFetch> {
    return (await this.#deps.store.fetches.get(scope, id)) ?? unknown()
  }

  async #view(known: KnownFetch): Promise<FetchView> {
    const [view] = await this.#views([known])
    return view as FetchView
  }

  async #views(known: readonly KnownFetch[]): Promise<FetchView[]> {
    const { organizations, connections } = this.#deps.store
    const [owners, used] = await Promise.all([
      organizations.byId(systemScope, [...new Set(known.map(({ fetch }) => fetch.organization))]),
      connections.byId(systemScope, [...new Set(known.map(({ fetch }) => fetch.connection))]),
    ])
    const codes = new Map(owners.map(({ id, code }) => [id, code]))
    const connectionsById = new Map(used.map((connection) => [connection.id, connection]))
    return known.map(({ fetch, state, begunAt = null }) => ({
      ...fetch,
      state,
      begunAt,
      organizationCode: codes.get(fetch.organization) ?? null,
      instance: connectionsById.get(fetch.connection)?.instance ?? null,
      integration: connectionsById.get(fetch.connection)?.integration ?? null,
    }))
  }
}

function unknown(): never {
  throw new TocsinError('fetch_unknown', 'No fetch that this key may see has this id.')
}

function changed(): TocsinError {
  return new TocsinError('fetch_changed', 'The fetch was changed in the meantime.')
}
