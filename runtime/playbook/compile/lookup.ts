import type { Json } from '../../domain/index.ts'
import type { TocsinError } from '../../errors/index.ts'
import type { Filters } from '../../expressions/index.ts'
import type { BundledScript, SchemaFault } from '../../plugin/index.ts'
import type { Plan } from '../plan.ts'

/** What a playbook's compilation asks of a skill. */
export interface KnownSkill {
  readonly impact: 'read' | 'write' | 'high'
  readonly document: {
    /** JSON Schema of an object. */
    readonly input: { readonly [key: string]: Json }
    /** JSON Schema of what it gives; absent: anything. */
    readonly output?: { readonly [key: string]: Json }
    /** The least role that a connection's credentials need. */
    readonly minimum_role?: string
    /** What is acted on: a template over `input`. */
    readonly target?: string | readonly string[]
  }
  /** What of an input does not fit the schema, exactly; absent where only the schema is known. */
  inputFaults?(input: Json): readonly SchemaFault[]
}

/** A playbook's text, and what messages call it. */
export interface PlaybookSource {
  readonly text: string
  readonly file: string
}

/** A playbook that another one names: its plan, or why it has none. */
export type KnownPlaybook =
  | { readonly kind: 'plan'; readonly plan: Plan; readonly source: PlaybookSource }
  | { readonly kind: 'invalid'; readonly error: TocsinError }

/** Which skills and playbooks there are. */
export interface SkillLookup {
  integrations(): readonly string[]
  /** Without the integration; empty for an unknown one. */
  skills(integration: string): readonly string[]
  skill(integration: string, skill: string): KnownSkill | null
  /** The error codes that a call of the integration may end with: the registry's and the manifest's. */
  codes(integration: string): readonly string[]
  /** The quoting filters of all integrations, by name; the same object each time, so that compiled templates can share them. */
  filters(): Filters
  /** Names of the playbooks that another one may run. */
  playbooks(): readonly string[]
  /**
   * Null: there is none of the name.
   * @param within the playbooks that are being compiled, each running the next, from the outside
   */
  playbook(name: string, within: readonly string[]): KnownPlaybook | null
  /** The text that an isolate runs for a script's source, or why there is none. */
  script(source: string): BundledScript
}

/** Where no other playbooks are known. */
export const noPlaybooks: Pick<SkillLookup, 'playbook' | 'playbooks'> = { playbooks: () => [], playbook: () => null }
