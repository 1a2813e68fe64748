import { type Act, type ActId, asId, type Json } from '../../../domain/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import type { ActFilter } from '../../../storage/index.ts'
import { callerOf, requireAllOrganizations } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { maxMillis } from '../../limits.ts'
import { operation } from '../../operation.ts'
import { cursorsOf, nextCursor, pageParameters, timeAndId } from '../../request/index.ts'
import { pageOf, Time, Uuid } from '../../schemas.ts'

export const ActSchema = Type.Object(
  {
    id: Uuid,
    at: Time,
    by: Type.String({ description: "The principal's name at that time." }),
    by_uuid: Uuid,
    action: Type.String({ description: 'The operation of the API, such as createKey; or signIn, signOut.' }),
    text: Type.String({ description: 'What was done, in words: an API key was created.' }),
    on: Type.Unsafe<{ readonly [name: string]: Json }>({
      type: 'object',
      additionalProperties: true,
      description: 'What it was done to: names and ids. Long texts and lists are cut.',
    }),
  },
  { $id: 'Act', description: 'One entry of the audit log: something that a person or a script did over the API.' },
)

const ListQuery = Type.Object({
  by: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Only acts of this principal: its name at that time, or its id (`by_uuid`).' }),
  ),
  action: Type.Optional(Type.String({ maxLength: 100, description: 'Only acts of this operation, such as `createKey`.' })),
  about: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Only acts with this name or id in `on`, exactly as there: a case, a connection, a key, a user.',
    }),
  ),
  created_from: Type.Optional(Type.Integer({ minimum: 0, maximum: maxMillis, description: 'Done at or after; epoch milliseconds.' })),
  created_to: Type.Optional(Type.Integer({ minimum: 0, maximum: maxMillis, description: 'Done before; epoch milliseconds.' })),
  ...pageParameters,
})

/** Adds `GET /platformapi/audit`, which lists what people and scripts did over the API. */
export function auditRoute(app: Api, context: ApiContext): void {
  const { store } = context.services
  app.addSchema(ActSchema)
  app.get(
    '/platformapi/audit',
    operation(
      context,
      {
        id: 'listActs',
        tag: 'audit',
        summary: 'List who did what over the API, newest first',
        description: 'Needs a key of all organizations. An act is kept for 400 days.',
        permission: 'audit:read',
        errors: ['cursor_invalid', 'organization_forbidden'],
      },
      { querystring: ListQuery, response: { 200: pageOf('Act') } },
    ),
    async (request) => {
      const caller = callerOf(request)
      requireAllOrganizations(caller)
      const { cursor, limit, ...filters } = request.query
      const cursors = cursorsOf('audit', filters)
      const after = timeAndId(cursors, cursor)
      const page = await store.acts.list(caller.scope, { ...filterOf(filters), after: after && { at: after.time, id: asId<ActId>(after.id) }, limit })
      return { items: page.items.map(actView), next_cursor: nextCursor(page, cursors, ({ at, id }) => [at, id]) }
    },
  )
}

function filterOf({ by, action, about, created_from, created_to }: Omit<Static<typeof ListQuery>, 'cursor' | 'limit'>): ActFilter {
  return {
    ...(by !== undefined && { by }),
    ...(action !== undefined && { action }),
    ...(about !== undefined && { about }),
    ...(created_from !== undefined && { from: created_from }),
    ...(created_to !== undefined && { before: created_to }),
  }
}

function actView({ id, at, by, principal, action, text, on }: Act): Static<typeof ActSchema> {
  return { id, at, by, by_uuid: principal, action, text, on }
}
