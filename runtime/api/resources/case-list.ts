import Type from 'typebox'
import { asId, type CaseUuid, caseStatuses, severities } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { CaseQuery } from '../../storage/index.ts'
import { callerOf } from '../auth/guard.ts'
import type { Api, ApiContext } from '../context.ts'
import { operation } from '../operation.ts'
import { cursorsOf } from '../request/cursor.ts'
import { pageParameters } from '../request/page.ts'
import { oneOf, pageOf } from '../schemas.ts'
import { caseView } from './case-view.ts'
import { organizationIdsOf } from './organization-codes.ts'

const ListQuery = Type.Object({
  organization: Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 50, description: 'Organization code; may be repeated.' })),
  status: Type.Optional(Type.Array(oneOf(caseStatuses), { maxItems: 50, description: 'May be repeated.' })),
  severity: Type.Optional(Type.Array(oneOf(severities), { maxItems: 50, description: 'May be repeated.' })),
  ...pageParameters,
})

export function caseListRoute(app: Api, context: ApiContext): void {
  const { store } = context.services
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
    async (request) => {
      const { cursor, limit, ...filters } = request.query
      const { scope } = callerOf(request)
      const cursors = cursorsOf('cases', filters)
      const organizations = filters.organization && (await organizationIdsOf(store, scope, filters.organization, 'organization'))
      const page = await store.cases.list(scope, {
        ...(organizations && { organizations }),
        ...(filters.status && { statuses: filters.status }),
        ...(filters.severity && { severities: filters.severity }),
        after: cursor === undefined ? null : positionOf(cursors.decode(cursor)),
        limit,
      })
      const last = page.more ? page.items.at(-1) : undefined
      return { items: page.items.map(caseView), next_cursor: last === undefined ? null : cursors.encode([last.createdAt, last.uuid]) }
    },
  )
}

function positionOf([createdAt, uuid]: readonly (string | number)[]): CaseQuery['after'] {
  if (typeof createdAt !== 'number' || typeof uuid !== 'string') throw new TocsinError('cursor_invalid', 'The cursor is not one of cases.')
  return { createdAt, uuid: asId<CaseUuid>(uuid) }
}
