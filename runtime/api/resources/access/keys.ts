import {
  type ApiKey,
  alertSourcePermissions,
  asId,
  type KeyId,
  type Millis,
  may,
  mostKeys,
  type OrganizationId,
  type Permission,
  type Principal,
  type PrincipalId,
  permissions,
  systemScope,
} from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import type { Store } from '../../../storage/index.ts'
import { tellAct } from '../../act.ts'
import { type Caller, callerOf, hashKey, newKeyValue, requireAllOrganizations } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { cursorsOf, nextCursor, pageParameters } from '../../request/index.ts'
import { nullable, oneOf, pageOf, Time, Uuid } from '../../schemas.ts'
import { type Names, namesOf, organizationCodesOf, organizationIdsOf } from '../shared/index.ts'

const Reach = Type.Unsafe<'all' | string[]>({
  anyOf: [
    { type: 'string', const: 'all' },
    { type: 'array', minItems: 1, maxItems: 1000, items: { type: 'string', maxLength: 256 } },
  ],
  description: '"all", or a list of organization codes.',
})

/** The end of the year 9999: the last time that everybody writes in the same way. */
const latestExpiry: Millis = 253_402_300_799_999

const NewKeySchema = Type.Object(
  {
    name: Type.String({ format: 'line', maxLength: 200, description: 'Who or what will use it.' }),
    scopes: Type.Optional(
      Type.Array(oneOf(permissions), {
        minItems: 1,
        maxItems: permissions.length,
        description: 'What the key may do. The default is what an alert source needs.',
      }),
    ),
    organizations: Type.Optional(Reach),
    expires_at: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 0,
        maximum: latestExpiry,
        description: 'When the key stops working, in epoch milliseconds. Null or absent: never, or with the key that creates it.',
      }),
    ),
  },
  { additionalProperties: false },
)

const fields = {
  id: Uuid,
  name: Type.String(),
  principal_uuid: { ...Uuid, description: 'The created_by of alerts that this key creates.' },
  scopes: Type.Array(Type.String()),
  organizations: Reach,
  created_at: Time,
  created_by: nullable({ ...Uuid, description: 'The principal_uuid of the key that made it. Null: no key did, or it is older than this field.' }),
  created_by_name: nullable(Type.String({ description: 'The name of that principal.' })),
  revoked_at: nullable(Time),
  expires_at: nullable({ ...Time, description: 'The key does not work from then on. Null: it never expires.' }),
  expired: Type.Boolean({ description: 'True: expires_at has passed.' }),
  last_used_at: nullable({ ...Time, description: 'When it last worked, up to five minutes too early. Null: never.' }),
}

export const KeySchema = Type.Object(fields, { $id: 'Key', description: 'An API key, without its value.' })
export const CreatedKeySchema = Type.Object(
  { ...fields, key: Type.String({ description: 'The value. It is shown here and never again.' }) },
  { $id: 'CreatedKey', description: 'A new API key with its value.' },
)

/** Adds `/platformapi/keys`: list, create and revoke API keys. */
export function keyRoutes(app: Api, context: ApiContext): void {
  const { store, ids, clock } = context.services
  const cursors = cursorsOf('keys', null)
  for (const schema of [KeySchema, CreatedKeySchema]) app.addSchema(schema)

  app.get(
    '/platformapi/keys',
    operation(
      context,
      {
        id: 'listKeys',
        tag: 'keys',
        summary: 'List API keys, newest first, including revoked keys',
        description: 'Only keys whose organizations the caller may see.',
        permission: 'keys:read',
        errors: ['cursor_invalid'],
      },
      { querystring: Type.Object(pageParameters), response: { 200: pageOf('Key') } },
    ),
    async (request) => {
      const { cursor, limit } = request.query
      const { scope } = callerOf(request)
      const after = cursor === undefined ? null : asId<KeyId>(String(cursors.decode(cursor)[0]))
      const page = await store.principals.listKeys(scope, { after, limit })
      const reaches = page.items.map(({ principal }) => principal.organizations)
      const codes = await organizationCodesOf(
        store,
        scope,
        reaches.flatMap((reach) => (reach === 'all' ? [] : reach)),
      )
      const names = await namesOf(
        store,
        page.items.flatMap(({ principal: { createdBy } }) => (createdBy === null ? [] : [createdBy])),
      )
      return {
        items: page.items.map(({ key, principal }) => keyView(key, principal, codes, names, clock.now())),
        next_cursor: nextCursor(page, cursors, ({ key }) => [key.id]),
      }
    },
  )

  app.post(
    '/platformapi/keys',
    operation(
      context,
      {
        id: 'createKey',
        tag: 'keys',
        summary: 'Create an API key',
        description:
          'The key belongs to a new principal. It cannot have more scopes or organizations than the key that creates it, nor expire later.',
        permission: 'keys:write',
        errors: ['keys_exceeded', 'organization_unknown', 'organization_forbidden'],
      },
      { body: NewKeySchema, querystring: Type.Object({}), response: { 201: Type.Ref('CreatedKey#') } },
    ),
    async (request, reply) => {
      const caller = callerOf(request)
      const granted = grantable(caller, request.body.scopes ?? alertSourcePermissions)
      const reach = await reachOf(request.body.organizations)
      const now = clock.now()
      await mustHaveRoom(store, caller, reach, now)
      const { name } = request.body
      const expiresAt = await expiryOf(request.body.expires_at ?? null, now)
      const { id: createdBy, name: maker } = caller.principal
      const principal: Principal = { id: asId<PrincipalId>(ids.uuid()), name, permissions: granted, organizations: reach, createdAt: now, createdBy }
      const value = newKeyValue(ids)
      const key: ApiKey = {
        id: asId<KeyId>(ids.uuid()),
        principal: principal.id,
        name,
        hash: hashKey(value),
        createdAt: now,
        revokedAt: null,
        expiresAt,
        lastUsedAt: null,
      }
      // A crash between the two writes leaves a principal without a key. Nobody can use it, and no list shows it.
      await store.principals.create(caller.scope, principal)
      if ((await store.principals.addKey(caller.scope, key)) === 'exists') throw new TocsinError('internal', 'The random source repeats itself.')
      const codes = await organizationCodesOf(store, caller.scope, reach === 'all' ? [] : reach)
      const view = keyView(key, principal, codes, new Map([[createdBy, maker]]), now)
      tellAct(context, request, 'an API key was created', {
        key_id: key.id,
        name,
        of: principal.id,
        scopes: view.scopes,
        organizations: view.organizations,
        expires_at: expiresAt,
      })
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ ...view, key: value })

      async function reachOf(asked: 'all' | readonly string[] | undefined): Promise<Principal['organizations']> {
        if (asked === undefined) return caller.principal.organizations
        if (asked !== 'all') return organizationIdsOf(store, caller.scope, asked, 'organizations')
        requireAllOrganizations(caller)
        return 'all'
      }

      /** @throws TocsinError `body_invalid` for a time that has passed, or that the calling key does not live to see */
      async function expiryOf(asked: Millis | null, at: Millis): Promise<Millis | null> {
        const own = (await store.principals.keyById(systemScope, caller.key))?.key.expiresAt ?? null
        if (asked === null) return own
        if (asked <= at) throw wrongExpiry('this time has passed')
        if (own !== null && asked > own) throw wrongExpiry(`the key that creates it expires earlier, at ${new Date(own).toISOString()}`)
        return asked
      }
    },
  )

  app.delete(
    '/platformapi/keys/:id',
    operation(
      context,
      {
        id: 'revokeKey',
        tag: 'keys',
        summary: 'Revoke an API key',
        description:
          'Takes effect at once in this process, within two seconds in others. Revoking a key again changes nothing. A key can revoke itself, and keys without scopes beyond its own.',
        permission: 'keys:write',
        errors: ['key_unknown'],
      },
      { params: Type.Object({ id: Uuid }), querystring: Type.Object({}), response: { 204: Type.Null({ description: 'Revoked.' }) } },
    ),
    async (request, reply) => {
      const caller = callerOf(request)
      const id = asId<KeyId>(request.params.id)
      const standing = await store.principals.keyById(caller.scope, id)
      if (standing !== null) revocable(caller, standing.principal)
      const revoked = await store.principals.revokeKey(caller.scope, id, clock.now())
      if (revoked === null) throw new TocsinError('key_unknown', 'No key that the caller may see has this id.')
      context.keys.forget(revoked.id)
      tellAct(context, request, 'an API key was revoked', { key_id: revoked.id, name: revoked.name, of: revoked.principal })
      return reply.code(204).send(null)
    },
  )
}

/** @throws TocsinError `permission_missing` if the caller would grant scopes that it does not have */
function grantable(caller: Caller, asked: readonly Permission[]): readonly Permission[] {
  const missing = asked.filter((permission) => !may(caller.principal, permission))
  if (missing.length === 0) return [...new Set(asked)]
  throw new TocsinError('permission_missing', 'A key cannot give scopes that it does not have.', [
    { field: 'scopes', message: `the creating key lacks ${missing.join(', ')}` },
  ])
}

function wrongExpiry(message: string): TocsinError {
  return new TocsinError('body_invalid', 'These fields are wrong: expires_at.', [{ field: 'expires_at', message }])
}

/** Concurrent requests may together exceed the limit by a few. @throws TocsinError `keys_exceeded` */
async function mustHaveRoom(store: Store, { scope }: Caller, reach: Principal['organizations'], now: Millis): Promise<void> {
  const { organization, keys } = await store.principals.mostKeys(scope, reach, now)
  if (keys < mostKeys) return
  const codes = await organizationCodesOf(store, scope, organization === null ? [] : [organization])
  const whom = organization === null ? 'all organizations' : `the organization ${codes.get(organization) ?? organization}`
  throw new TocsinError('keys_exceeded', `No more than ${mostKeys} API keys can be valid for ${whom}. ${keys} are.`)
}

/** @throws TocsinError `permission_missing` for a key with more permissions than the caller: a manager of source keys must not lock out operators */
function revocable({ principal }: Caller, owner: Principal): void {
  if (owner.id === principal.id) return
  const missing = owner.permissions.filter((permission) => !may(principal, permission))
  if (missing.length > 0)
    throw new TocsinError('permission_missing', `The key may do more than yours; revoking it needs the scopes ${missing.join(', ')}.`)
}

function keyView(key: ApiKey, principal: Principal, codes: ReadonlyMap<OrganizationId, string>, names: Names, now: Millis): Static<typeof KeySchema> {
  const reach = principal.organizations
  return {
    id: key.id,
    name: key.name,
    principal_uuid: principal.id,
    scopes: [...principal.permissions],
    organizations: reach === 'all' ? 'all' : reach.map((id) => codes.get(id) ?? id),
    created_at: key.createdAt,
    created_by: principal.createdBy,
    created_by_name: principal.createdBy && (names.get(principal.createdBy) ?? null),
    revoked_at: key.revokedAt,
    expires_at: key.expiresAt,
    expired: key.expiresAt !== null && now >= key.expiresAt,
    last_used_at: key.lastUsedAt,
  }
}
