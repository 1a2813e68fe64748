import { asId, type CaseUuid } from '../../../domain/index.ts'
import { Type } from '../../../schema/index.ts'
import { tellAct } from '../../act.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { cursorsOf, nextCursor, pageParameters } from '../../request/index.ts'
import { nullable, pageOf, Time, Uuid } from '../../schemas.ts'
import { namesOf } from '../shared/index.ts'
import { caseOf, entryOf, id, noQuery, record } from './found.ts'
import { mentionedIn, People } from './people.ts'
import { timelineEntryView } from './timeline-view.ts'

const CommentSchema = Type.Object(
  {
    text: Type.String({
      format: 'said',
      minLength: 1,
      maxLength: 20_000,
      description: '`@` and the name of a person who may see the case mentions that person.',
    }),
  },
  { additionalProperties: false },
)

export const PersonSchema = Type.Object({ principal_uuid: Uuid, name: Type.String() })

export const MentionSchema = Type.Object(
  {
    case_id: Type.String(),
    case_uuid: Uuid,
    title: Type.String({ description: 'The title of the case.' }),
    entry: Type.String({ description: 'The id of the comment in the timeline.' }),
    at: Time,
    by: nullable(Type.String({ description: 'Who wrote the comment.' })),
    text: Type.String(),
  },
  { $id: 'Mention', description: 'A comment that mentions the caller.' },
)

export function commentRoutes(app: Api, context: ApiContext): void {
  const { store } = context.services
  const people = new People(store, context.services.clock)
  const cursors = cursorsOf('mentions', null)
  app.addSchema(MentionSchema)

  app.post(
    '/platformapi/cases/:id/comments',
    operation(
      context,
      { id: 'commentCase', tag: 'cases', summary: 'Add a comment to a case', permission: 'cases:write', errors: ['case_unknown'] },
      { params: id, body: CommentSchema, querystring: noQuery, response: { 201: Type.Ref('TimelineEntry#') } },
    ),
    async (request, reply) => {
      const caller = callerOf(request)
      const found = await caseOf(store, caller.scope, request.params.id)
      const { text } = request.body
      const mentions = text.includes('@') ? mentionedIn(text, await people.of(found.organization)) : []
      const entry = entryOf(context, caller, { kind: 'comment', text, ...(mentions.length > 0 && { mentions }) })
      await record(context, caller, found.uuid, entry)
      tellAct(context, request, 'a case was commented', { case: found.caseId, comment: entry.key })
      const { id: principal, name } = caller.principal
      return reply.code(201).send(timelineEntryView(entry, new Map([[principal, name]])))
    },
  )

  app.get(
    '/platformapi/cases/:id/people',
    operation(
      context,
      {
        id: 'listCasePeople',
        tag: 'cases',
        summary: 'List who may see a case: people whom a comment can mention',
        description: 'At most 100, sorted by name.',
        permission: 'cases:read',
        errors: ['case_unknown'],
      },
      {
        params: id,
        querystring: Type.Object({ q: Type.Optional(Type.String({ maxLength: 200, description: 'The beginning of the name, in any case.' })) }),
        response: { 200: Type.Object({ items: Type.Array(PersonSchema) }) },
      },
    ),
    async (request) => {
      const found = await caseOf(store, callerOf(request).scope, request.params.id)
      const begin = (request.query.q ?? '').toLowerCase()
      const all = (await people.of(found.organization)).filter(({ name }) => name.toLowerCase().startsWith(begin))
      return { items: all.slice(0, 100).map(({ id: principal, name }) => ({ principal_uuid: principal, name })) }
    },
  )

  app.get(
    '/platformapi/people',
    operation(
      context,
      {
        id: 'listPeople',
        tag: 'cases',
        summary: 'List people who may read cases',
        description: 'At most 100, sorted by name.',
        permission: 'cases:read',
      },
      {
        querystring: Type.Object({
          q: Type.Optional(Type.String({ maxLength: 200, description: 'Words of the name, or parts of them, in any case.' })),
        }),
        response: { 200: Type.Object({ items: Type.Array(PersonSchema) }) },
      },
    ),
    async (request) => {
      const words = (request.query.q ?? '').toLowerCase().split(/\s+/)
      const all = (await people.within(callerOf(request).scope)).filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
      return { items: all.slice(0, 100).map(({ id: principal, name }) => ({ principal_uuid: principal, name })) }
    },
  )

  app.get(
    '/platformapi/mentions',
    operation(
      context,
      {
        id: 'listMentions',
        tag: 'cases',
        summary: 'List the comments that mention the caller, newest first',
        permission: 'cases:read',
        errors: ['cursor_invalid'],
      },
      { querystring: Type.Object(pageParameters), response: { 200: pageOf('Mention') } },
    ),
    async (request) => {
      const { cursor, limit } = request.query
      const { scope, principal } = callerOf(request)
      const [at, about, key] = cursor === undefined ? [] : cursors.decode(cursor)
      const after = at === undefined ? null : { at: Number(at), case: asId<CaseUuid>(String(about)), key: String(key) }
      const page = await store.cases.mentions(scope, principal.id, { after, limit })
      const comments = await Promise.all(
        page.items.map(async ({ case: uuid, key: entry }) => {
          const [found, [comment]] = await Promise.all([store.cases.get(scope, uuid), store.cases.entries(scope, uuid, [entry])])
          return found && comment?.body.kind === 'comment' ? [{ found, comment, text: comment.body.text }] : []
        }),
      )
      const names = await namesOf(
        store,
        comments.flat().flatMap(({ comment: { actor } }) => ('principal' in actor ? [actor.principal] : [])),
      )
      const items = comments.flat().map(({ found, comment, text }) => ({
        case_id: found.caseId,
        case_uuid: found.uuid,
        title: found.title,
        entry: comment.key,
        at: comment.at,
        by: 'principal' in comment.actor ? (names.get(comment.actor.principal) ?? null) : null,
        text,
      }))
      return { items, next_cursor: nextCursor(page, cursors, (last) => [last.at, last.case, last.key]) }
    },
  )
}
