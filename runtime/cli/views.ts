import type { ApiServices } from '../api/index.ts'
import { systemClock } from '../config/index.ts'
import type { Connections } from '../connection/index.ts'
import { type ConnectionId, type OrganizationId, organizationScope } from '../domain/index.ts'
import { bindSlots } from '../engine/index.ts'
import {
  ActivePlaybooks,
  type KnownConnection,
  lintPlaybook,
  lintWorld,
  PlaybookActivation,
  PlaybookHistory,
  withPlaybooks,
} from '../playbook/index.ts'
import { catalogueOf, type PluginLibrary } from '../plugin/index.ts'
import { Policies } from '../policy/index.ts'
import type { Parts } from './assemble.ts'

/** What the API does with playbooks. */
export function playbookServices({ store, plugins, playbooks: library }: Parts, connections: Connections): ApiServices['playbooks'] {
  const known = (organization: OrganizationId): Promise<readonly KnownConnection[]> => connectionsOf(connections, organization)
  return {
    async lint(text, organization) {
      const world = lintWorld(await plugins.active(), organization === null ? null : await known(organization))
      const active = await ActivePlaybooks.load(store)
      return lintPlaybook(text, 'playbook.yaml', withPlaybooks(world, active.subPlaybooks(organization)))
    },
    history: new PlaybookHistory(store),
    activation: new PlaybookActivation({ store, plugins, library, clock: systemClock, bind: bindSlots, connectionsOf: known }),
  }
}

/** The connections that playbooks of an organization may use, the shared ones among them. */
async function connectionsOf(connections: Connections, organization: OrganizationId): Promise<readonly KnownConnection[]> {
  const known: KnownConnection[] = []
  for (let after: ConnectionId | null = null; ; ) {
    const { items, more } = await connections.list(organizationScope(organization), { after, limit: 200 })
    known.push(...items.map((view) => ({ ...view, organization: view.organizationCode })))
    after = items.at(-1)?.id ?? null
    if (!more || after === null) return known
  }
}

/** The policies of organizations, which may name the skills of the loaded plugins. */
export function policiesOf({ store, plugins }: Pick<Parts, 'store' | 'plugins'>): Policies {
  return new Policies(store, systemClock, async () => {
    const loaded = [...(await plugins.active()).values()]
    return new Map(
      loaded.flatMap(({ id, skills }) =>
        [...skills.values()].map(
          (skill) => [`${id}.${skill.id}`, { impact: skill.impact, targeted: skill.target !== null, ends: skill.ends.length > 0 }] as const,
        ),
      ),
    )
  })
}

/** The loaded plugins, as the API lists them. */
export function integrationViews(plugins: PluginLibrary): ApiServices['integrations'] {
  return {
    async list() {
      return [...(await plugins.active()).values()].map((plugin) => catalogueOf(plugin).integration)
    },
    async skills(integration) {
      const plugin = (await plugins.active()).get(integration)
      return plugin ? catalogueOf(plugin).skills : null
    },
  }
}
