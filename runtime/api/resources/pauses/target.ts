import { asId, type ConnectionId, type PauseOwner, type PauseTarget } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import type { Store } from '../../../storage/index.ts'
import type { Caller } from '../../auth/index.ts'
import { organizationCodesOf } from '../shared/index.ts'

/** The target of a pause, as a request names it. No field: everything. */
export interface NamedTarget {
  readonly organization?: string | undefined
  readonly playbook?: string | undefined
  readonly connection?: string | undefined
}

/**
 * Resolves the names in a request to a target. Refuses an unknown name, because pausing it would pause nothing.
 * @throws TocsinError `organization_unknown`, `playbook_unknown`, `connection_unknown`, `organization_forbidden`, `body_invalid`
 */
export async function pauseTargetOf(store: Store, caller: Caller, named: NamedTarget): Promise<PauseTarget> {
  const { organization, playbook, connection } = named
  if (connection !== undefined) {
    if (organization !== undefined || playbook !== undefined)
      throw new TocsinError('body_invalid', 'Name either a connection or other fields, not both.', [
        { field: organization === undefined ? 'playbook' : 'organization', message: 'not with connection' },
      ])
    return connectionTarget(store, caller, connection)
  }
  const owner = organization === undefined ? null : await ownerOf(store, caller, organization)
  if (owner === null) mustReachAll(caller)
  if (playbook !== undefined) {
    await mustKnow(store, caller, playbook)
    return { kind: 'playbook', playbook, owner }
  }
  return owner === null ? { kind: 'everything' } : { kind: 'organization', owner }
}

function mustReachAll({ principal }: Caller): void {
  if (principal.organizations === 'all') return
  throw new TocsinError('organization_forbidden', 'The key is limited to some organizations, and this is for all of them. Name an organization.')
}

async function ownerOf(store: Store, { scope }: Caller, code: string): Promise<PauseOwner> {
  const [found] = await store.organizations.byCode(scope, [code])
  if (found) return { organization: found.id, code: found.code }
  throw new TocsinError('organization_unknown', 'No organization that this key may see has this code.', [
    { field: 'organization', message: `${code} is unknown` },
  ])
}

async function connectionTarget(store: Store, caller: Caller, id: string): Promise<PauseTarget> {
  const [found] = await store.connections.byId(caller.scope, [asId<ConnectionId>(id)])
  if (!found) throw new TocsinError('connection_unknown', 'No connection that this key may see has this id.')
  const { organization, instance } = found
  if (organization === null) mustReachAll(caller)
  const codes = organization === null ? null : await organizationCodesOf(store, caller.scope, [organization])
  const owner = organization === null ? null : { organization, code: codes?.get(organization) ?? organization }
  return { kind: 'connection', connection: found.id, instance, owner }
}

/** Returns whether a playbook is active, or was withdrawn but still has runs. */
async function mustKnow(store: Store, { scope }: Caller, name: string): Promise<void> {
  const active = await Promise.all((['playbook', 'sub_playbook'] as const).map((kind) => store.artifacts.listActive(scope, kind)))
  if (active.flat().some((each) => each.name === name)) return
  const { items } = await store.runs.list(scope, { playbooks: [name], after: null, limit: 1 })
  if (items.length > 0) return
  throw new TocsinError('playbook_unknown', 'No playbook that this key may see has this name.', [
    { field: 'playbook', message: `${name} is unknown` },
  ])
}
