import type { Provider, Scope } from '../../domain/index.ts'
import type { Page } from './page.ts'

/** Providers belong to the platform: every scope sees all of them. */
export interface ProviderStore {
  create(scope: Scope, provider: Provider): Promise<'created' | 'exists'>
  /** Without regard to case. */
  byCode(scope: Scope, codes: readonly string[]): Promise<readonly Provider[]>
  /** By folded code, rising. */
  list(scope: Scope, page: { readonly after: string | null; readonly limit: number }): Promise<Page<Provider>>
}
