import { asId, foldCode, type Organization, type OrganizationId } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { Type } from '../../../schema/index.ts'
import { tellAct } from '../../act.ts'
import { callerOf, requireAllOrganizations } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { cursorsOf, nextCursor, pageParameters } from '../../request/index.ts'
import { pageOf, Time, Uuid } from '../../schemas.ts'
import { CodeAndNameSchema } from './code-and-name.ts'

export const OrganizationSchema = Type.Object(
  { code: Type.String(), name: Type.String(), uuid: Uuid, created_at: Time },
  { $id: 'Organization', description: 'An organization: a tenant.' },
)

/** Adds `/platformapi/organizations`: list and create them. */
export function organizationRoutes(app: Api, context: ApiContext): void {
  const { store, ids, clock } = context.services
  const cursors = cursorsOf('organizations', null)
  app.addSchema(OrganizationSchema)

  app.get(
    '/platformapi/organizations',
    operation(
      context,
      {
        id: 'listOrganizations',
        tag: 'organizations',
        summary: 'List the organizations of the key, by code',
        permission: 'organizations:read',
        errors: ['cursor_invalid'],
      },
      { querystring: Type.Object(pageParameters), response: { 200: pageOf('Organization') } },
    ),
    async (request) => {
      const { cursor, limit } = request.query
      const after = cursor === undefined ? null : String(cursors.decode(cursor)[0])
      const page = await store.organizations.list(callerOf(request).scope, { after, limit })
      return { items: page.items.map(organizationView), next_cursor: nextCursor(page, cursors, ({ code }) => [foldCode(code)]) }
    },
  )

  app.post(
    '/platformapi/organizations',
    operation(
      context,
      {
        id: 'createOrganization',
        tag: 'organizations',
        summary: 'Create an organization',
        description: 'Needs a key of all organizations.',
        permission: 'organizations:write',
        errors: ['organization_exists', 'organization_forbidden'],
      },
      { body: CodeAndNameSchema, querystring: Type.Object({}), response: { 201: Type.Ref('Organization#') } },
    ),
    async (request, reply) => {
      const caller = callerOf(request)
      requireAllOrganizations(caller)
      const { code, name } = request.body
      const organization: Organization = {
        id: asId<OrganizationId>(ids.uuid()),
        code,
        name,
        createdAt: clock.now(),
        createdBy: caller.principal.id,
      }
      if ((await store.organizations.create(caller.scope, organization)) === 'exists') {
        throw new TocsinError('organization_exists', 'An organization has this code already.', [{ field: 'code', message: 'is taken' }])
      }
      tellAct(context, request, 'an organization was created', { organization: code, name })
      return reply.code(201).send(organizationView(organization))
    },
  )
}

function organizationView({ code, name, id, createdAt }: Organization) {
  return { code, name, uuid: id, created_at: createdAt }
}
