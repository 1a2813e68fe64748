import type { OrganizationId, Scope } from '../../domain/index.ts'
import type { Store } from '../../storage/index.ts'
import { digestOf } from '../../yaml/index.ts'
import { type PlaybookSource, withPlaybooks } from '../compile/with-playbooks.ts'
import type { LintWorld, PlaybookFile } from '../lint/index.ts'
import { ActivePlaybooks } from './active.ts'
import { type Broken, brokenBy } from './breakage.ts'
import { placesOf } from './place.ts'
import { selfNamed } from './self-named.ts'
import { outcomeOf } from './set-active.ts'

/** Texts that shall become active, and what would be active then. */
export class Proposal {
  readonly #before: ActivePlaybooks
  readonly #after: ActivePlaybooks
  readonly #organization: OrganizationId | null
  readonly #world: LintWorld

  private constructor(before: ActivePlaybooks, after: ActivePlaybooks, organization: OrganizationId | null, world: LintWorld) {
    this.#before = before
    this.#after = after
    this.#organization = organization
    this.#world = world
  }

  /**
   * @param source `folder`: where an edit stands, it is what is active then
   * @param world what playbooks may name besides each other
   */
  static async of(
    store: Store,
    scope: Scope,
    files: readonly PlaybookFile[],
    organization: OrganizationId | null,
    source: 'folder' | 'edited',
    world: LintWorld,
  ): Promise<Proposal> {
    const before = await ActivePlaybooks.load(store)
    const changes = files.flatMap(({ file, text }) => {
      const named = selfNamed(text)
      return named === null ? [] : placesOf(named, organization).map((place) => ({ place, file, text }))
    })
    const standing = await Promise.all(changes.map(({ place }) => store.artifacts.active(scope, place)))
    const made = changes.filter(
      ({ text }, index) => outcomeOf(standing[index] ?? null, { digest: digestOf(text), withdrawn: false, source }) !== 'kept_edit',
    )
    return new Proposal(before, before.with(made), organization, world)
  }

  /** What the texts may name: the plugins, and the sub-playbooks as they would be. */
  get world(): LintWorld {
    return withPlaybooks(this.#world, this.#after.subPlaybooks(this.#organization))
  }

  /** The sub-playbooks as they would be for an organization, by name. */
  subPlaybooks(organization: OrganizationId | null): ReadonlyMap<string, PlaybookSource> {
    return this.#after.subPlaybooks(organization)
  }

  /** The playbooks that would not work any more. */
  broken(): readonly Broken[] {
    return brokenBy(this.#before, this.#after, this.#world)
  }
}
