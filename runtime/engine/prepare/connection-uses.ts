import { type Connection, type OrganizationId, organizationScope, type Run, type RunId, type Scope } from '../../domain/index.ts'
import { type ActivePlaybookSlots, ActiveSlots, type LookingNeeds } from '../../playbook/index.ts'
import type { Page, Store } from '../../storage/index.ts'
import { type ChosenBy, chooseConnection } from './bind-slots.ts'

/** A slot for which runs of an organization would use a connection. */
export interface ConnectionUse extends Omit<ActivePlaybookSlots, 'slots'> {
  readonly organization: OrganizationId
  readonly slot: string
  readonly optional: boolean
  readonly skills: readonly string[]
  readonly by: ChosenBy
  /** The connection that the slot would use without this one, or why there is none. */
  readonly without: Pick<Connection, 'id' | 'instance'> | string
}

/** Says who uses a connection: slots of active playbooks, and runs that have not ended. */
export interface ConnectionUses {
  /**
   * @param organizations those to look at
   * @param owner whose share of the playbook checks this uses
   * @throws the errors of the playbook checks
   */
  slots(connection: Connection, organizations: readonly OrganizationId[], owner: string): Promise<readonly ConnectionUse[]>
  /**
   * Looks at a limited number of runs that have not ended, and returns those that have pinned the
   * connection. `more`: there are others to look at, after `last`.
   */
  runs(scope: Scope, connection: Connection, after: RunPosition | null): Promise<Page<Run> & { readonly last: RunPosition | null }>
}

interface RunPosition {
  readonly startedAt: number
  readonly id: RunId
}

/** The most runs that one call looks at. */
const mostRuns = 500

/** Finds the active playbooks that would use a connection. */
export function createConnectionUses(store: Store, { outlines, plugins }: Pick<LookingNeeds, 'outlines' | 'plugins'>): ConnectionUses {
  return {
    async slots(connection, organizations, owner) {
      if (organizations.length === 0) return []
      const work = { owner, plugins: await plugins.active() }
      const active = await ActiveSlots.load(store, outlines, { organizations }, work)
      const found: ConnectionUse[] = []
      for (const organization of organizations) {
        const all = await store.connections.forOrganization(organizationScope(organization), organization)
        const candidates = all.filter(({ integration }) => integration === connection.integration)
        for (const playbook of active.of(organization)) found.push(...usesIn(playbook, connection, candidates, organization))
      }
      return found
    },
    async runs(scope, connection, after) {
      const { items, more } = await store.runs.list(scope, {
        ...(connection.organization !== null && { organizations: [connection.organization] }),
        states: ['running', 'waiting'],
        after,
        limit: mostRuns,
      })
      const last = items.at(-1)
      return {
        items: items.filter(({ pins }) => Object.values(pins.connections).some(({ id }) => id === connection.id)),
        more,
        last: last ? { startedAt: last.startedAt, id: last.id } : null,
      }
    },
  }
}

function usesIn(
  { name, kind, keys, slots }: ActivePlaybookSlots,
  connection: Connection,
  candidates: readonly Connection[],
  organization: OrganizationId,
): readonly ConnectionUse[] {
  return slots.flatMap(({ slot, integration, optional, skills }) => {
    if (integration !== connection.integration) return []
    const chosen = chooseConnection(candidates, `${name}.${slot}`)
    if (typeof chosen === 'string' || chosen.connection.id !== connection.id) return []
    const others = candidates.filter(({ id }) => id !== connection.id)
    const next = chooseConnection(others, `${name}.${slot}`)
    const without = typeof next === 'string' ? next : { id: next.connection.id, instance: next.connection.instance }
    return [{ organization, name, kind, keys, slot, optional, skills, by: chosen.by, without }]
  })
}
