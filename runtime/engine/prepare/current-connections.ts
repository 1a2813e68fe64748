import { TtlCache } from '../../caches/index.ts'
import { type Clock, type Connection, type OrganizationId, organizationScope, type PinnedConnection } from '../../domain/index.ts'
import type { NamedHints } from '../../hints/index.ts'
import type { Store } from '../../storage/index.ts'

/** How long a process may use a connection as it was before a change that it was not told of, in milliseconds. */
const age = 1_000

/**
 * The connections that runs of this process begin and call with. Both read the same cache. With a cache for
 * each, a run could pin a new revision and then find the old one for its first call.
 */
export class CurrentConnections {
  readonly #store: Pick<Store, 'connections'>
  readonly #kept: TtlCache<readonly Connection[]>

  /** @param changes tells which organizations' connections have changed, in any process */
  constructor(store: Pick<Store, 'connections'>, clock: Clock, changes: Pick<NamedHints, 'listen'>) {
    this.#store = store
    this.#kept = new TtlCache(clock, age, 10_000)
    changes.listen({
      named: (names) => {
        if (names.includes(shared)) this.#kept.clear()
        else for (const name of names) this.#kept.forget(name)
      },
      missed: () => this.#kept.clear(),
    })
  }

  /** Returns the organization's own connections and the shared ones, sorted by id. @throws the store's error */
  of(organization: OrganizationId): Promise<readonly Connection[]> {
    return this.#kept.get(organization, () => this.#store.connections.forOrganization(organizationScope(organization), organization))
  }

  /**
   * Returns a connection that a run has pinned: never an older revision than the pinned one. Null: it was removed.
   * @throws the store's error
   */
  async pinned(organization: OrganizationId, { id, revision }: Pick<PinnedConnection, 'id' | 'revision'>): Promise<Connection | null> {
    const find = async (): Promise<Connection | null> => (await this.of(organization)).find((each) => each.id === id) ?? null
    const found = await find()
    if (found && found.revision >= revision) return found
    this.#kept.forget(organization)
    return find()
  }
}

/** The name that tells of a change of a connection that all organizations share. */
const shared = 'shared'

/** Returns the name by which `CurrentConnections` learns of a change. */
export function changedConnection({ organization }: Pick<Connection, 'organization'>): string {
  return organization ?? shared
}
