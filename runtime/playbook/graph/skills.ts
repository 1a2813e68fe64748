import type { Plugin } from '../../plugin/index.ts'
import type { SkillFacts } from './types.ts'

/** Returns what a graph shows about the skills of these plugins. */
export function skillFacts(plugins: ReadonlyMap<string, Plugin>): SkillFacts {
  return (integration, skill) => plugins.get(integration)?.skills.get(skill) ?? null
}
