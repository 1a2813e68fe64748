import Type, { type Static } from 'typebox'
import {
  AlertStatus,
  type AlertUuid,
  alertStatusNames,
  asId,
  foldCode,
  normaliseType,
  type OrganizationId,
  type Scope,
} from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { slotsFor } from '../../../fairness/index.ts'
import type { AlertQuery, Store } from '../../../storage/index.ts'
import { sendJson } from '../../answer/index.ts'
import { callerOf, ownerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { maxMillis, maxSearchWords, previewLength, searchesAtOnce } from '../../limits.ts'
import { operation } from '../../operation.ts'
import { cursorsOf, nextCursor, pageParameters, searchWordsOf, timeAndId, whileOpen } from '../../request/index.ts'
import { oneOf, pageOf } from '../../schemas.ts'
import { organizationIdsOf } from '../shared/index.ts'
import { alertOf } from './routes.ts'
import { alertItemView } from './view.ts'

const several = (description: string) => Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 50, description }))

const ListQuery = Type.Object({
  organization: several('Organization code; may be repeated.'),
  provider: several('Provider code, in any case; may be repeated.'),
  type: several('Alert type, in any case; may be repeated.'),
  status: several('Status number or name, in any case; may be repeated.'),
  created_from: Type.Optional(Type.Integer({ minimum: 0, maximum: maxMillis, description: 'Created at or after; epoch milliseconds.' })),
  created_to: Type.Optional(Type.Integer({ minimum: 0, maximum: maxMillis, description: 'Created before; epoch milliseconds.' })),
  duplicate_of: Type.Optional(Type.String({ maxLength: 300, description: 'An alert_id or alert_uuid: the alerts that repeat it.' })),
  q: Type.Optional(
    Type.String({
      maxLength: 500,
      description: `At most ${maxSearchWords} different words. An alert matches if each of them begins one of the words of the alert.`,
    }),
  ),
  sort: { ...oneOf(['-created_at', 'created_at'], 'By creation time. With a minus: newest first.'), default: '-created_at' },
  ...pageParameters,
})
type Filters = Static<typeof ListQuery>

export function alertListRoute(app: Api, context: ApiContext): void {
  const { store, turns } = context.services
  const searches = slotsFor(searchesAtOnce)
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
        errors: ['cursor_invalid', 'organization_unknown', 'alert_unknown'],
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
          after: after && { createdAt: after.time, uuid: asId<AlertUuid>(after.id) },
          limit,
          preview: previewLength,
        })
        const next_cursor = nextCursor(page, cursors, ({ createdAt, uuid }) => [createdAt, uuid])
        return await sendJson(reply, { items: page.items.map(alertItemView), next_cursor }, turns, owner)
      } finally {
        release?.()
      }
    },
  )
}

type Conditions = Omit<AlertQuery, 'after' | 'limit' | 'preview'>

/** Returns whether the store may have to examine every alert to fill a page. */
function looksAtMany({ words, providers, types, statuses, duplicateOf }: Conditions): boolean {
  return [words, providers, types, statuses, duplicateOf].some((condition) => condition !== undefined)
}

async function conditionsOf(store: Store, scope: Scope, filters: Filters): Promise<Conditions> {
  const statuses = filters.status?.map(statusOf)
  const words = filters.q === undefined ? undefined : searchWordsOf(filters.q)
  const organizations: OrganizationId[] | undefined =
    filters.organization === undefined ? undefined : await organizationIdsOf(store, scope, filters.organization, 'organization')
  return {
    sort: filters.sort,
    ...(organizations && { organizations }),
    ...(filters.provider && { providers: filters.provider.map(foldCode) }),
    ...(filters.type && { types: filters.type.map(normaliseType) }),
    ...(statuses && { statuses }),
    ...(filters.created_from !== undefined && { createdFrom: filters.created_from }),
    ...(filters.created_to !== undefined && { createdTo: filters.created_to }),
    ...(filters.duplicate_of !== undefined && { duplicateOf: (await alertOf(store, scope, filters.duplicate_of)).uuid }),
    ...(words && { words }),
  }
}

const statusByWord = new Map<string, AlertStatus>(
  Object.values(AlertStatus).flatMap((status): [string, AlertStatus][] => [
    [String(status), status],
    [alertStatusNames[status].toLowerCase(), status],
  ]),
)

function statusOf(word: string): AlertStatus {
  const status = statusByWord.get(word.toLowerCase())
  if (status !== undefined) return status
  const message = `must be one of ${[...statusByWord.keys()].join(', ')}`
  throw new TocsinError('query_invalid', 'The query names a status that does not exist.', [{ field: 'status', message }])
}
