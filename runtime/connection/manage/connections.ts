import {
  asId,
  type Clock,
  type Connection,
  type ConnectionId,
  type Ids,
  type Millis,
  type Organization,
  type Principal,
  type Scope,
  scopeOf,
  systemScope,
} from '../../domain/index.ts'
import { changedConnection } from '../../engine/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { NamedHints } from '../../hints/index.ts'
import type { Plugin, PluginLibrary } from '../../plugin/index.ts'
import type { Page, Store } from '../../storage/index.ts'
import type { ConnectionDraft, Connections, ConnectionView } from '../types.ts'
import type { Vault } from '../vault/vault.ts'
import { changedCredentials, type EnteredCredentials, newCredentials } from './credential-input.ts'
import { checkEntry } from './entry-check.ts'

/** The most connections that an organization may have. */
const mostConnections = 100

/** Credentials that expire within this time need attention. New ones may take people days to get. */
const soon: Millis = 14 * 86_400_000

function taken(result: 'exists' | 'default_exists', instance: string): TocsinError {
  if (result === 'exists')
    return new TocsinError('connection_exists', `Another connection has the instance name "${instance}".`, [{ field: 'instance', message: 'taken' }])
  return new TocsinError('connection_default_exists', 'Another connection is already the default for this integration.', [
    { field: 'is_default', message: 'there is already a default' },
  ])
}

/**
 * @throws TocsinError `organization_forbidden` if the connection is shared and the principal is not
 * one of all organizations
 */
export function requireOwn({ organizations }: Pick<Principal, 'organizations'>, { organization }: Pick<Connection, 'organization'>): void {
  if (organization !== null || organizations === 'all') return
  throw new TocsinError('organization_forbidden', 'The connection is shared with every organization. This needs an API key of all organizations.')
}

/**
 * Manages connections for people. Credentials are checked by the manifest's rules. Secrets are
 * encrypted at once and never shown again.
 * @param changes tells the workers of all processes whose connections have changed
 */
export function createConnections(
  store: Store,
  vault: Vault,
  plugins: PluginLibrary,
  clock: Clock,
  ids: Ids,
  changes: Pick<NamedHints, 'tell'>,
): Connections {
  const viewOf = ({ secrets, ...shown }: Connection, organizationCode: string | null): ConnectionView => ({
    ...shown,
    organizationCode,
    expired: shown.expiresAt !== null && shown.expiresAt <= clock.now(),
    expiresSoon: shown.expiresAt !== null && shown.expiresAt > clock.now() && shown.expiresAt <= clock.now() + soon,
    secretsSet: Object.keys(secrets),
  })

  const pluginOf = async (integration: string): Promise<Plugin> => {
    const plugin = (await plugins.active()).get(integration)
    if (plugin) return plugin
    throw new TocsinError('integration_unknown', `No plugin "${integration}" is loaded.`, [{ field: 'integration', message: 'unknown integration' }])
  }

  const sealed = (id: ConnectionId, { secrets }: EnteredCredentials): Connection['secrets'] =>
    Object.fromEntries(Object.entries(secrets).map(([field, secret]) => [field, vault.seal(id, field, secret)]))

  const ownerOf = async (principal: Principal, code: string | null): Promise<Organization | null> => {
    if (code === null) {
      if (principal.organizations !== 'all')
        throw new TocsinError('organization_forbidden', 'Only an API key of all organizations may create a shared connection.')
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

  /**
   * Checks that the organization may have another connection. Two that are created at the same
   * moment may together exceed the limit. @throws TocsinError `connections_exceeded`
   */
  const checkCount = async ({ organization }: Connection): Promise<void> => {
    if (organization === null) return
    let count = 0
    for (let after: ConnectionId | null = null; ; ) {
      const page: Page<Connection> = await store.connections.list(systemScope, { organizations: [organization], after, limit: mostConnections })
      count += page.items.length
      if (count >= mostConnections)
        throw new TocsinError('connections_exceeded', `An organization can have no more than ${mostConnections} connections.`)
      if (!page.more) return
      after = page.items.at(-1)?.id ?? null
    }
  }

  /**
   * Checks that no other connection serves one of the slots. Two connections that are saved at the
   * same moment may still claim the same slot. A run that needs the slot detects that.
   * @throws TocsinError `connection_invalid` if another connection serves one of the slots
   */
  const checkSlots = async (scope: Scope, { id, organization, integration, slots }: Connection): Promise<void> => {
    if (organization === null || slots.length === 0) return
    const standing = await store.connections.forOrganization(scope, organization)
    const others = standing.filter((other) => other.id !== id && other.organization !== null && other.integration === integration)
    const places = slots.flatMap((slot) => {
      const other = others.find((each) => each.slots.includes(slot))
      return other ? [{ field: 'slots', message: `${other.instance} already serves ${slot}.` }] : []
    })
    if (places.length > 0) throw new TocsinError('connection_invalid', 'Another connection already serves a slot.', places)
  }

  return {
    async create(principal, draft: ConnectionDraft) {
      const plugin = await pluginOf(draft.integration)
      const owner = await ownerOf(principal, draft.organizationCode)
      const entered = newCredentials(plugin, draft)
      const id = asId<ConnectionId>(ids.uuid())
      const at = clock.now()
      const connection: Connection = {
        id,
        organization: owner?.id ?? null,
        instance: draft.instance,
        integration: draft.integration,
        description: draft.description,
        fields: entered.fields,
        secrets: sealed(id, entered),
        isDefault: draft.isDefault,
        slots: draft.slots,
        expiresAt: draft.expiresAt,
        remoteAgent: draft.remoteAgent,
        role: draft.role,
        lastTest: null,
        revision: 1,
        createdAt: at,
        createdBy: principal.id,
        modifiedAt: at,
      }
      await checkCount(connection)
      await checkSlots(scopeOf(principal), connection)
      const result = await store.connections.create(scopeOf(principal), connection)
      if (result !== 'created') throw taken(result, draft.instance)
      changes.tell(changedConnection(connection))
      return viewOf(connection, owner?.code ?? null)
    },
    async check(principal, integration, id, entry) {
      const plugin = await pluginOf(integration)
      if (id === null) return checkEntry(plugin, null, entry)
      const [standing] = await store.connections.byId(scopeOf(principal), [id])
      if (!standing || standing.integration !== integration) return null
      requireOwn(principal, standing)
      return checkEntry(plugin, standing, entry)
    },
    async list(scope, page) {
      const { items, more } = await store.connections.list(scope, page)
      return { items: await withCodes(scope, items), more }
    },
    async get(scope, id) {
      const found = await store.connections.byId(scope, [id])
      return (await withCodes(scope, found))[0] ?? null
    },
    async revise(principal, id, change) {
      const scope = scopeOf(principal)
      const [standing] = await store.connections.byId(scope, [id])
      if (!standing) return null
      requireOwn(principal, standing)
      const changed = new TocsinError('connection_changed', 'The connection has been changed since you read it.', [
        { field: 'revision', message: `the current revision is ${standing.revision}` },
      ])
      if (standing.revision !== change.revision) throw changed
      const entered = changedCredentials(await pluginOf(standing.integration), standing, change)
      const { revision: _revision, credentials, paste, ...plain } = change
      const tested = credentials === undefined && (paste ?? null) === null && plain.remoteAgent === undefined
      const kept = entered.kept.flatMap((name) => (standing.secrets[name] ? [[name, standing.secrets[name]] as const] : []))
      const next: Connection = {
        ...standing,
        ...plain,
        fields: entered.fields,
        secrets: { ...Object.fromEntries(kept), ...sealed(id, entered) },
        lastTest: tested ? standing.lastTest : null,
        revision: standing.revision + 1,
        modifiedAt: clock.now(),
      }
      await checkSlots(scope, next)
      const result = await store.connections.revise(scope, next)
      if (result === 'changed') throw changed
      if (result !== 'revised') throw taken(result, next.instance)
      changes.tell(changedConnection(next))
      return (await withCodes(scope, [next]))[0] ?? null
    },
    async remove(scope, connection) {
      requireOwn(scope, connection)
      const removed = await store.connections.remove(scope, connection.id)
      if (removed) changes.tell(changedConnection(connection))
      return removed
    },
  }
}
