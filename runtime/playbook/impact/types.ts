/**
 * Who approves the calls of a skill. `step`: an `approve` step covers each of them. `policy`: the
 * organization's policy may ask a person. `none`: nobody is asked.
 */
type Approval = 'step' | 'policy' | 'none'

/** The most that a playbook may do with one skill of one connection. */
export interface SkillImpact {
  /** `<integration>.<skill>` */
  readonly skill: string
  readonly impact: 'read' | 'write' | 'high'
  readonly maxCalls: number
  /** The least role that the connection's credentials need. Null if the skill names none. */
  readonly role: string | null
  /** The slot, or `<sub-playbook>/<slot>`. */
  readonly connection: string
  readonly approval: Approval
}

/**
 * The most that one run of a playbook can do. Counts are exact below 2^53 - 1, which means that
 * many or more.
 */
export interface Impact {
  /** Calls of skills with the impact `high`. */
  readonly high: number
  /** Calls of skills with the impact `write`. Calls with the impact `high` are not included. */
  readonly write: number
  readonly read: number
  /** The number of different targets of `write` and `high` skills. */
  readonly targets: number
  /** Highest impact first, then by name. */
  readonly skills: readonly SkillImpact[]
  /** The addresses of the loops without a bound. */
  readonly unbounded: readonly string[]
}
