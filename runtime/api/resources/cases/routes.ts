import { Type } from '../../../schema/index.ts'
import { sendJson } from '../../answer/index.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { pageParameters } from '../../request/index.ts'
import { oneOf, pageOf } from '../../schemas.ts'
import { caseChangeRoute } from './change.ts'
import { commentRoutes } from './comments.ts'
import { deskRoutes } from './desk.ts'
import { CaseViews, entryViews, positionCursor, shown, timelineCursors } from './details.ts'
import { caseExportRoute } from './export/index.ts'
import { caseOf, id } from './found.ts'
import { linkRoutes } from './links.ts'
import { mergeRoutes } from './merges.ts'
import { TimelineEntrySchema, timelineKinds } from './timeline-view.ts'
import { CaseDetailsSchema, CaseSchema } from './view.ts'

const TimelineQuery = Type.Object({
  kind: Type.Optional(
    Type.Array(oneOf(timelineKinds), { maxItems: timelineKinds.length, description: 'Only entries of this kind; may be repeated.' }),
  ),
  ...pageParameters,
})

/** Adds `GET /platformapi/cases/{id}` and its timeline. */
export function caseRoutes(app: Api, context: ApiContext): void {
  const { store, turns } = context.services
  for (const schema of [TimelineEntrySchema, CaseSchema, CaseDetailsSchema]) app.addSchema(schema)

  const views = new CaseViews(context.services)

  app.get(
    '/platformapi/cases/:id',
    operation(
      context,
      { id: 'getCase', tag: 'cases', summary: 'Read a case with its timeline', permission: 'cases:read', errors: ['case_unknown'] },
      { params: id, querystring: Type.Object({}), response: { 200: Type.Ref('CaseDetails#') } },
    ),
    async (request, reply) => {
      const { scope } = callerOf(request)
      const found = await caseOf(store, scope, request.params.id)
      return sendJson(reply, await views.details(scope, found), turns, found.organization)
    },
  )

  app.get(
    '/platformapi/cases/:id/timeline',
    operation(
      context,
      {
        id: 'listTimeline',
        tag: 'cases',
        summary: "List the entries of a case's timeline, newest first",
        description: 'A page has fewer entries than `limit` if they are large.',
        permission: 'cases:read',
        errors: ['case_unknown', 'cursor_invalid'],
      },
      { params: id, querystring: TimelineQuery, response: { 200: pageOf('TimelineEntry') } },
    ),
    async (request, reply) => {
      const { scope } = callerOf(request)
      const found = await caseOf(store, scope, request.params.id)
      const { kind, cursor, limit } = request.query
      const cursors = timelineCursors(found, kind)
      const [at, order] = cursor === undefined ? [] : cursors.decode(cursor)
      const before = at === undefined ? null : { at: Number(at), order: Number(order) }
      const { entries, earlier } = await store.cases.timeline(scope, found.uuid, { before, ...(kind && { kinds: kind }), ...shown, limit })
      const page = { items: (await entryViews(store, scope, found, entries)).reverse(), next_cursor: positionCursor(cursors, earlier) }
      return sendJson(reply, page, turns, found.organization)
    },
  )

  caseChangeRoute(app, context, views)
  commentRoutes(app, context)
  deskRoutes(app, context, views)
  linkRoutes(app, context, views)
  mergeRoutes(app, context, views)
  caseExportRoute(app, context, views)
}
