import type { SkillLookup } from '../compile/index.ts'

/** What lint knows of a connection. */
export interface KnownConnection {
  /** Its name for people. */
  readonly instance: string
  readonly integration: string
  /** The code of its organization. Null: shared. */
  readonly organization: string | null
  readonly isDefault: boolean
  /** The slots that it serves by name, as `<playbook>.<slot>`. */
  readonly slots: readonly string[]
  /** The role of its credentials. Null: not stated. */
  readonly role: string | null
  readonly expired: boolean
}

/** Everything that a playbook is checked against. */
export interface LintWorld extends SkillLookup {
  /** Returns the names of the quoting filters for an integration's query language. */
  quoting(integration: string): readonly string[]
  /** Whether a role includes another one, by the integration's manifest. */
  roleIncludes(integration: string, role: string, minimum: string): boolean
  /** Null if the connections are not known. */
  readonly connections: readonly KnownConnection[] | null
}
