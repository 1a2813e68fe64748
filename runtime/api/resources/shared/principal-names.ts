import { type PrincipalId, systemScope } from '../../../domain/index.ts'
import type { Store } from '../../../storage/index.ts'

/** Names of principals by their ids; of an id that nobody has there is none. */
export type Names = ReadonlyMap<PrincipalId, string>

/**
 * The names of those who did something that the caller may see, in one look. Who acts in an organization may belong to more than that
 * one: the scope of the caller, which may not list such principals, has no part in it.
 */
export async function namesOf(store: Pick<Store, 'principals'>, ids: Iterable<PrincipalId>): Promise<Names> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  return new Map((await store.principals.byId(systemScope, wanted)).map(({ id, name }) => [id, name]))
}
