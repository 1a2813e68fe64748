import { type AlertUuid, asId } from '../../../domain/index.ts'
import { type Slots, slotsFor } from '../../../fairness/index.ts'
import { Type } from '../../../schema/index.ts'
import { sendJson } from '../../answer/index.ts'
import { callerOf, ownerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { previewLength, searchesAtOnce } from '../../limits.ts'
import { operation } from '../../operation.ts'
import { cursorsOf, nextCursor, pageParameters, timeAndId, whileOpen } from '../../request/index.ts'
import { oneOf, pageOf } from '../../schemas.ts'
import { continuedIn } from '../shared/index.ts'
import { alertFilters, conditionsOf, looksAtMany } from './conditions.ts'
import { alertCountRoute } from './count.ts'
import { alertItemView } from './view.ts'

const ListQuery = Type.Object({
  ...alertFilters,
  sort: { ...oneOf(['-created_at', 'created_at'], 'By creation time. With a minus: newest first.'), default: '-created_at' },
  ...pageParameters,
})

/** Lists and counts alerts. Both share the slots for searches. */
export function alertListRoute(app: Api, context: ApiContext): void {
  const searches = slotsFor(searchesAtOnce)
  listRoute(app, context, searches)
  alertCountRoute(app, context, searches)
}

function listRoute(app: Api, context: ApiContext, searches: Slots): void {
  const { store, turns } = context.services
  app.get(
    '/platformapi/alerts',
    operation(
      context,
      {
        id: 'listAlerts',
        tag: 'alerts',
        summary: 'List alerts',
        description: 'Every alert acknowledged before the first page was read appears exactly once over the pages.',
        permission: 'alerts:read',
        errors: ['cursor_invalid', 'organization_unknown', 'alert_unknown', 'case_unknown'],
      },
      { querystring: ListQuery, response: { 200: pageOf('AlertItem') } },
    ),
    async (request, reply) => {
      const { cursor, limit, ...filters } = request.query
      const { scope, principal } = callerOf(request)
      const owner = ownerOf(principal)
      const cursors = cursorsOf('alerts', filters)
      const after = timeAndId(cursors, cursor)
      const conditions = await conditionsOf(store, scope, request.query)
      const release = looksAtMany(conditions) ? await searches.take(owner, whileOpen(reply)) : null
      try {
        const page = await store.alerts.list(scope, {
          ...conditions,
          sort: request.query.sort,
          after: after && { createdAt: after.time, uuid: asId<AlertUuid>(after.id) },
          limit,
          preview: previewLength,
        })
        const next_cursor = nextCursor(page, cursors, ({ createdAt, uuid }) => [createdAt, uuid])
        const continued = await continuedIn(
          store,
          scope,
          page.items.map(({ caseId }) => caseId),
        )
        return await sendJson(reply, { items: page.items.map((alert) => alertItemView(alert, continued)), next_cursor }, turns, owner)
      } finally {
        release?.()
      }
    },
  )
}
