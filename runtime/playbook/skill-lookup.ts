import { bundleScript, codesOfPlugin, type Plugin } from '../plugin/index.ts'
import { noPlaybooks, type SkillLookup } from './compile/index.ts'

/** Returns what playbooks may use from the given plugins. */
export function skillLookup(plugins: ReadonlyMap<string, Plugin>): SkillLookup {
  const filters = Object.assign({}, ...[...plugins.values()].map(({ manifest }) => manifest.document.quoting ?? {}))
  return {
    integrations: () => [...plugins.keys()],
    skills: (integration) => [...(plugins.get(integration)?.skills.keys() ?? [])],
    skill: (integration, skill) => plugins.get(integration)?.skills.get(skill) ?? null,
    codes: (integration) => codesOfPlugin(plugins.get(integration)),
    filters: () => filters,
    script: bundleScript,
    ...noPlaybooks,
  }
}
