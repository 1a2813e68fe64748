import type { Activation, Clock, Digest, OrganizationId, PrincipalId, Scope } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { PluginLibrary } from '../../plugin/index.ts'
import type { Store } from '../../storage/index.ts'
import { digestOf } from '../../yaml/index.ts'
import { withPlaybooks } from '../compile/with-playbooks.ts'
import type { PlaybookLibrary } from '../library.ts'
import { type KnownConnection, type LintWorld, lintWorld, type PlaybookFile } from '../lint/index.ts'
import { ActivePlaybooks } from './active.ts'
import { type Broken, brokenBy, refuseBreakage } from './breakage.ts'
import { artifactOf, type Candidate, candidatesOf } from './candidate.ts'
import { PlaybookHistory } from './history.ts'
import { describePlace, type PlaybookPlace, placesOf } from './place.ts'
import { keepToPolicy, type OverPolicy, policiesExceeded } from './policy.ts'
import { Proposal } from './proposal.ts'
import { type Change, changed, type Outcome, outcomeOf, setActive } from './set-active.ts'
import { type Bind, type Unbound, unboundIn } from './unbound.ts'

/** Who changes what is active. */
export interface Actor {
  readonly scope: Scope
  readonly principal: PrincipalId
}

/** What the activation of playbooks needs of the other rooms. */
export interface ActivationNeeds {
  readonly store: Store
  readonly plugins: PluginLibrary
  readonly library: PlaybookLibrary
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

/** Changes what is active: with everything checked before, and by compare-and-set. */
export class PlaybookActivation {
  readonly #needs: ActivationNeeds
  readonly #history: PlaybookHistory

  constructor(needs: ActivationNeeds) {
    this.#needs = needs
    this.#history = new PlaybookHistory(needs.store)
  }

  /**
   * All of the texts, or none: they are checked together. Each place is then set for itself, so that of two that change the same places at once
   * one may be first in some; whoever is not is told.
   * @throws TocsinError `playbook_invalid`, `playbook_breaks_others`, `policy_exceeded`, `playbook_changed`, `organization_forbidden`
   */
  async activate(actor: Actor, { files, organization, revisions, source, check }: ActivationRequest): Promise<readonly Activated[]> {
    mustReach(actor, organization)
    const proposal = await Proposal.of(this.#needs.store, actor.scope, files, organization, source, await this.#world(organization))
    const candidates = candidatesOf(files, proposal.world)
    refuseBreakage(proposal.broken())
    await keepToPolicy(this.#needs.store, candidates, organization)
    // Sub-playbooks first: those that run them need them.
    const ordered = candidates.toSorted((a, b) => a.plan.types.length - b.plan.types.length)
    const wanted = ordered.map((candidate) => ({ candidate, places: placesOf(candidate.plan, organization) }))
    return this.#apply(actor, wanted, { revisions, source, check })
  }

  /**
   * Makes a text active again that was before, in one place.
   * @param revision that must stand; null: any
   * @throws TocsinError `playbook_unknown`, `playbook_version_unknown`, `playbook_invalid` where it fits the loaded plugins no longer, `policy_exceeded`, `playbook_changed`
   */
  async rollback(actor: Actor, place: PlaybookPlace, digest: Digest, revision: number | null, check: boolean): Promise<Activated> {
    mustReach(actor, place.organization)
    const before = await this.#history.of(actor.scope, place)
    if (!before.some((activation) => activation.digest === digest))
      throw new TocsinError('playbook_version_unknown', `${digest} was never active for ${describePlace(place)}.`)
    const { name, text } = await this.#history.version(actor.scope, digest)
    const change = await this.#change([{ place, file: name, text }])
    const { after } = change
    const world = withPlaybooks(await this.#world(place.organization), after.subPlaybooks(place.organization))
    const candidates = candidatesOf([{ file: name, text }], world)
    refuseBreakage(change.broken)
    await keepToPolicy(this.#needs.store, candidates, place.organization)
    const revisions = new Map(revision === null ? [] : [[place.key, revision]])
    const wanted = candidates.map((candidate) => ({ candidate, places: [place] }))
    const [activated] = await this.#apply(actor, wanted, { revisions, source: 'edited', check })
    if (!activated) throw new TocsinError('internal', 'A text made no candidate.')
    return activated
  }

  /**
   * Leaves a place without a playbook: what comes next in order is used then.
   * @throws TocsinError `playbook_unknown`, `playbook_breaks_others`, `playbook_changed`
   */
  async withdraw(actor: Actor, place: PlaybookPlace, revision: number | null): Promise<Activation> {
    mustReach(actor, place.organization)
    const { activation } = await this.#history.active(actor.scope, place)
    const { digest, name } = activation
    refuseBreakage((await this.#change([{ place, file: name, text: null }])).broken)
    const change: Change = { digest, name, withdrawn: true, source: 'edited', by: actor.principal, at: this.#needs.clock.now() }
    const { standing } = await setActive(this.#needs.store, actor.scope, place, change, revision ?? activation.revision)
    this.#needs.library.forget()
    return standing
  }

  /** What would be active, and what would not work any more. */
  async #change(changes: Parameters<ActivePlaybooks['with']>[0]): Promise<{ readonly after: ActivePlaybooks; readonly broken: readonly Broken[] }> {
    const before = await ActivePlaybooks.load(this.#needs.store)
    const after = before.with(changes)
    return { after, broken: brokenBy(before, after, await this.#world(null)) }
  }

  async #world(organization: OrganizationId | null): Promise<LintWorld> {
    const { plugins, connectionsOf } = this.#needs
    return lintWorld(await plugins.active(), organization === null ? null : await connectionsOf(organization))
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
  async #apply(actor: Actor, wanted: readonly Wanted[], { revisions, source, check }: Applied): Promise<readonly Activated[]> {
    const { store, clock, library } = this.#needs
    const { scope, principal: by } = actor
    await this.#mustStand(
      actor,
      wanted.flatMap(({ places }) => places),
      revisions,
    )
    const artifacts = wanted.map(({ candidate, places }) => artifactOf(candidate, ownerOf(places), clock.now()))
    if (!check) await store.artifacts.put(scope, artifacts)
    const settled: (Wanted & { readonly outcomes: readonly PlaceOutcome[] })[] = []
    for (const { candidate, places } of wanted) {
      const change: Change = { digest: digestOf(candidate.text), name: candidate.plan.name, withdrawn: false, source, by, at: clock.now() }
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
    const results: Activated[] = []
    for (const { candidate, places, outcomes } of settled) results.push(await this.#activated(candidate, ownerOf(places), outcomes))
    return results
  }

  async #activated(candidate: Candidate, organization: OrganizationId | null, places: readonly PlaceOutcome[]): Promise<Activated> {
    const { store, bind } = this.#needs
    const [unbound, overPolicy] = await Promise.all([
      unboundIn(store, bind, candidate.plan, organization),
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

function ownerOf([place]: readonly PlaybookPlace[]): OrganizationId | null {
  return place?.organization ?? null
}

/** What is shared concerns every organization. @throws TocsinError `organization_forbidden` */
function mustReach({ scope }: Actor, organization: OrganizationId | null): void {
  if (organization === null && scope.organizations !== 'all') {
    throw new TocsinError('organization_forbidden', 'A shared playbook is of every organization; the key is limited to some.')
  }
}
