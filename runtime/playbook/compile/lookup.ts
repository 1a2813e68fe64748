import type { Json } from '../../domain/index.ts'
import type { TocsinError } from '../../errors/index.ts'
import type { Filters } from '../../expressions/index.ts'
import type { BundledScript, SchemaFault } from '../../plugin/index.ts'
import type { Plan } from '../plan.ts'

/** What the compiler needs to know of a skill. */
export interface KnownSkill {
  readonly impact: 'read' | 'write' | 'high'
  readonly document: {
    /** The JSON Schema of the input, which is an object. */
    readonly input: { readonly [key: string]: Json }
    /** The JSON Schema of the output. Absent: anything. */
    readonly output?: { readonly [key: string]: Json }
    /** The lowest role that a connection's credentials need. */
    readonly minimum_role?: string
    /** What the call acts on: a template over `input`. */
    readonly target?: string | readonly string[]
  }
  /** Returns why an input does not fit the schema. Absent if only the schema is known. */
  inputFaults?(input: Json): readonly SchemaFault[]
}

/** A playbook's text, and its file name for messages. */
export interface PlaybookSource {
  readonly text: string
  readonly file: string
}

/** A playbook that another one names: its plan, or why it has none. */
export type KnownPlaybook =
  | { readonly kind: 'plan'; readonly plan: Plan; readonly source: PlaybookSource }
  | { readonly kind: 'invalid'; readonly error: TocsinError }

/** Finds skills and playbooks for the compiler. */
export interface SkillLookup {
  integrations(): readonly string[]
  /** Returns the names of its skills, without the integration. Empty if the integration is unknown. */
  skills(integration: string): readonly string[]
  skill(integration: string, skill: string): KnownSkill | null
  /** Returns the error codes that a call of the integration can end with: those of Tocsin and those of the manifest. */
  codes(integration: string): readonly string[]
  /** Returns the quoting filters of all integrations, by name. It is always the same object, so that compiled templates can share it. */
  filters(): Filters
  /** Returns the names of the playbooks that another one may run. */
  playbooks(): readonly string[]
  /**
   * Returns null if there is no playbook with this name.
   * @param within the names of the playbooks that are being compiled, outermost first
   */
  playbook(name: string, within: readonly string[]): KnownPlaybook | null
  /** Returns the bundle that an isolate runs for a script, or the script's faults. */
  script(source: string): BundledScript
}

/** For callers that know no other playbooks. */
export const noPlaybooks: Pick<SkillLookup, 'playbook' | 'playbooks'> = { playbooks: () => [], playbook: () => null }
