/** How a skill's calls come before a person: an `approve` step covers each, the organization's policy may ask, or nobody is asked. */
type Approval = 'step' | 'policy' | 'none'

/** What a playbook may do with one skill of one connection. */
export interface SkillImpact {
  /** `<integration>.<skill>` */
  readonly skill: string
  readonly impact: 'read' | 'write' | 'high'
  readonly maxCalls: number
  /** The least role that the connection's credentials need; null: the skill names none. */
  readonly role: string | null
  /** The slot; of a sub-playbook `<sub-playbook>/<slot>`. */
  readonly connection: string
  readonly approval: Approval
}

/** The most that one run of a playbook can do. Counts are exact up to 2^53 - 1, which stands for all that is more. */
export interface Impact {
  /** Calls of skills of the impact `high`. */
  readonly high: number
  /** Calls of skills of the impact `write`; those of `high` are not among them. */
  readonly write: number
  readonly read: number
  /** Different values of what `write` and `high` skills act on (their `target`). */
  readonly targets: number
  /** Worst first: high, write, read; each by name. */
  readonly skills: readonly SkillImpact[]
  /** Addresses of the loops that have no bound. */
  readonly unbounded: readonly string[]
}
