import {
  type Clock,
  defaultPolicy,
  type OrganizationId,
  type OrganizationPolicy,
  type Policy,
  type PrincipalId,
  type Scope,
} from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'
import type { Store } from '../storage/index.ts'
import type { KnownSkills } from './read.ts'
import { type QuotaReport, quotaReports } from './usage.ts'

/** Who sets a policy. */
export interface Setter {
  readonly scope: Scope
  readonly principal: PrincipalId
}

/** A policy as somebody wrote it. */
export interface PolicyText {
  readonly text: string
  /** What messages call it. */
  readonly file: string
  /** That must stand, 0: none; null: whatever stands. */
  readonly revision: number | null
}

/**
 * Reads a policy as `readPolicy` does, where that holds up nobody.
 * @param owner whose it is: owners take turns
 * @throws TocsinError as `readPolicy`; `check_timeout`, `check_memory`, `check_died`, `overloaded`
 */
export type ReadPolicy = (text: string, file: string, skills: KnownSkills, owner: string) => Promise<Policy>

/** What organizations have set as their policy. */
export class Policies {
  readonly #store: Pick<Store, 'policies' | 'quotas' | 'decisions'>
  readonly #clock: Clock
  readonly #skills: () => Promise<KnownSkills>
  readonly #read: ReadPolicy

  constructor(store: Pick<Store, 'policies' | 'quotas' | 'decisions'>, clock: Clock, skills: () => Promise<KnownSkills>, read: ReadPolicy) {
    this.#store = store
    this.#clock = clock
    this.#skills = skills
    this.#read = read
  }

  /** The latest policies that an organization set, newest first: `limit` at most, fewer where their texts are long. */
  history(scope: Scope, organization: OrganizationId, limit: number): Promise<readonly OrganizationPolicy[]> {
    return this.#store.policies.history(scope, organization, limit)
  }

  /** How full each quota of an organization is, by the policy that stands. */
  async usage(scope: Scope, organization: OrganizationId): Promise<readonly QuotaReport[]> {
    const { policy } = (await this.#store.policies.get(scope, organization)) ?? { policy: defaultPolicy }
    return quotaReports(this.#store, scope, organization, policy, await this.#skills())
  }

  /**
   * Sets an organization's policy; what runs do within a second of it may still be by the one before. The text that stands already changes nothing.
   * @throws TocsinError `policy_changed`, `organization_forbidden`; as `ReadPolicy`
   */
  async set({ scope, principal }: Setter, organization: OrganizationId, { text, file, revision }: PolicyText): Promise<OrganizationPolicy> {
    const policy = await this.#read(text, file, await this.#skills(), organization)
    for (;;) {
      const standing = await this.#store.policies.get(scope, organization)
      const stands = standing?.revision ?? 0
      if (revision !== null && revision !== stands) {
        throw new TocsinError('policy_changed', `Revision ${stands} stands, and not ${revision}.`, [
          { field: 'revision', message: `${stands} stands` },
        ])
      }
      if (standing?.text === text) return standing
      const next = { organization, revision: stands + 1, text, policy, changedAt: this.#clock.now(), changedBy: principal }
      if ((await this.#store.policies.set(scope, next)) === 'set') return next
    }
  }
}
