import type { ConnectionChange, ConnectionDraft, ConnectionView } from '../../../connection/index.ts'
import type { ConnectionTest } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import type { Store } from '../../../storage/index.ts'
import { maxMillis } from '../../limits.ts'
import { nullable, Time, Uuid } from '../../schemas.ts'
import { type Names, namesOf } from '../shared/index.ts'

export const Scalar = Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'], format: 'text', maxLength: 65_536 })

export const credentials = (value: object) => ({
  type: 'object',
  propertyNames: { type: 'string', pattern: '^[a-z][a-z0-9_]{0,63}$' },
  additionalProperties: value,
  maxProperties: 100,
})

export const Paste = Type.String({
  format: 'text',
  maxLength: 65_536,
  description:
    'The file that the vendor provides, or its key=value lines. It fills the fields that the integration reads from it. Only for integrations that have such a file.',
})

const Slots = Type.Array(Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,99}\\.[A-Za-z_][A-Za-z0-9_]{0,63}$', description: '<playbook>.<slot>' }), {
  maxItems: 200,
  uniqueItems: true,
  description: 'Slots of playbooks that use this connection first, even before the default of the integration.',
})

const advanced = {
  slots: Type.Optional(Slots),
  expires_at: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      maximum: maxMillis,
      description: 'When the credentials expire, in epoch milliseconds.',
    }),
  ),
  remote_agent: Type.Optional(
    nullable(
      Type.String({
        format: 'line',
        maxLength: 200,
        description:
          'The name of the remote agent that reaches the system. Calls go through an agent with this name and the same owner, and never around it.',
      }),
    ),
  ),
  role: Type.Optional(
    nullable(
      Type.String({
        maxLength: 200,
        description: "The role of the credentials, one of the integration's roles. Skills that need a higher role are refused.",
      }),
    ),
  ),
}

export const NewConnectionSchema = Type.Object(
  {
    instance: Type.String({ format: 'line', maxLength: 200, description: 'Unique in its organization.' }),
    integration: Type.String({ format: 'line', maxLength: 200, description: "The integration's id." }),
    organization_code: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: 256,
        description: 'The organization that owns it. Null or absent: all organizations share it, which needs a key of all organizations.',
      }),
    ),
    description: Type.String({ format: 'text', maxLength: 2_000, default: '', description: 'Purpose and environment.' }),
    credentials: Type.Optional(
      Type.Unsafe<Record<string, string | number | boolean>>({
        ...credentials(Scalar),
        description: "The integration's credential fields by name. Secret ones are never shown again. Needed unless `paste` is given.",
      }),
    ),
    paste: Type.Optional(Paste),
    is_default: Type.Boolean({ default: false, description: 'The connection to use if the organization has several of the integration.' }),
    ...advanced,
  },
  { additionalProperties: false },
)

export const ChangeSchema = Type.Object(
  {
    revision: Type.Integer({ minimum: 1, description: 'The revision that you read before the change.' }),
    instance: Type.Optional(Type.String({ format: 'line', maxLength: 200 })),
    description: Type.Optional(Type.String({ format: 'text', maxLength: 2_000 })),
    credentials: Type.Optional(
      Type.Unsafe<Record<string, string | number | boolean | null>>({
        ...credentials({ ...Scalar, type: ['string', 'number', 'boolean', 'null'] }),
        description:
          'The fields that change. Null clears a field. A secret that is not named stays, unless a field changes that decides where requests go.',
      }),
    ),
    paste: Type.Optional(Paste),
    is_default: Type.Optional(Type.Boolean()),
    ...advanced,
  },
  { additionalProperties: false },
)

export const ConnectionTestSchema = Type.Object(
  {
    ok: Type.Boolean(),
    status: nullable(Type.Integer({ description: 'The HTTP status of the answer; null: there was no answer.' })),
    code: nullable(Type.String({ description: 'What went wrong, or a note about a test that succeeded.' })),
    cause: nullable(Type.String()),
    remedy: nullable(Type.String()),
    checked_at: Time,
    reachable: nullable(Type.Boolean({ description: 'Whether the system answers at all. Null: the integration cannot tell.' })),
    reachable_note: nullable(Type.String()),
    role: nullable(Type.String({ description: 'The role of the credentials, as the external system reports it.' })),
  },
  { $id: 'ConnectionTest', description: 'The result of testing a connection.' },
)

export const ConnectionSchema = Type.Object(
  {
    id: Uuid,
    instance: Type.String(),
    integration: Type.String(),
    organization_code: nullable(Type.String({ description: 'Null: shared.' })),
    description: Type.String(),
    credentials: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description: 'The plain fields.' }),
    secrets_set: Type.Array(Type.String(), { description: 'Names of the secret fields that have a value.' }),
    is_default: Type.Boolean(),
    slots: Type.Array(Type.String(), { description: 'Each <playbook>.<slot>.' }),
    expires_at: nullable(Time),
    expired: Type.Boolean({ description: 'True: expires_at has passed, so no skill is sent to the external system.' }),
    expires_soon: Type.Boolean({ description: 'True: expires_at is less than 14 days ahead.' }),
    remote_agent: nullable(Type.String()),
    role: nullable(Type.String()),
    last_test: Type.Unsafe<Static<typeof ConnectionTestSchema> | null>({
      anyOf: [{ $ref: 'ConnectionTest#' }, { type: 'null' }],
      description: 'The last test of the current credentials; null: they were not tested yet.',
    }),
    revision: Type.Integer({ description: 'Rises with every change. Send the revision that you read with your change.' }),
    created_at: Time,
    created_by: Uuid,
    created_by_name: nullable(Type.String({ description: 'Null: no principal has this id any more.' })),
    modified_at: Time,
  },
  { $id: 'Connection', description: 'A connection to an external system, without its secrets.' },
)

export function unknownConnection(): never {
  throw new TocsinError('connection_unknown', 'No connection that this key may see has this id.')
}

/** @throws TocsinError `body_invalid` if there are neither credentials nor a pasted text */
export function draftOf(body: Static<typeof NewConnectionSchema>): ConnectionDraft {
  if (body.credentials === undefined && body.paste === undefined)
    throw new TocsinError('body_invalid', 'These fields are wrong: credentials.', [{ field: 'credentials', message: 'is required' }])
  return {
    instance: body.instance,
    integration: body.integration,
    organizationCode: body.organization_code ?? null,
    description: body.description,
    credentials: body.credentials ?? {},
    isDefault: body.is_default,
    slots: body.slots ?? [],
    expiresAt: body.expires_at ?? null,
    remoteAgent: body.remote_agent ?? null,
    role: body.role ?? null,
    paste: body.paste ?? null,
  }
}

export function changeOf(body: Static<typeof ChangeSchema>): ConnectionChange {
  return {
    revision: body.revision,
    ...(body.instance !== undefined && { instance: body.instance }),
    ...(body.description !== undefined && { description: body.description }),
    ...(body.credentials !== undefined && { credentials: body.credentials }),
    ...(body.paste !== undefined && { paste: body.paste }),
    ...(body.is_default !== undefined && { isDefault: body.is_default }),
    ...(body.slots !== undefined && { slots: body.slots }),
    ...(body.expires_at !== undefined && { expiresAt: body.expires_at }),
    ...(body.remote_agent !== undefined && { remoteAgent: body.remote_agent }),
    ...(body.role !== undefined && { role: body.role }),
  }
}

export function testView({ checkedAt, reachableNote, role, ...plain }: ConnectionTest): Static<typeof ConnectionTestSchema> {
  return { ...plain, checked_at: checkedAt, reachable_note: reachableNote, role: role ?? null }
}

/** Converts connections for the API. Finds the names of the people who created them with one query. */
export async function connectionViews(
  store: Pick<Store, 'principals'>,
  views: readonly ConnectionView[],
): Promise<Static<typeof ConnectionSchema>[]> {
  const names = await namesOf(
    store,
    views.map(({ createdBy }) => createdBy),
  )
  return views.map((view) => connectionView(view, names))
}

function connectionView(view: ConnectionView, names: Names): Static<typeof ConnectionSchema> {
  return {
    id: view.id,
    instance: view.instance,
    integration: view.integration,
    organization_code: view.organizationCode,
    description: view.description,
    credentials: { ...view.fields },
    secrets_set: [...view.secretsSet],
    is_default: view.isDefault,
    slots: [...view.slots],
    expires_at: view.expiresAt,
    expired: view.expired,
    expires_soon: view.expiresSoon,
    remote_agent: view.remoteAgent,
    role: view.role,
    last_test: view.lastTest === null ? null : testView(view.lastTest),
    revision: view.revision,
    created_at: view.createdAt,
    created_by: view.createdBy,
    created_by_name: names.get(view.createdBy) ?? null,
    modified_at: view.modifiedAt,
  }
}
