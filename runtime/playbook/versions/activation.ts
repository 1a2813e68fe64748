import type { Activation, Clock, Digest, Millis, OrganizationId, PrincipalId, Scope } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { Store } from '../../storage/index.ts'
import { digestOf } from '../../yaml/index.ts'
import { type Looking, type LookingNeeds, lookingFor, ownerOf } from '../checks/looking.ts'
import type { PlaybookLibrary } from '../library.ts'
import type { KnownConnection, PlaybookFile } from '../lint/index.ts'
import { refuseBreakage } from './breakage.ts'
import { artifactOf, type Candidate, candidatesOf, type Surroundings } from './candidate.ts'
import type { PlaybookHistory } from './history.ts'
import { describePlace, type PlaybookPlace, placesOf } from './place.ts'
import { keepToPolicy, type OverPolicy, policiesExceeded } from './policy.ts'
import { Proposal } from './proposal.ts'
import { type Change, changed, type Outcome, outcomeOf, setActive } from './set-active.ts'
import { type Bind, FoundConnections, type Unbound } from './unbound.ts'

/** Who changes what is active. */
export interface Actor {
  readonly scope: Scope
  readonly principal: PrincipalId
}

/** What the activation of playbooks needs of the other rooms. */
export interface ActivationNeeds extends LookingNeeds {
  readonly store: Store
  readonly library: PlaybookLibrary
  readonly history: PlaybookHistory
  readonly clock: Clock
  readonly bind: Bind
  /** The connections that an organization's playbooks may use. */
  connectionsOf(organization: OrganizationId): Promise<readonly KnownConnection[]>
}

/** Texts that shall be active for all that they name. */
export interface ActivationRequest {
  readonly files: readonly PlaybookFile[]
  /** Null: shared. */
  readonly organization: OrganizationId | null
  /** The revision that must stand, by key (0: none); where a key is absent, whatever stands. */
  readonly revisions: ReadonlyMap<string, number>
  /** `folder`: edits that stand are kept. */
  readonly source: Change['source']
  /** Everything is checked and nothing changed. */
  readonly check: boolean
}

/** What became of one place, or would. */
export interface PlaceOutcome {
  readonly place: PlaybookPlace
  readonly outcome: Outcome
  /** What stands now. */
  readonly standing: Activation | null
}

export interface Activated {
  readonly candidate: Candidate
  readonly digest: Digest
  readonly places: readonly PlaceOutcome[]
  readonly unbound: readonly Unbound[]
  /** Of a shared playbook: the organizations for which it is run, and whose policy allows less than its worst case. */
  readonly overPolicy: readonly OverPolicy[]
}

/** How long all checks of one request may take together. */
const checksWithin: Millis = 60_000

/** Activates and withdraws playbooks: checks everything first, then changes each place by compare-and-set. */
export class PlaybookActivation {
  readonly #needs: ActivationNeeds

  constructor(needs: ActivationNeeds) {
    this.#needs = needs
  }

  /**
   * Checks all texts together, and activates all or none. It then sets each place separately. If two requests change the same places at once,
   * each may win in some of them. The result says which.
   * @throws TocsinError `playbook_invalid`, `playbook_breaks_others`, `playbooks_exceeded`, `policy_exceeded`, `playbook_changed`,
   * `organization_forbidden`; the errors of `PlaybookChecks.run`
   */
  async activate(actor: Actor, { files, organization, revisions, source, check }: ActivationRequest): Promise<readonly Activated[]> {
    mustReach(actor, organization)
    const looking = await this.#looking(actor, organization)
    const proposal = await Proposal.of(this.#needs.store, actor.scope, files, organization, source, looking)
    proposal.checkCount()
    const candidates = await candidatesOf(files, await this.#around(proposal, organization), looking)
    refuseBreakage(await proposal.broken())
    await keepToPolicy(this.#needs.store, candidates, organization)
    // Sub-playbooks first: those that run them need them.
    const ordered = candidates.toSorted((a, b) => a.types.length - b.types.length)
    const wanted = ordered.map((candidate) => ({ candidate, places: placesOf(candidate, organization) }))
    return this.#apply(actor, wanted, { revisions, source, check }, looking)
  }

  /**
   * Makes a text active again that was before, in one place.
   * @param revision that must stand; null: any
   * @throws TocsinError `playbook_unknown`, `playbook_version_unknown`, `playbook_invalid` where it fits the loaded plugins no longer, `policy_exceeded`, `playbook_changed`
   */
  async rollback(actor: Actor, place: PlaybookPlace, digest: Digest, revision: number | null, check: boolean): Promise<Activated> {
    mustReach(actor, place.organization)
    const { history, store } = this.#needs
    const before = await history.of(actor.scope, place)
    if (!before.some((activation) => activation.digest === digest))
      throw new TocsinError('playbook_version_unknown', `${digest} was never active for ${describePlace(place)}.`)
    const { name, text } = await history.version(actor.scope, digest)
    const looking = await this.#looking(actor, place.organization)
    const proposal = await Proposal.ofChanges(store, [{ place, file: name, text }], place.organization, looking)
    proposal.checkCount()
    const candidates = await candidatesOf([{ file: name, text }], await this.#around(proposal, place.organization), looking)
    refuseBreakage(await proposal.broken())
    await keepToPolicy(store, candidates, place.organization)
    const revisions = new Map(revision === null ? [] : [[place.key, revision]])
    const wanted = candidates.map((candidate) => ({ candidate, places: [place] }))
    const [activated] = await this.#apply(actor, wanted, { revisions, source: 'edited', check }, looking)
    if (!activated) throw new TocsinError('internal', 'A text made no candidate.')
    return activated
  }

  /**
   * Leaves a place without a playbook: what comes next in order is used then.
   * @throws TocsinError `playbook_unknown`, `playbook_breaks_others`, `playbook_changed`
   */
  async withdraw(actor: Actor, place: PlaybookPlace, revision: number | null): Promise<Activation> {
    mustReach(actor, place.organization)
    const { history, store } = this.#needs
    const { activation } = await history.active(actor.scope, place)
    const { digest, name } = activation
    const looking = await this.#looking(actor, place.organization)
    const proposal = await Proposal.ofChanges(store, [{ place, file: name, text: null }], place.organization, looking)
    refuseBreakage(await proposal.broken())
    const change: Change = { digest, name, withdrawn: true, source: 'edited', by: actor.principal, at: this.#needs.clock.now() }
    const { standing } = await setActive(store, actor.scope, place, change, revision ?? activation.revision)
    this.#needs.library.forget()
    return standing
  }

  #looking({ scope }: Actor, organization: OrganizationId | null): Promise<Looking> {
    return lookingFor(this.#needs, ownerOf(scope, organization), checksWithin)
  }

  async #around({ after }: Proposal, organization: OrganizationId | null): Promise<Surroundings> {
    return { active: after, organization, connections: organization === null ? null : await this.#needs.connectionsOf(organization) }
  }

  /** Before anything is changed. @throws TocsinError `playbook_changed` */
  async #mustStand({ scope }: Actor, places: readonly PlaybookPlace[], revisions: ReadonlyMap<string, number>): Promise<void> {
    const strange = [...revisions.keys()].filter((key) => !places.some((place) => place.key === key))
    if (strange.length > 0) {
      const keys = places.map(({ key }) => key).join(', ')
      throw new TocsinError('body_invalid', `revisions names ${strange.join(', ')}; the texts are for ${keys}.`)
    }
    const standing = await Promise.all(places.map(async (place) => ({ place, standing: await this.#needs.store.artifacts.active(scope, place) })))
    const others = standing.filter(({ place, standing }) => (revisions.get(place.key) ?? standing?.revision ?? 0) !== (standing?.revision ?? 0))
    if (others.length > 0) throw changed(others)
  }

  /**
   * Sets every place right after the other, and only then says what that means: where playbooks that belong together change, a run that
   * begins in between finds them not to fit each other, and has to wait.
   */
  async #apply(actor: Actor, wanted: readonly Wanted[], { revisions, source, check }: Applied, looking: Looking): Promise<readonly Activated[]> {
    const { store, clock, library } = this.#needs
    const { scope, principal: by } = actor
    await this.#mustStand(
      actor,
      wanted.flatMap(({ places }) => places),
      revisions,
    )
    const artifacts = wanted.map(({ candidate, places }) => artifactOf(candidate, ownerOfPlaces(places), clock.now()))
    if (!check) await store.artifacts.put(scope, artifacts)
    const settled: (Wanted & { readonly outcomes: readonly PlaceOutcome[] })[] = []
    for (const { candidate, places } of wanted) {
      const change: Change = { digest: digestOf(candidate.text), name: candidate.name, withdrawn: false, source, by, at: clock.now() }
      const outcomes: PlaceOutcome[] = []
      for (const place of places) {
        if (check) {
          const standing = await store.artifacts.active(scope, place)
          outcomes.push({ place, outcome: outcomeOf(standing, change), standing })
        } else outcomes.push({ place, ...(await setActive(store, scope, place, change, revisions.get(place.key) ?? null)) })
      }
      settled.push({ candidate, places, outcomes })
    }
    if (!check) library.forget()
    const owner = ownerOfPlaces(wanted.flatMap(({ places }) => places))
    const connections = await FoundConnections.of(store, owner)
    const results: Activated[] = []
    for (const { candidate, outcomes } of settled) results.push(await this.#activated(candidate, owner, outcomes, connections, looking))
    return results
  }

  async #activated(
    candidate: Candidate,
    organization: OrganizationId | null,
    places: readonly PlaceOutcome[],
    connections: FoundConnections,
    { turns, work }: Looking,
  ): Promise<Activated> {
    const { store, bind } = this.#needs
    const [unbound, overPolicy] = await Promise.all([
      connections.unbound(bind, candidate, turns, work.owner),
      organization === null
        ? policiesExceeded(
            store,
            candidate.impact,
            places.map(({ place }) => place),
          )
        : [],
    ])
    return { candidate, digest: digestOf(candidate.text), places, unbound, overPolicy }
  }
}

/** A text, and the places that it shall be active in: of one organization, or shared. */
interface Wanted {
  readonly candidate: Candidate
  readonly places: readonly PlaybookPlace[]
}

type Applied = Pick<ActivationRequest, 'revisions' | 'source' | 'check'>

function ownerOfPlaces([place]: readonly PlaybookPlace[]): OrganizationId | null {
  return place?.organization ?? null
}

/** What is shared concerns every organization. @throws TocsinError `organization_forbidden` */
function mustReach({ scope }: Actor, organization: OrganizationId | null): void {
  if (organization === null && scope.organizations !== 'all') {
    throw new TocsinError('organization_forbidden', 'A shared playbook is of every organization; the key is limited to some.')
  }
}
