import Type, { type Static } from 'typebox'
import {
  asId,
  type Case,
  type CaseChange,
  type CaseUuid,
  caseStatuses,
  dispositions,
  type Scope,
  severities,
  type TimelineBody,
  type TimelineEntry,
} from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import type { Store } from '../../../storage/index.ts'
import { tellAct } from '../../act.ts'
import { sendJson } from '../../answer/index.ts'
import { type Caller, callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { isUuid, pageParameters } from '../../request/index.ts'
import { oneOf, pageOf } from '../../schemas.ts'
import { caseDetails, entryViews, positionCursor, shown, timelineCursors } from './details.ts'
import { TimelineEntrySchema, timelineEntryView } from './timeline-view.ts'
import { CaseDetailsSchema, CaseSchema } from './view.ts'

const id = Type.Object({ id: Type.String({ description: 'The case_id or the case_uuid.' }) })

const ChangeSchema = Type.Object(
  {
    severity: Type.Optional(oneOf(severities)),
    status: Type.Optional(oneOf(caseStatuses)),
    disposition: Type.Optional(oneOf(dispositions)),
    assignee: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'line', maxLength: 200, description: 'Null: nobody.' })),
  },
  { additionalProperties: false, minProperties: 1 },
)

const CommentSchema = Type.Object({ text: Type.String({ format: 'text', minLength: 1, maxLength: 20_000 }) }, { additionalProperties: false })

export function caseRoutes(app: Api, context: ApiContext): void {
  const { store, ids, clock, turns } = context.services
  for (const schema of [TimelineEntrySchema, CaseSchema, CaseDetailsSchema]) app.addSchema(schema)

  const entryOf = (caller: Caller, body: TimelineBody): TimelineEntry => ({
    key: ids.uuid(),
    at: clock.now(),
    actor: { principal: caller.principal.id },
    body,
  })
  const record = async (caller: Caller, uuid: CaseUuid, change: CaseChange | null, entry: TimelineEntry): Promise<Case> =>
    (await store.cases.record(caller.scope, uuid, change, entry)) ?? unknownCase()

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
      return sendJson(reply, await caseDetails(store, scope, found), turns, found.organization)
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
      { params: id, querystring: Type.Object(pageParameters), response: { 200: pageOf('TimelineEntry') } },
    ),
    async (request, reply) => {
      const { scope } = callerOf(request)
      const found = await caseOf(store, scope, request.params.id)
      const cursors = timelineCursors(found)
      const [at, order] = request.query.cursor === undefined ? [] : cursors.decode(request.query.cursor)
      const before = at === undefined ? null : { at: Number(at), order: Number(order) }
      const { entries, earlier } = await store.cases.timeline(scope, found.uuid, { before, ...shown, limit: request.query.limit })
      const page = { items: (await entryViews(store, scope, entries)).reverse(), next_cursor: positionCursor(cursors, earlier) }
      return sendJson(reply, page, turns, found.organization)
    },
  )

  app.patch(
    '/platformapi/cases/:id',
    operation(
      context,
      {
        id: 'changeCase',
        tag: 'cases',
        summary: 'Change severity, status, disposition or assignee',
        description: 'Fields that you leave out do not change. Each change adds a line to the timeline.',
        permission: 'cases:write',
        errors: ['case_unknown'],
      },
      { params: id, body: ChangeSchema, querystring: Type.Object({}), response: { 200: Type.Ref('CaseDetails#') } },
    ),
    async (request, reply) => {
      const caller = callerOf(request)
      let found = await caseOf(store, caller.scope, request.params.id)
      const change = realChange(found, request.body)
      if (change !== null) {
        found = await record(caller, found.uuid, change, entryOf(caller, { kind: 'change', change }))
        tellAct(context, request, 'a case was changed', { case: found.caseId, change: { ...change } })
      }
      return sendJson(reply, await caseDetails(store, caller.scope, found), turns, found.organization)
    },
  )

  app.post(
    '/platformapi/cases/:id/comments',
    operation(
      context,
      { id: 'commentCase', tag: 'cases', summary: 'Add a comment to a case', permission: 'cases:write', errors: ['case_unknown'] },
      { params: id, body: CommentSchema, querystring: Type.Object({}), response: { 201: Type.Ref('TimelineEntry#') } },
    ),
    async (request, reply) => {
      const caller = callerOf(request)
      const found = await caseOf(store, caller.scope, request.params.id)
      const entry = entryOf(caller, { kind: 'comment', text: request.body.text })
      await record(caller, found.uuid, null, entry)
      tellAct(context, request, 'a case was commented', { case: found.caseId, comment: entry.key })
      const { id: principal, name } = caller.principal
      return reply.code(201).send(timelineEntryView(entry, new Map([[principal, name]])))
    },
  )
}

/** Returns the fields that would change the case, or null if there are none. */
function realChange(found: Case, asked: Static<typeof ChangeSchema>): CaseChange | null {
  const change = Object.fromEntries(Object.entries(asked).filter(([field, value]) => found[field as keyof typeof asked] !== value))
  return Object.keys(change).length === 0 ? null : change
}

/** @throws TocsinError `case_unknown`, also for a case outside the caller's scope */
async function caseOf(store: Store, scope: Scope, id: string): Promise<Case> {
  const byUuid = isUuid(id) ? await store.cases.get(scope, asId<CaseUuid>(id.toLowerCase())) : null
  return byUuid ?? (await store.cases.byCaseId(scope, id)) ?? unknownCase()
}

function unknownCase(): never {
  throw new TocsinError('case_unknown', 'No case that this key may see has this case_id or case_uuid.')
}
