import type { Json } from '../../domain/index.ts'
import type { Filters } from '../../expressions/index.ts'

/** What a playbook's compilation asks of a skill. */
export interface KnownSkill {
  readonly impact: 'read' | 'write' | 'high'
  readonly document: {
    /** JSON Schema of an object. */
    readonly input: { readonly [key: string]: Json }
    /** The least role that a connection's credentials need. */
    readonly minimum_role?: string
    /** What is acted on: a template over `input`. */
    readonly target?: string
  }
}

/** Which skills there are. */
export interface SkillLookup {
  integrations(): readonly string[]
  /** Without the integration; empty for an unknown one. */
  skills(integration: string): readonly string[]
  skill(integration: string, skill: string): KnownSkill | null
  /** The error codes that a call of the integration may end with: the registry's and the manifest's. */
  codes(integration: string): readonly string[]
  /** The quoting filters of all integrations, by name; the same object each time, so that compiled templates can share them. */
  filters(): Filters
}
