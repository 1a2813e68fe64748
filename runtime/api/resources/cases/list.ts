import Type from 'typebox'
import { asId, type CaseUuid, caseStatuses, severities } from '../../../domain/index.ts'
import { sendJson } from '../../answer/index.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { cursorsOf, nextCursor, pageParameters, timeAndId } from '../../request/index.ts'
import { oneOf, pageOf } from '../../schemas.ts'
import { organizationIdsOf } from '../shared/index.ts'
import { caseView } from './view.ts'

const ListQuery = Type.Object({
  organization: Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 50, description: 'Organization code; may be repeated.' })),
  status: Type.Optional(Type.Array(oneOf(caseStatuses), { maxItems: 50, description: 'May be repeated.' })),
  severity: Type.Optional(Type.Array(oneOf(severities), { maxItems: 50, description: 'May be repeated.' })),
  attention: Type.Optional(
    Type.Boolean({
      description: 'True: only cases that need attention (a failed run, an undo, a write in doubt), whatever their status. False: only the others.',
    }),
  ),
  ...pageParameters,
})

export function caseListRoute(app: Api, context: ApiContext): void {
  const { store, turns } = context.services
  app.get(
    '/platformapi/cases',
    operation(
      context,
      {
        id: 'listCases',
        tag: 'cases',
        summary: 'List cases, newest first',
        permission: 'cases:read',
        errors: ['cursor_invalid', 'organization_unknown'],
      },
      { querystring: ListQuery, response: { 200: pageOf('Case') } },
    ),
    async (request, reply) => {
      const { cursor, limit, ...filters } = request.query
      const { scope, principal } = callerOf(request)
      const cursors = cursorsOf('cases', filters)
      const after = timeAndId(cursors, cursor)
      const organizations = filters.organization && (await organizationIdsOf(store, scope, filters.organization, 'organization'))
      const page = await store.cases.list(scope, {
        ...(organizations && { organizations }),
        ...(filters.status && { statuses: filters.status }),
        ...(filters.severity && { severities: filters.severity }),
        ...(filters.attention !== undefined && { attention: filters.attention }),
        after: after && { createdAt: after.time, uuid: asId<CaseUuid>(after.id) },
        limit,
      })
      const next_cursor = nextCursor(page, cursors, ({ createdAt, uuid }) => [createdAt, uuid])
      return sendJson(reply, { items: page.items.map(caseView), next_cursor }, turns, principal.id)
    },
  )
}
