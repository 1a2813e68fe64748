import type { Organization, OrganizationId, Scope } from '../../domain/index.ts'
import type { Page } from './page.ts'

export interface OrganizationStore {
  /** 'exists' when the code is taken, in any case. Needs a scope of all organizations. */
  create(scope: Scope, organization: Organization): Promise<'created' | 'exists'>
  /** Exact codes; the absent are left out. */
  byCode(scope: Scope, codes: readonly string[]): Promise<readonly Organization[]>
  byId(scope: Scope, ids: readonly OrganizationId[]): Promise<readonly Organization[]>
  /** By folded code, rising. */
  list(scope: Scope, page: { readonly after: string | null; readonly limit: number }): Promise<Page<Organization>>
}
