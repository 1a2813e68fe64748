import type { Filter } from 'mongodb'
import type { Alert, Scope } from '../../../domain/index.ts'
import type { AlertQuery, Page } from '../../port/index.ts'
import type { Collections } from '../database/index.ts'
import { following, pageOf, within } from '../database/index.ts'
import { type AlertDocument, alertFields, isNumbered, toAlert } from './alert-documents.ts'
import { searchFor } from './alert-words.ts'

const none: Page<Alert> = { items: [], more: false }

/** Returns the conditions of a query, except its words. */
export function filterOf(scope: Scope, query: AlertQuery): Filter<AlertDocument>[] {
  const { organizations, providers, types, statuses, createdFrom, createdTo, duplicateOf, after, sort } = query
  const filters: Filter<AlertDocument>[] = [within(scope, organizations), { sequence: { $gt: 0 } }]
  if (providers) filters.push({ providerFolded: { $in: [...providers] } })
  // The second condition adds nothing, but MongoDB uses the index of open alerts only if the query contains it.
  if (types) filters.push({ typeKey: { $in: [...types] } }, { typeKey: { $type: 'string' } })
  if (statuses) filters.push({ status: { $in: [...statuses] } })
  if (createdFrom !== undefined) filters.push({ createdAt: { $gte: createdFrom } })
  if (createdTo !== undefined) filters.push({ createdAt: { $lt: createdTo } })
  if (duplicateOf !== undefined) filters.push({ 'duplicateOf.alertUuid': duplicateOf })
  if (after) filters.push(...following<AlertDocument>('createdAt', after.createdAt, after.uuid, sort === 'created_at' ? '$gt' : '$lt'))
  return filters
}

export async function listAlerts({ alerts, alertWords }: Collections, scope: Scope, query: AlertQuery): Promise<Page<Alert>> {
  const { words, sort, limit, preview } = query
  const search = words && words.length > 0 ? await searchFor(alertWords, words) : undefined
  if (search === null) return none
  const direction = sort === 'created_at' ? 1 : -1
  const filters = filterOf(scope, query)
  const found = await alerts
    .find(
      { $and: search ? [...filters, search.filter] : filters },
      {
        // The server cuts the content. Otherwise a page of a hundred alerts could have a hundred megabytes.
        projection: { ...alertFields, content: { $substrCP: ['$content', 0, preview] } },
        sort: { createdAt: direction, _id: direction },
        limit: limit + 1,
        allowDiskUse: true,
        ...(search?.rare && { hint: { block: 1 } }),
      },
    )
    .toArray()
  return pageOf(found.filter(isNumbered).map(toAlert), limit)
}
