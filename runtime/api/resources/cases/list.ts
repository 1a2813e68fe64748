import { asId, type CaseUuid, casePosition, caseSorts, caseStatuses, dispositions, severities } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { slotsFor } from '../../../fairness/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import type { CaseQuery } from '../../../storage/index.ts'
import { sendJson } from '../../answer/index.ts'
import { callerOf, ownerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { maxMillis, searchesAtOnce } from '../../limits.ts'
import { operation } from '../../operation.ts'
import { cursorsOf, nextCursor, pageParameters, timeAndId, whileOpen } from '../../request/index.ts'
import { oneOf, pageOf } from '../../schemas.ts'
import { organizationIdsOf } from '../shared/index.ts'
import { CaseViews } from './details.ts'
import { personNamed } from './person.ts'

const mostWords = 8

const ListQuery = Type.Object({
  organization: Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 50, description: 'Organization code; may be repeated.' })),
  status: Type.Optional(Type.Array(oneOf(caseStatuses), { maxItems: 50, description: 'May be repeated.' })),
  severity: Type.Optional(Type.Array(oneOf(severities), { maxItems: 50, description: 'May be repeated.' })),
  attention: Type.Optional(
    Type.Boolean({
      description: 'True: only cases that need attention (a failed run, an undo, a write in doubt), whatever their status. False: only the others.',
    }),
  ),
  disposition: Type.Optional(Type.Array(oneOf(dispositions), { maxItems: 50, description: 'May be repeated.' })),
  assignee: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), {
      maxItems: 50,
      description: 'The name of a person, `me` for the principal of the key, or `nobody`; may be repeated.',
    }),
  ),
  tag: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 50, description: 'Cases with one of these tags; may be repeated.' })),
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description: `At most ${mostWords} words. The id, the title or the verdict of a case has to contain each of them, in any case.`,
    }),
  ),
  created_from: Type.Optional(Type.Integer({ minimum: 0, maximum: maxMillis, description: 'Created at or after; epoch milliseconds.' })),
  created_to: Type.Optional(Type.Integer({ minimum: 0, maximum: maxMillis, description: 'Created before; epoch milliseconds.' })),
  sort: {
    ...oneOf(caseSorts, 'With a minus: newest, latest changed or most severe first. Cases of one severity are sorted by creation time.'),
    default: '-created_at',
  },
  ...pageParameters,
})
type Filters = Static<typeof ListQuery>

/** Returns whether the store may have to examine every case to fill a page. */
function looksAtMany({ status, severity, disposition, assignee, tag, q, sort }: Filters): boolean {
  const open = status !== undefined && !status.includes('closed')
  return !open && (sort.endsWith('created_at') ? [status, severity, disposition, assignee, tag, q].some((one) => one !== undefined) : true)
}

/** @throws TocsinError `query_invalid` */
function wordsOf(q: string): readonly string[] {
  const words = q.split(/\s+/).filter((word) => word !== '')
  if (words.length > mostWords)
    throw new TocsinError('query_invalid', 'The query has too many words.', [{ field: 'q', message: `at most ${mostWords}` }])
  return words
}

/** Adds `GET /platformapi/cases`, which lists cases. Few searches (`q`) of an organization go on at once. */
export function caseListRoute(app: Api, context: ApiContext): void {
  const { store, turns } = context.services
  const searches = slotsFor(searchesAtOnce)
  const views = new CaseViews(context.services)
  app.get(
    '/platformapi/cases',
    operation(
      context,
      {
        id: 'listCases',
        tag: 'cases',
        summary: 'List cases',
        permission: 'cases:read',
        errors: ['cursor_invalid', 'organization_unknown'],
      },
      { querystring: ListQuery, response: { 200: pageOf('Case') } },
    ),
    async (request, reply) => {
      const { cursor, limit, ...filters } = request.query
      const { scope, principal } = callerOf(request)
      const owner = ownerOf(principal)
      const cursors = cursorsOf('cases', filters)
      const after = timeAndId(cursors, cursor)
      const { assignee, tag, q } = filters
      const organizations = filters.organization && (await organizationIdsOf(store, scope, filters.organization, 'organization'))
      const query: CaseQuery = {
        ...(organizations && { organizations }),
        ...(filters.status && { statuses: filters.status }),
        ...(filters.severity && { severities: filters.severity }),
        ...(filters.attention !== undefined && { attention: filters.attention }),
        ...(filters.disposition && { dispositions: filters.disposition }),
        ...(assignee && { assignees: assignee.map((name) => personNamed(name, principal)) }),
        ...(tag && { tags: tag.map((one) => one.normalize('NFKC').trim().toLowerCase()) }),
        ...(q !== undefined && { words: wordsOf(q) }),
        ...(filters.created_from !== undefined && { createdFrom: filters.created_from }),
        ...(filters.created_to !== undefined && { createdTo: filters.created_to }),
        sort: filters.sort,
        after: after && { key: after.time, uuid: asId<CaseUuid>(after.id) },
        limit,
      }
      const release = looksAtMany(request.query) ? await searches.take(owner, whileOpen(reply)) : null
      try {
        const page = await store.cases.list(scope, query)
        const next_cursor = nextCursor(page, cursors, (last) => {
          const { key, uuid } = casePosition(last, filters.sort)
          return [key, uuid]
        })
        return await sendJson(reply, { items: await Promise.all(page.items.map((found) => views.case(found))), next_cursor }, turns, owner)
      } finally {
        release?.()
      }
    },
  )
}
