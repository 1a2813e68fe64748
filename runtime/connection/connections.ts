import {
  asId,
  type Clock,
  type Connection,
  type ConnectionId,
  type Ids,
  type Organization,
  type Principal,
  type Scope,
  scopeOf,
} from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'
import { checkCredentials, type PluginLibrary } from '../plugin/index.ts'
import type { Store } from '../storage/index.ts'
import type { ConnectionDraft, Connections, ConnectionView } from './types.ts'
import type { Vault } from './vault.ts'

function viewOf({ secrets, ...shown }: Connection, organizationCode: string | null): ConnectionView {
  return { ...shown, organizationCode, secretsSet: Object.keys(secrets) }
}

/** Connections as people handle them: checked by the manifest's rules, secrets sealed at once and never shown again. */
export function createConnections(store: Store, vault: Vault, plugins: PluginLibrary, clock: Clock, ids: Ids): Connections {
  const ownerOf = async (principal: Principal, code: string | null): Promise<Organization | null> => {
    if (code === null) {
      if (principal.organizations !== 'all')
        throw new TocsinError('organization_forbidden', 'Only a key of all organizations may share a connection with all.')
      return null
    }
    const [organization] = await store.organizations.byCode(scopeOf(principal), [code])
    if (organization) return organization
    throw new TocsinError('organization_unknown', `No organization has the code "${code}".`, [
      { field: 'organization', message: 'unknown organization' },
    ])
  }

  const withCodes = async (scope: Scope, connections: readonly Connection[]): Promise<ConnectionView[]> => {
    const wanted = [...new Set(connections.flatMap(({ organization }) => (organization === null ? [] : [organization])))]
    const found = wanted.length === 0 ? [] : await store.organizations.byId(scope, wanted)
    const codes = new Map(found.map(({ id, code }) => [id, code]))
    return connections.map((connection) => viewOf(connection, connection.organization === null ? null : (codes.get(connection.organization) ?? null)))
  }

  return {
    async create(principal, draft: ConnectionDraft) {
      const plugin = (await plugins.active()).get(draft.integration)
      if (!plugin) {
        const places = [{ field: 'integration', message: 'unknown integration' }]
        throw new TocsinError('integration_unknown', `No plugin "${draft.integration}" is loaded.`, places)
      }
      const owner = await ownerOf(principal, draft.organizationCode)
      const checked = checkCredentials(plugin.manifest.document, draft.credentials)
      if (!checked.ok) throw new TocsinError('connection_invalid', 'Some credential fields are missing or do not fit.', checked.places)
      const id = asId<ConnectionId>(ids.uuid())
      const at = clock.now()
      const connection: Connection = {
        id,
        organization: owner?.id ?? null,
        instance: draft.instance,
        integration: draft.integration,
        description: draft.description,
        fields: checked.fields,
        secrets: Object.fromEntries(Object.entries(checked.secrets).map(([field, secret]) => [field, vault.seal(id, field, secret)])),
        isDefault: draft.isDefault,
        expiresAt: draft.expiresAt,
        revision: 1,
        createdAt: at,
        createdBy: principal.id,
        modifiedAt: at,
      }
      if ((await store.connections.create(scopeOf(principal), connection)) === 'exists')
        throw new TocsinError('connection_exists', `The instance name "${draft.instance}" is taken.`, [{ field: 'instance', message: 'taken' }])
      return viewOf(connection, owner?.code ?? null)
    },
    async list(scope, page) {
      const { items, more } = await store.connections.list(scope, page)
      return { items: await withCodes(scope, items), more }
    },
    async get(scope, id) {
      const found = await store.connections.byId(scope, [id])
      return (await withCodes(scope, found))[0] ?? null
    },
    remove: (scope, id) => store.connections.remove(scope, id),
  }
}
