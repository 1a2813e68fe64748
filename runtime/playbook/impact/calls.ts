import type { KnownSkill } from '../compile/index.ts'
import type { SkillStep } from '../plan.ts'
import type { Amount } from './amount.ts'
import type { SkillImpact } from './types.ts'

interface Call {
  readonly skill: string
  readonly impact: KnownSkill['impact']
  readonly role: string | null
  readonly connection: string
  /** True if an `approve` step covers every step that makes the call. */
  covered: boolean
}

const worstFirst: readonly KnownSkill['impact'][] = ['high', 'write', 'read']

/** Every skill that a playbook may call, by connection. */
export class Calls {
  readonly #calls = new Map<string, Call>()

  /**
   * Records the call of a step. Returns the key that its count is kept under.
   *
   * @param connection the slot, with the sub-playbook's name before it if it is in one
   */
  note({ integration, skill }: SkillStep, { impact, document }: KnownSkill, connection: string, covered: boolean): string {
    const key = `${integration}.${skill} ${connection}`
    const known = this.#calls.get(key)
    if (known) known.covered &&= covered
    else this.#calls.set(key, { skill: `${integration}.${skill}`, impact, role: document.minimum_role ?? null, connection, covered })
    return key
  }

  /** Returns the skills that may be called, highest impact first. */
  list({ calls }: Amount): readonly SkillImpact[] {
    return [...this.#calls]
      .map(([key, { skill, impact, role, connection, covered }]) => {
        const approval = covered ? ('step' as const) : impact === 'high' ? ('policy' as const) : ('none' as const)
        return { skill, impact, maxCalls: calls.get(key) ?? 0, role, connection, approval }
      })
      .filter(({ maxCalls }) => maxCalls > 0)
      .sort((a, b) => worstFirst.indexOf(a.impact) - worstFirst.indexOf(b.impact) || compare(a.skill, b.skill) || compare(a.connection, b.connection))
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
