import Type, { type Static } from 'typebox'
import type { ConnectionDraft, ConnectionView } from '../../connection/index.ts'
import { asId, type ConnectionId } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import { callerOf } from '../auth/guard.ts'
import type { Api, ApiContext } from '../context.ts'
import { maxMillis } from '../limits.ts'
import { operation } from '../operation.ts'
import { cursorsOf } from '../request/cursor.ts'
import { pageParameters } from '../request/page.ts'
import { nullable, pageOf, Time, Uuid } from '../schemas.ts'

const Scalar = Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'], format: 'text', maxLength: 65_536 })

const NewConnectionSchema = Type.Object(
  {
    instance: Type.String({ format: 'line', maxLength: 200, description: 'Unique in its organization.' }),
    integration: Type.String({ format: 'line', maxLength: 200, description: "The integration's id." }),
    organization_code: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: 256,
        description: 'The organization that owns it; null or absent: shared with every organization, which needs a key of all organizations.',
      }),
    ),
    description: Type.String({ format: 'text', maxLength: 2_000, default: '', description: 'Purpose and environment.' }),
    credentials: Type.Unsafe<Record<string, string | number | boolean>>({
      type: 'object',
      propertyNames: { type: 'string', pattern: '^[a-z][a-z0-9_]{0,63}$' },
      additionalProperties: Scalar,
      maxProperties: 100,
      description: "The integration's credential fields by name. Secret ones are never shown again.",
    }),
    is_default: Type.Boolean({ default: false, description: "The organization's choice where it has several of the integration." }),
    expires_at: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 0,
        maximum: maxMillis,
        description: 'Epoch milliseconds after which the credentials count as expired.',
      }),
    ),
  },
  { additionalProperties: false },
)

const ConnectionSchema = Type.Object(
  {
    id: Uuid,
    instance: Type.String(),
    integration: Type.String(),
    organization_code: nullable(Type.String({ description: 'Null: shared.' })),
    description: Type.String(),
    credentials: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description: 'The plain fields.' }),
    secrets_set: Type.Array(Type.String(), { description: 'Names of the secret fields that have a value.' }),
    is_default: Type.Boolean(),
    expires_at: nullable(Time),
    revision: Type.Integer(),
    created_at: Time,
    created_by: Uuid,
    modified_at: Time,
  },
  { $id: 'Connection', description: 'A connection to an external system, without its secrets.' },
)

const id = Type.Object({ id: Uuid })

export function connectionRoutes(app: Api, context: ApiContext): void {
  const { connections } = context.services
  const cursors = cursorsOf('connections', null)
  app.addSchema(ConnectionSchema)

  app.get(
    '/platformapi/connections',
    operation(
      context,
      {
        id: 'listConnections',
        tag: 'connections',
        summary: "List the connections of the key's organizations, and the shared ones",
        permission: 'connections:read',
        errors: ['cursor_invalid'],
      },
      { querystring: Type.Object(pageParameters), response: { 200: pageOf('Connection') } },
    ),
    async (request) => {
      const { cursor, limit } = request.query
      const after = cursor === undefined ? null : asId<ConnectionId>(String(cursors.decode(cursor)[0]))
      const page = await connections.list(callerOf(request).scope, { after, limit })
      const last = page.more ? page.items.at(-1) : undefined
      return { items: page.items.map(connectionView), next_cursor: last === undefined ? null : cursors.encode([last.id]) }
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
        errors: ['organization_unknown', 'organization_forbidden', 'integration_unknown', 'connection_invalid', 'connection_exists'],
      },
      { body: NewConnectionSchema, querystring: Type.Object({}), response: { 201: Type.Ref('Connection#') } },
    ),
    async (request, reply) => {
      const created = await connections.create(callerOf(request).principal, draftOf(request.body))
      return reply.code(201).send(connectionView(created))
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
      return found === null ? unknownConnection() : connectionView(found)
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
        errors: ['connection_unknown'],
      },
      { params: id, querystring: Type.Object({}), response: { 204: Type.Null({ description: 'Deleted.' }) } },
    ),
    async (request, reply) => {
      const removed = await connections.remove(callerOf(request).scope, asId<ConnectionId>(request.params.id))
      return removed ? reply.code(204).send(null) : unknownConnection()
    },
  )
}

function unknownConnection(): never {
  throw new TocsinError('connection_unknown', 'No connection within reach has this id.')
}

function draftOf(body: Static<typeof NewConnectionSchema>): ConnectionDraft {
  return {
    instance: body.instance,
    integration: body.integration,
    organizationCode: body.organization_code ?? null,
    description: body.description,
    credentials: body.credentials,
    isDefault: body.is_default,
    expiresAt: body.expires_at ?? null,
  }
}

function connectionView(view: ConnectionView): Static<typeof ConnectionSchema> {
  return {
    id: view.id,
    instance: view.instance,
    integration: view.integration,
    organization_code: view.organizationCode,
    description: view.description,
    credentials: { ...view.fields },
    secrets_set: [...view.secretsSet],
    is_default: view.isDefault,
    expires_at: view.expiresAt,
    revision: view.revision,
    created_at: view.createdAt,
    created_by: view.createdBy,
    modified_at: view.modifiedAt,
  }
}
