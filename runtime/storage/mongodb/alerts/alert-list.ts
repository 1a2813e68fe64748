import type { Filter } from 'mongodb'
import { type Alert, AlertStatus, type Scope } from '../../../domain/index.ts'
import type { AlertConditions, AlertPosition, AlertQuery, AlertTally, Page } from '../../port/index.ts'
import type { Collections } from '../database/index.ts'
import { following, pageOf, within } from '../database/index.ts'
import { type AlertDocument, alertFields, isNumbered, toAlert } from './alert-documents.ts'
import { searchFor } from './alert-words.ts'

const none: Page<Alert> = { items: [], more: false }

/** Returns the conditions on plain fields: all except those on words, content and case. */
export function filterOf(scope: Scope, conditions: AlertConditions): Filter<AlertDocument>[] {
  const { providers, types, statuses, finished, playbooks, duplicateOf } = conditions
  const filters: Filter<AlertDocument>[] = rangeOf(scope, conditions)
  if (providers) filters.push({ providerFolded: { $in: [...providers] } })
  // The second condition adds nothing, but MongoDB uses the index of open alerts only if the query contains it.
  if (types) filters.push({ typeKey: { $in: [...types] } }, { typeKey: { $type: 'string' } })
  if (statuses) filters.push({ status: { $in: [...statuses] } })
  if (finished === true) filters.push({ status: { $gte: AlertStatus.completed } })
  if (finished === false) filters.push({ status: { $lt: AlertStatus.completed } }, { typeKey: { $type: 'string' } })
  if (playbooks) filters.push({ investigator: { $in: [...playbooks] } })
  if (duplicateOf !== undefined) filters.push({ 'duplicateOf.alertUuid': duplicateOf })
  return filters
}

/** The scope, the organizations and the time range. The indexes serve them. */
function rangeOf(scope: Scope, { organizations, createdFrom, createdTo }: AlertConditions): Filter<AlertDocument>[] {
  const filters: Filter<AlertDocument>[] = [within(scope, organizations), { sequence: { $gt: 0 } }]
  if (createdFrom !== undefined) filters.push({ createdAt: { $gte: createdFrom } })
  if (createdTo !== undefined) filters.push({ createdAt: { $lt: createdTo } })
  return filters
}

interface Found {
  readonly filters: readonly Filter<AlertDocument>[]
  readonly rare: boolean
}

/** Returns all conditions, and whether MongoDB should look up alerts by the blocks of their words. Null if no alert can match. */
async function allOf({ alertWords, cases }: Collections, scope: Scope, conditions: AlertConditions): Promise<Found | null> {
  const { words = [], contains, case: ofCase } = conditions
  const filters = filterOf(scope, conditions)
  const searched = words.length + (contains?.words.length ?? 0) > 0
  const search = searched ? await searchFor(alertWords, words, contains?.words) : undefined
  if (search === null) return null
  if (search) filters.push(search.filter)
  if (contains) {
    // `$toLower` folds ASCII letters only. MongoDB evaluates an expression after the conditions on fields.
    const text = contains.text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    filters.push({ $expr: { $gte: [{ $indexOfBytes: [{ $toLower: '$content' }, { $literal: text }] }, 0] } })
  }
  if (ofCase !== undefined) {
    const found = await cases.findOne({ _id: ofCase }, { projection: { alerts: 1 } })
    const members = (found?.alerts ?? []).map(({ alertUuid }) => alertUuid)
    filters.push({ case: ofCase }, { $or: [{ _id: { $in: members } }, { 'duplicateOf.alertUuid': { $in: members } }] })
  }
  return { filters, rare: search?.rare ?? false }
}

export async function listAlerts(collections: Collections, scope: Scope, query: AlertQuery): Promise<Page<Alert>> {
  const { sort, limit, preview, after } = query
  const all = await allOf(collections, scope, query)
  if (all === null) return none
  const direction = sort === 'created_at' ? 1 : -1
  const beyond = after ? following<AlertDocument>('createdAt', after.createdAt, after.uuid, sort === 'created_at' ? '$gt' : '$lt') : []
  const found = await collections.alerts
    .find(
      { $and: [...all.filters, ...beyond] },
      {
        // The server cuts the content. Otherwise a page of a hundred alerts could have a hundred megabytes.
        projection: { ...alertFields, content: { $substrCP: ['$content', 0, preview] } },
        sort: { createdAt: direction, _id: direction },
        limit: limit + 1,
        allowDiskUse: true,
        ...(all.rare && { hint: { block: 1 } }),
      },
    )
    .toArray()
  return pageOf(found.filter(isNumbered).map(toAlert), limit)
}

/** Finds where the next alerts by time end, and counts what matches among them. If words leave few candidates, it counts them all at once. */
export async function tallyAlerts(
  collections: Collections,
  scope: Scope,
  conditions: AlertConditions,
  after: AlertPosition | null,
  examine: number,
): Promise<AlertTally> {
  const { alerts } = collections
  const all = await allOf(collections, scope, conditions)
  if (all === null) return { matching: 0, next: null }
  const beyond = after ? following<AlertDocument>('createdAt', after.createdAt, after.uuid) : []
  if (all.rare) return { matching: await alerts.countDocuments({ $and: [...all.filters, ...beyond] }, { hint: { block: 1 } }), next: null }
  const [last] = await alerts
    .find(
      { $and: [...rangeOf(scope, conditions), ...beyond] },
      { projection: { createdAt: 1 }, sort: { createdAt: -1, _id: -1 }, skip: examine - 1, limit: 1 },
    )
    .toArray()
  const next = last ? { createdAt: last.createdAt, uuid: last._id } : null
  const until: Filter<AlertDocument>[] = next
    ? [{ createdAt: { $gte: next.createdAt } }, { $or: [{ createdAt: { $gt: next.createdAt } }, { _id: { $gte: next.uuid } }] }]
    : []
  return { matching: await alerts.countDocuments({ $and: [...all.filters, ...beyond, ...until] }), next }
}
