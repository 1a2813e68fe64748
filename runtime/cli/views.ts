import type { ApiServices } from '../api/index.ts'
import type { Connections } from '../connection/index.ts'
import { type ConnectionId, type OrganizationId, organizationScope } from '../domain/index.ts'
import { type KnownConnection, lintPlaybook, lintWorld } from '../playbook/index.ts'
import { catalogueOf, type PluginLibrary } from '../plugin/index.ts'
import type { Store } from '../storage/index.ts'

/** The active playbooks, as the API lists them. */
export function playbookViews(store: Store, plugins: PluginLibrary, connections: Connections): ApiServices['playbooks'] {
  return {
    async lint(text, organization) {
      const known = organization === null ? null : await connectionsOf(connections, organization)
      return lintPlaybook(text, 'playbook.yaml', lintWorld(await plugins.active(), known))
    },
    async list(scope) {
      const active = await store.artifacts.listActive(scope, 'playbook')
      return active.map(({ name, key, organization, digest, source, revision, activatedAt }) => ({
        name,
        alertType: key,
        organization,
        digest,
        source,
        revision,
        activatedAt,
      }))
    },
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
