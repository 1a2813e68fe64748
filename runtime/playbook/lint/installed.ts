import { type Plugin, roleIncludes } from '../../plugin/index.ts'
import { skillLookup } from '../skill-lookup.ts'
import type { KnownConnection, LintWorld } from './world.ts'

/** Returns what playbooks are checked against if these plugins are installed. */
export function lintWorld(plugins: ReadonlyMap<string, Plugin>, connections: readonly KnownConnection[] | null = null): LintWorld {
  return {
    ...skillLookup(plugins),
    quoting: (integration) => Object.keys(plugins.get(integration)?.manifest.document.quoting ?? {}),
    roleIncludes: (integration, role, minimum) => {
      const manifest = plugins.get(integration)?.manifest.document
      return manifest === undefined || roleIncludes(manifest, role, minimum)
    },
    connections,
  }
}
