import { TtlCache } from '../caches/index.ts'
import type { Clock, Organization, Principal, Provider } from '../domain/index.ts'
import { foldCode, inScope, scopeOf, systemScope } from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'
import type { Store } from '../storage/index.ts'

/** Codes never change and are never removed, so what was found can be cached for long. Misses are not cached. */
const age = 60_000

function unknownOrganization(code: string): TocsinError {
  return new TocsinError('organization_unknown', `No organization has the code "${code}".`, [
    { field: 'organization_code', message: 'unknown organization' },
  ])
}

/** The organizations and providers that alerts name. */
export class Directory {
  readonly #store: Store
  readonly #organizations: TtlCache<Organization>
  readonly #providers: TtlCache<Provider>

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#organizations = new TtlCache(clock, age, 10_000)
    this.#providers = new TtlCache(clock, age, 10_000)
  }

  /** @throws TocsinError `organization_unknown`, also if the organization is out of the principal's scope */
  async organization(principal: Principal, code: string): Promise<Organization> {
    const organization = await this.#organizations.get(code, async () => {
      const [found] = await this.#store.organizations.byCode(systemScope, [code])
      if (!found) throw unknownOrganization(code)
      return found
    })
    if (!inScope(scopeOf(principal), organization.id)) throw unknownOrganization(code)
    return organization
  }

  /** @throws TocsinError `provider_unknown` */
  provider(code: string): Promise<Provider> {
    return this.#providers.get(foldCode(code), async () => {
      const [found] = await this.#store.providers.byCode(systemScope, [code])
      if (found) return found
      throw new TocsinError('provider_unknown', `No provider has the code "${code}".`, [{ field: 'alert_provider', message: 'unknown provider' }])
    })
  }
}
