import { type OrganizationId, systemScope } from '../../domain/index.ts'
import type { Store } from '../../storage/index.ts'
import type { PlaybookPlace } from './place.ts'

/**
 * Returns the organizations that have a playbook of their own in each of these places. They do not
 * use the shared one. Generated playbooks do not count, because a shared playbook takes precedence
 * over them.
 */
export async function organizationsWithOwn(
  { artifacts }: Pick<Store, 'artifacts'>,
  places: readonly PlaybookPlace[],
): Promise<ReadonlySet<OrganizationId>> {
  const kinds = [...new Set(places.map(({ kind }) => kind))]
  const active = (await Promise.all(kinds.map((kind) => artifacts.listActive(systemScope, kind)))).flat()
  const owned = Map.groupBy(
    active.filter(({ source }) => source !== 'generated'),
    ({ organization }) => organization,
  )
  return new Set(
    [...owned].flatMap(([organization, own]) =>
      organization !== null && places.every(({ kind, key }) => own.some((each) => each.kind === kind && each.key === key)) ? [organization] : [],
    ),
  )
}
