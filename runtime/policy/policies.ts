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
import { unknownApprovers } from './approvers.ts'
import { invalid, type KnownSkills, type PolicyRead } from './read.ts'
import { type QuotaReport, quotaReports } from './usage.ts'

/** Who sets a policy. */
export interface Setter {
  readonly scope: Scope
  readonly principal: PrincipalId
}

/** A policy as somebody wrote it. */
export interface PolicyText {
  readonly text: string
  /** The file name for messages. */
  readonly file: string
  /** The revision that the caller expects. 0: no policy yet. Null: any. */
  readonly revision: number | null
}

/**
 * Reads a policy like `readPolicy`, but in a place where it cannot hold up others.
 * @param owner the owner of the text; owners take turns
 * @throws the errors of `readPolicy`; TocsinError `check_timeout`, `check_memory`, `check_died`, `overloaded`
 */
export type ReadPolicy = (text: string, file: string, skills: KnownSkills, owner: string) => Promise<PolicyRead>

/** Reads and sets the policies of organizations. */
export class Policies {
  readonly #store: Pick<Store, 'policies' | 'quotas' | 'decisions' | 'principals'>
  readonly #clock: Clock
  readonly #skills: () => Promise<KnownSkills>
  readonly #read: ReadPolicy

  constructor(
    store: Pick<Store, 'policies' | 'quotas' | 'decisions' | 'principals'>,
    clock: Clock,
    skills: () => Promise<KnownSkills>,
    read: ReadPolicy,
  ) {
    this.#store = store
    this.#clock = clock
    this.#skills = skills
    this.#read = read
  }

  /**
   * Returns the latest policies that an organization set, newest first. Returns at most `limit`, and fewer if
   * their texts are long.
   */
  history(scope: Scope, organization: OrganizationId, limit: number): Promise<readonly OrganizationPolicy[]> {
    return this.#store.policies.history(scope, organization, limit)
  }

  /** Returns a revision of an organization's policy. Null if there is none. */
  revision(scope: Scope, organization: OrganizationId, revision: number): Promise<OrganizationPolicy | null> {
    return this.#store.policies.revision(scope, organization, revision)
  }

  /**
   * Checks the text of a policy, and sets nothing.
   * @throws the errors of `ReadPolicy`; `policy_invalid` for an approver that is probably a misspelt word
   */
  async check(organization: OrganizationId, text: string, file: string): Promise<void> {
    await this.#checked(text, file, organization)
  }

  /** Returns how much of each quota an organization has used, under its current policy. */
  async usage(scope: Scope, organization: OrganizationId): Promise<readonly QuotaReport[]> {
    const { policy } = (await this.#store.policies.get(scope, organization)) ?? { policy: defaultPolicy }
    return quotaReports(this.#store, scope, organization, policy, await this.#skills())
  }

  /**
   * Sets an organization's policy. For one second after that, runs may still use the policy before it.
   * Setting the current text again changes nothing.
   * @throws TocsinError `policy_changed`, `organization_forbidden`; the errors of `check`
   */
  async set({ scope, principal }: Setter, organization: OrganizationId, { text, file, revision }: PolicyText): Promise<OrganizationPolicy> {
    const policy = await this.#checked(text, file, organization)
    for (;;) {
      const standing = await this.#store.policies.get(scope, organization)
      const stands = standing?.revision ?? 0
      if (revision !== null && revision !== stands) {
        throw new TocsinError('policy_changed', `The current revision is ${stands}, not ${revision}.`, [
          { field: 'revision', message: `the current one is ${stands}` },
        ])
      }
      if (standing?.text === text) return standing
      const next = { organization, revision: stands + 1, text, policy, changedAt: this.#clock.now(), changedBy: principal }
      if ((await this.#store.policies.set(scope, next)) === 'set') return next
    }
  }

  async #checked(text: string, file: string, organization: OrganizationId): Promise<Policy> {
    const { policy, doubtful } = await this.#read(text, file, await this.#skills(), organization)
    const unknown = await unknownApprovers(this.#store, doubtful)
    if (unknown.length > 0) throw invalid(file, unknown)
    return policy
  }
}
