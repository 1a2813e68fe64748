import { type PrincipalId, systemScope } from '../../../domain/index.ts'
import type { Store } from '../../../storage/index.ts'

/** Names of principals by their ids. An unknown id is absent. */
export type Names = ReadonlyMap<PrincipalId, string>

/**
 * Finds the names of principals with one query. It does not use the caller's scope: a person who acted in an organization may belong to
 * others, too, and the caller, who may see the action, may see the name.
 */
export async function namesOf(store: Pick<Store, 'principals'>, ids: Iterable<PrincipalId>): Promise<Names> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  return new Map((await store.principals.byId(systemScope, wanted)).map(({ id, name }) => [id, name]))
}
