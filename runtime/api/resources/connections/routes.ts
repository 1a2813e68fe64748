import type { ConnectionView } from '../../../connection/index.ts'
import { asId, type ConnectionId } from '../../../domain/index.ts'
import { Type } from '../../../schema/index.ts'
import { tellAct } from '../../act.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { cursorsOf, nextCursor, pageParameters } from '../../request/index.ts'
import { pageOf, Uuid } from '../../schemas.ts'
import { organizationIdsOf } from '../shared/index.ts'
import {
  ChangeSchema,
  ConnectionSchema,
  ConnectionTestSchema,
  changeOf,
  connectionViews,
  draftOf,
  NewConnectionSchema,
  unknownConnection,
} from './view.ts'

const id = Type.Object({ id: Uuid })

const ListQuery = Type.Object({
  organization: Type.Optional(
    Type.Array(Type.String({ maxLength: 256 }), {
      maxItems: 50,
      description: 'Organization code; may be repeated. Lists their own connections, not the shared ones.',
    }),
  ),
  integration: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 50, description: "The integration's id; may be repeated." })),
  ...pageParameters,
})

/** Adds `/platformapi/connections`: list, create, read, change and remove connections. Secrets never come back. */
export function connectionRoutes(app: Api, context: ApiContext): void {
  const { connections, store } = context.services
  const viewOf = async (connection: ConnectionView) => {
    const [view] = await connectionViews(store, [connection])
    return view ?? unknownConnection()
  }
  for (const schema of [ConnectionTestSchema, ConnectionSchema]) app.addSchema(schema)

  app.get(
    '/platformapi/connections',
    operation(
      context,
      {
        id: 'listConnections',
        tag: 'connections',
        summary: "List the connections of the key's organizations, and the shared ones",
        permission: 'connections:read',
        errors: ['cursor_invalid', 'organization_unknown'],
      },
      { querystring: ListQuery, response: { 200: pageOf('Connection') } },
    ),
    async (request) => {
      const { cursor, limit, ...filters } = request.query
      const { scope } = callerOf(request)
      const cursors = cursorsOf('connections', filters)
      const organizations = filters.organization && (await organizationIdsOf(store, scope, filters.organization, 'organization'))
      const page = await connections.list(scope, {
        ...(organizations && { organizations }),
        ...(filters.integration && { integrations: filters.integration }),
        after: cursor === undefined ? null : asId<ConnectionId>(String(cursors.decode(cursor)[0])),
        limit,
      })
      return { items: await connectionViews(store, page.items), next_cursor: nextCursor(page, cursors, ({ id }) => [id]) }
    },
  )

  app.post(
    '/platformapi/connections',
    operation(
      context,
      {
        id: 'createConnection',
        tag: 'connections',
        summary: 'Create a connection',
        permission: 'connections:write',
        errors: [
          'organization_unknown',
          'organization_forbidden',
          'integration_unknown',
          'connection_invalid',
          'connection_exists',
          'connection_default_exists',
          'connections_exceeded',
        ],
      },
      { body: NewConnectionSchema, querystring: Type.Object({}), response: { 201: Type.Ref('Connection#') } },
    ),
    async (request, reply) => {
      const created = await connections.create(callerOf(request).principal, draftOf(request.body))
      tellAct(context, request, 'a connection was created', named(created))
      return reply.code(201).send(await viewOf(created))
    },
  )

  app.get(
    '/platformapi/connections/:id',
    operation(
      context,
      { id: 'getConnection', tag: 'connections', summary: 'Read a connection', permission: 'connections:read', errors: ['connection_unknown'] },
      { params: id, querystring: Type.Object({}), response: { 200: Type.Ref('Connection#') } },
    ),
    async (request) => {
      const found = await connections.get(callerOf(request).scope, asId<ConnectionId>(request.params.id))
      return found === null ? unknownConnection() : viewOf(found)
    },
  )

  app.patch(
    '/platformapi/connections/:id',
    operation(
      context,
      {
        id: 'changeConnection',
        tag: 'connections',
        summary: 'Change a connection',
        description: 'Runs that pinned it end with connection_changed. A retry uses the changed connection.',
        permission: 'connections:write',
        errors: [
          'connection_unknown',
          'organization_forbidden',
          'integration_unknown',
          'connection_changed',
          'connection_invalid',
          'connection_exists',
          'connection_default_exists',
        ],
      },
      { params: id, body: ChangeSchema, querystring: Type.Object({}), response: { 200: Type.Ref('Connection#') } },
    ),
    async (request) => {
      const changed = await connections.revise(callerOf(request).principal, asId<ConnectionId>(request.params.id), changeOf(request.body))
      if (changed === null) return unknownConnection()
      const { revision: _, credentials, ...rest } = request.body
      const fields = [...Object.keys(rest), ...Object.keys(credentials ?? {}).map((field) => `credentials.${field}`)]
      tellAct(context, request, 'a connection was changed', { ...named(changed), revision: changed.revision, fields })
      return viewOf(changed)
    },
  )

  app.delete(
    '/platformapi/connections/:id',
    operation(
      context,
      {
        id: 'deleteConnection',
        tag: 'connections',
        summary: 'Delete a connection with its secrets',
        permission: 'connections:write',
        errors: ['connection_unknown', 'organization_forbidden'],
      },
      { params: id, querystring: Type.Object({}), response: { 204: Type.Null({ description: 'Deleted.' }) } },
    ),
    async (request, reply) => {
      const { scope } = callerOf(request)
      const found = await connections.get(scope, asId<ConnectionId>(request.params.id))
      const removed = found !== null && (await connections.remove(scope, found))
      if (!removed) return unknownConnection()
      tellAct(context, request, 'a connection was deleted', named(found))
      return reply.code(204).send(null)
    },
  )
}

/** Names a connection for the log. */
function named({ id: connection, instance, integration, organizationCode: organization }: ConnectionView) {
  return { connection, instance, integration, organization }
}
