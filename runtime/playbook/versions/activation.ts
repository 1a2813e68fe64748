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
import { type Change, changed, type Outcome, outcomeOf, replacedBy, setActive } from './set-active.ts'
import { type Bind, FoundConnections, type Unbound } from './unbound.ts'

/** The principal that changes what is active. */
export interface Actor {
  readonly scope: Scope
  readonly principal: PrincipalId
}

/** The parts of other rooms that activation uses. */
export interface ActivationNeeds extends LookingNeeds {
  readonly store: Store
  readonly library: PlaybookLibrary
  readonly history: PlaybookHistory
  readonly clock: Clock
  readonly bind: Bind
  /** The connections that an organization's playbooks may use. */
  connectionsOf(organization: OrganizationId): Promise<readonly KnownConnection[]>
}

/** Texts to activate in every place that they name. */
export interface ActivationRequest {
  readonly files: readonly PlaybookFile[]
  /** Null for shared playbooks. */
  readonly organization: OrganizationId | null
  /**
   * The revision that each place must have, by key. 0 means that the place is empty. A place
   * without an entry may have any revision.
   */
  readonly revisions: ReadonlyMap<string, number>
  /** `folder` keeps edits that people made over the API. */
  readonly source: Change['source']
  /** If true, checks everything and changes nothing. */
  readonly check: boolean
}

/** What happened to one place, or would happen. */
export interface PlaceOutcome {
  readonly place: PlaybookPlace
  readonly outcome: Outcome
  /** What is active now. */
  readonly standing: Activation | null
  /** The playbook of another name that this replaced, or would replace. Null: there is none. */
  readonly replaced: Activation | null
}

export interface Activated {
  readonly candidate: Candidate
  readonly digest: Digest
  readonly places: readonly PlaceOutcome[]
  readonly unbound: readonly Unbound[]
  /**
   * For a shared playbook: the organizations that use it and whose policy allows less than its
   * worst case.
   */
  readonly overPolicy: readonly OverPolicy[]
}

/** The time limit for all checks of one request together. */
const checksWithin: Millis = 60_000

/** Activates and withdraws playbooks. Checks everything first, then changes each place by compare-and-set. */
export class PlaybookActivation {
  readonly #needs: ActivationNeeds

  constructor(needs: ActivationNeeds) {
    this.#needs = needs
  }

  /**
   * Checks all texts together, and activates all of them or none. Then sets each place separately:
   * if two requests change the same places at once, each may win in some of them. The result says
   * which.
   *
   * @throws TocsinError `playbook_invalid`, `playbook_breaks_others`, `playbooks_exceeded`,
   * `policy_exceeded`, `playbook_changed`, `organization_forbidden`; the errors of
   * `PlaybookChecks.run`
   */
  async activate(actor: Actor, { files, organization, revisions, source, check }: ActivationRequest): Promise<readonly Activated[]> {
    mustReach(actor, organization)
    const looking = await this.#looking(actor, organization)
    const proposal = await Proposal.of(this.#needs.store, actor.scope, files, organization, source, looking)
    proposal.checkCount()
    const candidates = await candidatesOf(files, await this.#around(proposal, organization), looking)
    refuseBreakage(await proposal.broken())
    await keepToPolicy(this.#needs.store, candidates, organization)
    // Sub-playbooks first, because the others need them.
    const ordered = candidates.toSorted((a, b) => a.types.length - b.types.length)
    const wanted = ordered.map((candidate) => ({ candidate, places: placesOf(candidate, organization) }))
    return this.#apply(actor, wanted, { revisions, source, check }, looking)
  }

  /**
   * Activates an earlier version again in one place.
   *
   * @param revision the revision that the place must have; null: any
   * @throws TocsinError `playbook_unknown`, `playbook_version_unknown`, `playbook_invalid` if the
   * text does not fit the loaded plugins any more, `policy_exceeded`, `playbook_changed`
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
   * Leaves a place without a playbook. The next playbook in the order of places is used instead.
   *
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

  /** Checks the expected revisions before anything is changed. @throws TocsinError `playbook_changed` */
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
   * Sets all places quickly one after the other, and checks connections and policies only after
   * that. A run that starts in between may find playbooks that do not fit each other. It has to
   * wait.
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
          const outcome = outcomeOf(standing, change)
          outcomes.push({ place, outcome, standing, replaced: replacedBy(standing, change, outcome) })
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

/** A text, and the places to activate it in. All of them belong to one organization, or all are shared. */
interface Wanted {
  readonly candidate: Candidate
  readonly places: readonly PlaybookPlace[]
}

type Applied = Pick<ActivationRequest, 'revisions' | 'source' | 'check'>

function ownerOfPlaces([place]: readonly PlaybookPlace[]): OrganizationId | null {
  return place?.organization ?? null
}

/** Shared playbooks affect every organization. @throws TocsinError `organization_forbidden` */
function mustReach({ scope }: Actor, organization: OrganizationId | null): void {
  if (organization === null && scope.organizations !== 'all') {
    throw new TocsinError('organization_forbidden', 'A shared playbook belongs to every organization, and the API key is limited to some.')
  }
}
