import type { OrganizationId, OrganizationPolicy, Scope } from '../../domain/index.ts'

/** What organizations have set as their policy; every revision is kept. */
export interface PolicyStore {
  /** The current policy; null: the organization has set none, or is out of scope. */
  get(scope: Scope, organization: OrganizationId): Promise<OrganizationPolicy | null>
  /** The current policy of every organization that has set one. */
  all(scope: Scope): Promise<readonly OrganizationPolicy[]>
  /** Compare-and-set: `next.revision` is the standing revision + 1 (1 where there is none). 'changed' when it is not. */
  set(scope: Scope, next: OrganizationPolicy): Promise<'set' | 'changed'>
  /** The latest revisions of the policy, newest first: at most `limit`, and no more than fit into a page. */
  history(scope: Scope, organization: OrganizationId, limit: number): Promise<readonly OrganizationPolicy[]>
}
