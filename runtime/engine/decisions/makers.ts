import { type Makers, mostMakers, type PrincipalId, systemScope } from '../../domain/index.ts'
import type { Store } from '../../storage/index.ts'

/**
 * Finds the makers of principals. Reads the store once for each link of the longest chain. Makers never change, so the
 * result stays true. It does not use the caller's scope: a maker may see more organizations.
 */
export async function makersOf({ principals }: Pick<Store, 'principals'>, ids: Iterable<PrincipalId>): Promise<Makers> {
  const wanted = new Set(ids)
  const makerOf = new Map<PrincipalId, PrincipalId | null>()
  let next = wanted
  for (let links = 0; links <= mostMakers && next.size > 0; links++) {
    for (const { id, createdBy } of await principals.byId(systemScope, [...next])) makerOf.set(id, createdBy)
    const found = [...next].map((id) => makerOf.get(id) ?? null)
    next = new Set(found.filter((maker) => maker !== null && !makerOf.has(maker)) as PrincipalId[])
  }
  return new Map([...wanted].map((id) => [id, chainOf(makerOf, id)]))
}

function chainOf(makerOf: ReadonlyMap<PrincipalId, PrincipalId | null>, id: PrincipalId): readonly PrincipalId[] {
  const chain: PrincipalId[] = []
  for (let maker = makerOf.get(id) ?? null; maker !== null && chain.length <= mostMakers; maker = makerOf.get(maker) ?? null) chain.push(maker)
  return chain
}
