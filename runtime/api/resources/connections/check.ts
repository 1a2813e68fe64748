import type { CheckedEntry } from '../../../connection/index.ts'
import { asId, type ConnectionId } from '../../../domain/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { nullable, Uuid } from '../../schemas.ts'
import { credentials, Paste, Scalar, unknownConnection } from './view.ts'

const CheckSchema = Type.Object(
  {
    connection: Type.Optional(Type.Unsafe<string>({ ...Uuid, description: 'The connection that the entry would change. Absent: it is a new one.' })),
    credentials: Type.Optional(
      Type.Unsafe<Record<string, string | number | boolean | null>>({
        ...credentials({ ...Scalar, type: ['string', 'number', 'boolean', 'null'] }),
        description: 'The fields that are filled in so far.',
      }),
    ),
    paste: Type.Optional(Paste),
    role: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
  },
  { additionalProperties: false },
)

export const CheckedSchema = Type.Object(
  {
    ok: Type.Boolean({ description: 'True: it could be saved.' }),
    fields: Type.Array(
      Type.Object({
        name: Type.String(),
        source: Type.Unsafe<'paste' | 'typed' | 'kept' | 'default' | null>({
          type: ['string', 'null'],
          enum: ['paste', 'typed', 'kept', 'default', null],
          description: 'Where its value comes from. kept: the connection has it already. Null: it has none.',
        }),
        value: Type.Unsafe<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'], description: 'Null for a secret.' }),
        problem: nullable(Type.String({ description: 'What is wrong with it, and what to do.' })),
      }),
      { description: 'Every credential field of the integration, in the order of the form.' },
    ),
    problems: Type.Array(Type.Object({ field: Type.String(), message: Type.String(), line: Type.Optional(Type.Integer()) }), {
      description: 'What is wrong with the pasted text, the role, or a field that does not exist.',
    }),
  },
  { $id: 'CheckedEntry', description: 'What is right and wrong about a connection form, field by field. It has no secret.' },
)

/** The route that checks a connection form without saving it. */
export function entryCheckRoute(app: Api, context: ApiContext): void {
  const { connections } = context.services
  app.addSchema(CheckedSchema)

  app.post(
    '/platformapi/integrations/:id/check',
    operation(
      context,
      {
        id: 'checkEntry',
        tag: 'integrations',
        summary: 'Check the fields of a connection without saving them',
        description: 'Checks exactly what saving would, and says which fields a pasted file fills. Stores, logs and sends nothing.',
        permission: 'connections:write',
        errors: ['integration_unknown', 'connection_unknown', 'organization_forbidden'],
      },
      {
        params: Type.Object({ id: Type.String() }),
        body: CheckSchema,
        querystring: Type.Object({}),
        response: { 200: Type.Ref('CheckedEntry#') },
      },
    ),
    async (request) => {
      const { connection, credentials: entered = {}, paste = null, role = null } = request.body
      const id = connection === undefined ? null : asId<ConnectionId>(connection)
      const checked = await connections.check(callerOf(request).principal, request.params.id, id, { credentials: entered, paste, role })
      return checked === null ? unknownConnection() : checkedView(checked)
    },
  )
}

function checkedView({ ok, fields, problems }: CheckedEntry): Static<typeof CheckedSchema> {
  return {
    ok,
    fields: fields.map((field) => ({ ...field })),
    problems: problems.map(({ field, message, line }) => ({ field, message, ...(line !== undefined && { line }) })),
  }
}
