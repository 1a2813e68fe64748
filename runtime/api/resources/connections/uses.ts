import { asId, type Connection, type ConnectionId, foldCode, type OrganizationId, type RunId, type Scope } from '../../../domain/index.ts'
import type { ConnectionUse } from '../../../engine/index.ts'
import { slotsFor } from '../../../fairness/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { callerOf, ownerOf, requirePermission } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { searchesAtOnce } from '../../limits.ts'
import { operation } from '../../operation.ts'
import { cursorsOf, timeAndId, whileOpen } from '../../request/index.ts'
import { nullable, oneOf, pageOf, Uuid } from '../../schemas.ts'
import { namesOfRuns, runView } from '../runs/index.ts'
import { checkErrors, organizationCodesOf } from '../shared/index.ts'
import { unknownConnection } from './view.ts'

export const UseSchema = Type.Object(
  {
    organization_code: Type.String(),
    playbook: Type.String({ description: 'Its name.' }),
    kind: oneOf(['playbook', 'sub_playbook']),
    keys: Type.Array(Type.String(), { description: 'The alert types that it is active for; for a sub-playbook, its name.' }),
    slot: Type.String(),
    optional: Type.Boolean({ description: 'True: runs begin without a connection too.' }),
    skills: Type.Array(Type.String(), { description: 'The skills that its steps call with this slot.' }),
    chosen_by: oneOf(
      ['slot', 'default', 'only'],
      'Why this connection. slot: it names the slot. default: it is the default. only: there is no other.',
    ),
    without: Type.Object(
      {
        connection: nullable(Type.String({ format: 'uuid', description: 'The connection that would take over. Null: none.' })),
        instance: nullable(Type.String()),
        why_none: nullable(Type.String({ description: 'Why none would. Runs that need the slot then fail.' })),
      },
      { description: 'What the slot would use without this connection.' },
    ),
  },
  { $id: 'ConnectionUse', description: 'A slot for which new runs use a connection.' },
)

/** The organizations of one page. */
const organizationsAtOnce = 20

const Cursor = Type.Object({ cursor: Type.Optional(Type.String({ maxLength: 2_048 })) })
const params = Type.Object({ id: Uuid })

/** Routes that say who uses a connection. */
export function connectionUseRoutes(app: Api, context: ApiContext): void {
  const { connectionUses, store } = context.services
  const searches = slotsFor(searchesAtOnce)
  app.addSchema(UseSchema)

  const find = async (scope: Scope, id: string): Promise<Connection> => {
    const [found] = await store.connections.byId(scope, [asId<ConnectionId>(id)])
    return found ?? unknownConnection()
  }

  app.get(
    '/platformapi/connections/:id/uses',
    operation(
      context,
      {
        id: 'listConnectionUses',
        tag: 'connections',
        summary: 'List the playbooks whose runs use a connection',
        description:
          'Needs the scope playbooks:read, too. For a shared connection, each page has up to 20 organizations, and may be empty. Ask for pages until `next_cursor` is null.',
        permission: 'connections:read',
        errors: ['connection_unknown', 'cursor_invalid', ...checkErrors],
      },
      { params, querystring: Cursor, response: { 200: pageOf('ConnectionUse') } },
    ),
    async (request) => {
      const caller = callerOf(request)
      const { scope, principal } = caller
      const connection = await find(scope, request.params.id)
      requirePermission(caller, 'playbooks:read')
      const cursors = cursorsOf('connection uses', connection.id)
      const { cursor } = request.query
      const after = cursor === undefined ? null : String(cursors.decode(cursor)[0])
      const { organizations, next } = await organizationsOf(scope, connection, after)
      const uses = await connectionUses.slots(connection, organizations, ownerOf(principal))
      const codes = await organizationCodesOf(store, scope, organizations)
      return { items: uses.map((use) => useView(use, codes)), next_cursor: next === null ? null : cursors.encode([next]) }
    },
  )

  /** Returns the organizations of one page, and where the next page begins. */
  const organizationsOf = async (scope: Scope, { organization }: Connection, after: string | null) => {
    if (organization !== null) return { organizations: [organization], next: null }
    const { items, more } = await store.organizations.list(scope, { after, limit: organizationsAtOnce })
    const last = more ? items.at(-1) : undefined
    return { organizations: items.map(({ id }) => id), next: last ? foldCode(last.code) : null }
  }

  app.get(
    '/platformapi/connections/:id/runs',
    operation(
      context,
      {
        id: 'listConnectionRuns',
        tag: 'connections',
        summary: 'List the runs that have not ended and use a connection',
        description:
          'Needs the scope runs:read, too. Their next call with it fails if it is changed or deleted. Newest first. Each page looks at 500 runs that have not ended, so a page may be empty. Ask for pages until `next_cursor` is null.',
        permission: 'connections:read',
        errors: ['connection_unknown', 'cursor_invalid'],
      },
      { params, querystring: Cursor, response: { 200: pageOf('Run') } },
    ),
    async (request, reply) => {
      const caller = callerOf(request)
      const { scope, principal } = caller
      const connection = await find(scope, request.params.id)
      requirePermission(caller, 'runs:read')
      const cursors = cursorsOf('connection runs', connection.id)
      const from = timeAndId(cursors, request.query.cursor)
      const release = await searches.take(ownerOf(principal), whileOpen(reply))
      const position = from && { startedAt: from.time, id: asId<RunId>(from.id) }
      const { items, more, last } = await connectionUses.runs(scope, connection, position).finally(release)
      const names = await namesOfRuns(store, scope, items)
      return {
        items: items.map((run) => runView(run, names)),
        next_cursor: more && last ? cursors.encode([last.startedAt, last.id]) : null,
      }
    },
  )
}

function useView(use: ConnectionUse, codes: ReadonlyMap<OrganizationId, string>): Static<typeof UseSchema> {
  const { organization, name, kind, keys, slot, optional, skills, by, without } = use
  return {
    organization_code: codes.get(organization) ?? organization,
    playbook: name,
    kind,
    keys: [...keys],
    slot,
    optional,
    skills: [...skills],
    chosen_by: by,
    without:
      typeof without === 'string'
        ? { connection: null, instance: null, why_none: without }
        : { connection: without.id, instance: without.instance, why_none: null },
  }
}
