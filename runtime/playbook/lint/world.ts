import type { SkillLookup } from '../compile/index.ts'

/** A connection as lint needs it. */
export interface KnownConnection {
  /** What people call it. */
  readonly instance: string
  readonly integration: string
  /** The organization's code; null: shared. */
  readonly organization: string | null
  readonly isDefault: boolean
  /** The slots that it serves before any other, as `<playbook>.<slot>`. */
  readonly slots: readonly string[]
  /** The role that its credentials have; null: not said. */
  readonly role: string | null
  readonly expired: boolean
}

/** All that a playbook is checked against. */
export interface LintWorld extends SkillLookup {
  /** The quoting filters of an integration's query language, by name. */
  quoting(integration: string): readonly string[]
  /** Whether a role includes another, as the integration's manifest has it. */
  roleIncludes(integration: string, role: string, minimum: string): boolean
  /** Null where the connections are not known. */
  readonly connections: readonly KnownConnection[] | null
}
