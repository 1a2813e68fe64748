import type { ApiServices } from '../api/index.ts'
import { catalogueOf, type PluginLibrary } from '../plugin/index.ts'
import type { Store } from '../storage/index.ts'

/** The active playbooks, as the API lists them. */
export function playbookViews(store: Store): ApiServices['playbooks'] {
  return {
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
