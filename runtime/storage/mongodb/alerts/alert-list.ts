import type { Filter } from 'mongodb'
import { type Alert, AlertStatus, type AlertUuid, type Scope } from '../../../domain/index.ts'
import type { AlertConditions, AlertPosition, AlertQuery, AlertStore, AlertTally, Page } from '../../port/index.ts'
import { isSearch, statesWanted, type Wanted, wantedOf } from '../../words/index.ts'
import type { Collections } from '../database/index.ts'
import { following, pageOf, sortedInMemory, within } from '../database/index.ts'
import { type AlertDocument, alertFields, isNumbered, toAlert } from './alert-documents.ts'
import { type BlockFound, blocksWith, hasWords } from './alert-words.ts'
import { isSelective, StateReader, type StateSearch } from './states/index.ts'
import { type FoundAlert, searchSegments } from './word-search.ts'
import { SegmentReader } from './word-segments.ts'

/** Returns the conditions on plain fields: all except those on words, content and case. */
export function filterOf(scope: Scope, conditions: AlertConditions): Filter<AlertDocument>[] {
  const { providers, types, statuses, finished, playbooks, duplicateOf } = conditions
  const filters: Filter<AlertDocument>[] = rangeOf(scope, conditions)
  if (providers) filters.push({ providerFolded: { $in: [...providers] } })
  // The second condition adds nothing, but MongoDB uses the index of open alerts only if the query contains it.
  if (types) filters.push({ typeKey: { $in: [...types] } }, { typeKey: { $type: 'string' } })
  if (statuses) filters.push({ status: { $in: [...statuses] } })
  if (finished === true) filters.push({ status: { $gte: AlertStatus.completed } })
  // The second condition adds nothing, as for types.
  if (isWaiting(conditions)) filters.push({ status: { $lt: AlertStatus.completed } }, { typeKey: { $type: 'string' } })
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

/** Returns the conditions on the content and on the case. */
async function furtherOf({ cases }: Collections, { contains, case: ofCase }: AlertConditions): Promise<Filter<AlertDocument>[]> {
  const filters: Filter<AlertDocument>[] = []
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
  return filters
}

/** Returns whether there are only statuses that no alert without a type has, and no ended one. */
function isWaiting({ statuses }: AlertConditions): boolean {
  return statuses?.every((status) => status === AlertStatus.submitted || status === AlertStatus.inProgress) ?? false
}

/** These conditions leave few alerts, and have an index. So the words of each of these alerts are read. */
function leavesFew(conditions: AlertConditions): boolean {
  const { case: ofCase, duplicateOf, finished } = conditions
  return ofCase !== undefined || duplicateOf !== undefined || finished === false || isWaiting(conditions)
}

/** Where to find the alerts: in blocks beside the segments, by pages of states. Null: without the index of words. */
type Place = { readonly blocks: readonly BlockFound[]; readonly states: StateSearch | null } | null | 'nowhere'

async function placeOf({ alertWords }: Collections, reader: StateReader, conditions: AlertConditions, { from, to }: Wanted): Promise<Place> {
  const few = leavesFew(conditions)
  // Both before segments and pages of states are read: alerts move from the one to the other.
  const [blocks, states] = await Promise.all([blocksWith(alertWords, conditions), few ? null : reader.begin(statesWanted(conditions), from, to)])
  if (blocks === 'nowhere') return 'nowhere'
  return few || !blocks ? null : { blocks, states }
}

function hasAnyWord({ words = [], contains }: AlertConditions): boolean {
  return words.length + (contains?.words.length ?? 0) > 0
}

/** Lists and counts alerts. */
export function alertLists(collections: Collections): Pick<AlertStore, 'list' | 'tally'> {
  const { alerts } = collections
  const [reader, stateReader] = [new SegmentReader(collections), new StateReader(collections)]

  /** Returns whether the index of words should find the alerts of a list. */
  async function isByIndex(scope: Scope, query: AlertQuery, wanted: Wanted, direction: 1 | -1): Promise<boolean> {
    if (hasAnyWord(query)) return true
    const states = statesWanted(query)
    if (leavesFew(query) || (!isSearch(query) && states.length === 0)) return false
    const { organizations } = query
    const { terms } = wantedOf(scope, organizations ? { organizations } : {}, null, direction)
    return isSelective(reader, stateReader, { wanted, states, unfiltered: { ...wanted, terms }, direction })
  }

  async function list(scope: Scope, query: AlertQuery): Promise<Page<Alert>> {
    const { sort, preview, after } = query
    const limit = query.limit + 1
    const direction = sort === 'created_at' ? 1 : -1
    const wanted = wantedOf(scope, query, after, direction)
    const place = (await isByIndex(scope, query, wanted, direction)) ? await placeOf(collections, stateReader, query, wanted) : null
    if (place === 'nowhere') return { items: [], more: false }
    // Without words, the index serves only filters that few alerts pass.
    const few = !hasAnyWord(query)
    const beyond = after ? following<AlertDocument>('createdAt', after.createdAt, after.uuid, direction === 1 ? '$gt' : '$lt') : []
    const filters = [...filterOf(scope, query), ...(await furtherOf(collections, query)), ...beyond]
    const read = (own: readonly Filter<AlertDocument>[], hint?: Readonly<Record<string, 1>>): Promise<AlertDocument[]> =>
      sortedInMemory((allowDiskUse) =>
        alerts
          .find(
            { $and: [...own, ...filters] },
            {
              // The server cuts the content. Otherwise a page of a hundred alerts could have a hundred megabytes.
              projection: { ...alertFields, content: { $substrCP: ['$content', 0, preview] } },
              sort: { createdAt: direction, _id: direction },
              limit,
              allowDiskUse,
              ...(hint && { hint }),
            },
          )
          .toArray(),
      )
    const loadBlocks = (blocks: readonly string[]): Promise<AlertDocument[]> => read([{ block: { $in: blocks } }, ...hasWords(query)], { block: 1 })
    const load = (ids: readonly AlertUuid[]): Promise<AlertDocument[]> => read([{ _id: { $in: ids } }], { _id: 1 })
    const loadNoted = (ids: readonly AlertUuid[]): Promise<AlertDocument[]> => read([{ _id: { $in: ids } }, ...hasWords(query)], { _id: 1 })
    const found = place && (await searchSegments({ reader, ...place, wanted, direction, limit, few, load, loadBlocks, loadNoted }))
    return pageOf((found ?? (await read(hasWords(query)))).filter(isNumbered).map(toAlert), query.limit)
  }

  /** Counts among the next alerts that the index of words finds. Null if that takes longer than without it. */
  async function tallyFound(
    place: Exclude<Place, null | 'nowhere'>,
    wanted: Wanted,
    scope: Scope,
    conditions: AlertConditions,
    after: AlertPosition | null,
    examine: number,
  ): Promise<AlertTally | null> {
    const beyond = after ? following<AlertDocument>('createdAt', after.createdAt, after.uuid) : []
    const [range, others] = [
      [...rangeOf(scope, conditions), ...beyond],
      [...filterOf(scope, conditions), ...(await furtherOf(collections, conditions))],
    ]
    const read = async (own: readonly Filter<AlertDocument>[], hint: Readonly<Record<string, 1>>): Promise<(FoundAlert & { matches: boolean })[]> => {
      const options = { projection: { createdAt: 1 }, sort: { createdAt: -1, _id: -1 }, limit: examine, hint } as const
      const find = (filters: readonly Filter<AlertDocument>[]) =>
        sortedInMemory((allowDiskUse) => alerts.find({ $and: [...own, ...filters] }, { ...options, allowDiskUse }).toArray())
      const [all, matching] = await Promise.all([find(range), find([...range, ...others])])
      const ids = new Set(matching.map(({ _id }) => _id))
      return all.map(({ _id, createdAt }) => ({ _id, createdAt, matches: ids.has(_id) }))
    }
    const loadBlocks = (blocks: readonly string[]) => read([{ block: { $in: blocks } }, ...hasWords(conditions)], { block: 1 })
    const load = (ids: readonly AlertUuid[]) => read([{ _id: { $in: ids } }], { _id: 1 })
    const loadNoted = (ids: readonly AlertUuid[]) => read([{ _id: { $in: ids } }, ...hasWords(conditions)], { _id: 1 })
    const found = await searchSegments({ reader, ...place, wanted, direction: -1, limit: examine, few: false, load, loadBlocks, loadNoted })
    if (!found) return null
    const last = found.at(-1)
    return {
      matching: found.filter(({ matches }) => matches).length,
      next: last && found.length === examine ? { createdAt: last.createdAt, uuid: last._id } : null,
    }
  }

  /** Finds where the next alerts by time end, and counts what matches among them. */
  async function tally(scope: Scope, conditions: AlertConditions, after: AlertPosition | null, examine: number): Promise<AlertTally> {
    const wanted = wantedOf(scope, conditions, after, -1)
    const place = hasAnyWord(conditions) ? await placeOf(collections, stateReader, conditions, wanted) : null
    if (place === 'nowhere') return { matching: 0, next: null }
    const tallied = place && (await tallyFound(place, wanted, scope, conditions, after, examine))
    if (tallied) return tallied
    const filters = [...filterOf(scope, conditions), ...hasWords(conditions), ...(await furtherOf(collections, conditions))]
    const beyond = after ? following<AlertDocument>('createdAt', after.createdAt, after.uuid) : []
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
    // Otherwise MongoDB may read all alerts whose id comes after that of the last one. What leaves few has an index of its own.
    const index = scope.organizations === 'all' && !conditions.organizations ? { createdAt: 1, _id: 1 } : { organization: 1, createdAt: 1, _id: 1 }
    const hint = leavesFew(conditions) ? {} : { hint: index }
    return { matching: await alerts.countDocuments({ $and: [...filters, ...beyond, ...until] }, hint), next }
  }

  return { list, tally }
}
