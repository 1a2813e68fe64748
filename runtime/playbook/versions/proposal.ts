import { type OrganizationId, organizationScope, type Scope, systemScope } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { Store } from '../../storage/index.ts'
import { digestOf } from '../../yaml/index.ts'
import type { Looking } from '../checks/looking.ts'
import { mostPlaces } from '../limits.ts'
import type { PlaybookFile } from '../lint/index.ts'
import { ActivePlaybooks, placeKey, type TextChange } from './active.ts'
import { type Broken, brokenBy } from './breakage.ts'
import { type PlaybookPlace, placesOf } from './place.ts'
import { outcomeOf } from './set-active.ts'

/** A proposed change, with the active playbooks before and after it. */
export class Proposal {
  readonly #before: ActivePlaybooks
  /** The active playbooks after the change. */
  readonly after: ActivePlaybooks
  readonly #organization: OrganizationId | null
  readonly #looking: Looking

  private constructor(before: ActivePlaybooks, after: ActivePlaybooks, organization: OrganizationId | null, looking: Looking) {
    this.#before = before
    this.after = after
    this.#organization = organization
    this.#looking = looking
  }

  /**
   * @param source `folder` does not touch places that a person edited
   * @throws TocsinError `playbooks_exceeded`; the errors of `PlaybookChecks.run`
   */
  static async of(
    store: Store,
    scope: Scope,
    files: readonly PlaybookFile[],
    organization: OrganizationId | null,
    source: 'folder' | 'edited',
    looking: Looking,
  ): Promise<Proposal> {
    const changes: (TextChange & { readonly text: string })[] = []
    for (const { file, text } of files) for (const place of await placesNamedIn(text, organization, looking)) changes.push({ place, file, text })
    const before = await ActivePlaybooks.load(store, scopeOf(organization))
    // Check the count before the lookups below: a text may name thousands of places.
    checkCount(new Set(changes.map(({ place }) => placeKey(place))).size, before, organization)
    const made: TextChange[] = []
    for (const change of changes) {
      const turn = looking.turns.next(looking.work.owner)
      if (turn) await turn
      const standing = await store.artifacts.active(scope, change.place)
      if (outcomeOf(standing ?? null, { digest: digestOf(change.text), withdrawn: false, source }) !== 'kept_edit') made.push(change)
    }
    return new Proposal(before, before.with(made), organization, looking)
  }

  /** Makes a proposal from changes whose places are known. */
  static async ofChanges(store: Store, changes: readonly TextChange[], organization: OrganizationId | null, looking: Looking): Promise<Proposal> {
    const before = await ActivePlaybooks.load(store, scopeOf(organization))
    return new Proposal(before, before.with(changes), organization, looking)
  }

  /** @throws TocsinError `playbooks_exceeded` if too many playbooks would be active */
  checkCount(): void {
    checkCount(this.after.countOf(this.#organization), this.#before, this.#organization)
  }

  /** Returns the playbooks that the change would break. @throws the errors of `brokenBy` */
  broken(): Promise<readonly Broken[]> {
    return brokenBy(this.#before, this.after, this.#organization, this.#looking)
  }
}

/**
 * Shared playbooks affect every organization. An organization's own playbooks affect only that
 * organization.
 */
function scopeOf(organization: OrganizationId | null): Scope {
  return organization === null ? systemScope : organizationScope(organization)
}

function checkCount(count: number, before: ActivePlaybooks, organization: OrganizationId | null): void {
  if (count <= mostPlaces || count <= before.countOf(organization)) return
  const whose = organization === null ? 'The shared playbooks' : "The organization's playbooks"
  throw new TocsinError('playbooks_exceeded', `${whose} would cover ${count} alert types and names, but only ${mostPlaces} are allowed.`)
}

/**
 * Returns the places where a text would become active, from its name and alert types. @throws the
 * errors of `PlaybookChecks.run`
 */
export async function placesNamedIn(
  text: string,
  organization: OrganizationId | null,
  { outlines, work }: Pick<Looking, 'outlines' | 'work'>,
): Promise<readonly PlaybookPlace[]> {
  const outline = await outlines.of(text, work)
  return outline?.named ? placesOf(outline, organization) : []
}
