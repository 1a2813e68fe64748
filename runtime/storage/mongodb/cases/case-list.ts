import type { Filter, FindOptions } from 'mongodb'
import {
  type Case,
  type CasePosition,
  type CaseSort,
  type CaseUuid,
  casePosition,
  type Scope,
  severities,
  severityStep,
} from '../../../domain/index.ts'
import type { CaseQuery, Page } from '../../port/index.ts'
import { type Collections, following, openStatuses, readPage, within } from '../database/index.ts'
import { type CaseDocument, caseFields, toCase } from './case-documents.ts'
import { leavesFew, mostFew } from './few.ts'
import { readCases } from './read-cases.ts'
import { type CaseKey, type CaseSegments, notKnown, notKnownIndex, searchAll, searchInOrder } from './words/index.ts'

/** If more cases than this are in no segment, as there are while the index is built for the first time, they are not read for other orders. */
const longestBeside = 10_000

/** Returns the conditions on plain fields: all except those on words. */
function plainConditions(scope: Scope, query: CaseQuery): Filter<CaseDocument>[] {
  const { organizations, statuses, severities: severe, dispositions, assignees, tags, createdFrom, createdTo, attention } = query
  return [
    within(scope, organizations),
    statuses ? { status: { $in: [...statuses] } } : {},
    statuses && !statuses.includes('closed') ? { status: { $in: [...openStatuses] } } : {},
    severe ? { severity: { $in: [...severe] } } : {},
    dispositions ? { disposition: { $in: [...dispositions] } } : {},
    assignees ? { assignee: { $in: [...assignees] } } : {},
    tags ? { 'desk.tags': { $in: [...tags] } } : {},
    createdFrom === undefined ? {} : { createdAt: { $gte: createdFrom } },
    createdTo === undefined ? {} : { createdAt: { $lt: createdTo } },
    attention === undefined ? {} : { attention: attention ? true : { $exists: false } },
  ] as Filter<CaseDocument>[]
}

function conditions(scope: Scope, query: CaseQuery): Filter<CaseDocument> {
  const said = (query.words ?? []).map((word) => ({ $or: ['caseId', 'title', 'summary'].map((field) => ({ [field]: containing(word) })) }))
  return { $and: [...plainConditions(scope, query), ...(said as Filter<CaseDocument>[])] }
}

function containing(word: string): RegExp {
  // BSON cannot carry a NUL in a pattern.
  return new RegExp(word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\0', '\\x00'), 'i')
}

export async function listCases(collections: Collections, segments: CaseSegments, scope: Scope, query: CaseQuery): Promise<Page<Case>> {
  const { sort = '-created_at' } = query
  const found = await saying(collections, segments, scope, { ...query, sort })
  if (found) return casesOf(await readPage(inOrder(collections, found), query.limit))
  if (sort === 'severity' || sort === '-severity') return readBySeverity(collections, scope, query, sort)
  return casesOf(await readOrdered(collections, scope, { ...query, sort }))
}

/**
 * Returns the cases of the page, as the index of words finds them, in the order of the list. Null if there are no words, if another filter
 * leaves few cases, or if so many cases say the words that following another order takes less time.
 */
async function saying(
  { cases }: Collections,
  segments: CaseSegments,
  scope: Scope,
  query: CaseQuery & { readonly sort: CaseSort },
): Promise<readonly CaseUuid[] | null> {
  const { words = [], sort, limit, after } = query
  if (!words.some((word) => word.trim() !== '') || (await leavesFew(cases, query))) return null
  const all = conditions(scope, query)
  const readKeys = async <Key extends CaseKey>(
    own: readonly object[],
    hint: Readonly<Record<string, 1>>,
    options: FindOptions,
  ): Promise<readonly Key[]> =>
    cases.find<Key>({ $and: [...own, all] } as Filter<CaseDocument>, { projection: { createdAt: 1 }, ...options, hint }).toArray()
  const these = (uuids: readonly CaseUuid[]): object => ({ _id: { $in: [...uuids] } })

  if (sort === 'created_at' || sort === '-created_at') {
    const direction = sort === 'created_at' ? 1 : -1
    const beyond = after ? following<CaseDocument>('createdAt', after.key, after.uuid, direction === 1 ? '$gt' : '$lt') : []
    const options: FindOptions = { sort: { createdAt: direction, _id: direction }, limit: limit + 1 }
    const read = {
      among: (uuids: readonly CaseUuid[]) => readKeys([these(uuids), ...beyond], { _id: 1 }, options),
      notKnown: () => readKeys([notKnown, ...beyond], notKnownIndex, options),
    }
    return searchInOrder({ segments, scope, query, read }, direction)
  }
  const read = {
    among: (uuids: readonly CaseUuid[]) =>
      readKeys<OrderedKey>([these(uuids)], { _id: 1 }, { projection: { createdAt: 1, modifiedAt: 1, severity: 1 } }),
    notKnown: () => readKeys([notKnown], notKnownIndex, { limit: mostFew + 1 }),
  }
  const stored = await cases.estimatedDocumentCount()
  const found = await searchAll({ segments, scope, query, read }, { stored, longestBeside, most: mostFew })
  return found && ordered(await read.among(found), sort, after).slice(0, limit + 1)
}

interface OrderedKey extends CaseKey, Pick<CaseDocument, 'modifiedAt' | 'severity'> {}

/** Returns the cases that come after a position, in the order of the list. */
function ordered(keys: readonly OrderedKey[], sort: CaseSort, after: CasePosition | null): CaseUuid[] {
  const direction = sort.startsWith('-') ? -1 : 1
  const compare = (a: CasePosition, b: CasePosition): number => direction * (a.key - b.key || (a.uuid < b.uuid ? -1 : Number(a.uuid > b.uuid)))
  return keys
    .map(({ _id: uuid, ...key }) => casePosition({ uuid, ...key }, sort))
    .filter((position) => !after || compare(after, position) < 0)
    .sort(compare)
    .map(({ uuid }) => uuid)
}

/** How many documents are read at once for a page. */
const readAtOnce = 64

/** Reads these cases, a few at a time: a page takes only as many as fit into it. */
async function* inOrder({ cases }: Collections, uuids: readonly CaseUuid[]): AsyncGenerator<CaseDocument> {
  for (let from = 0; from < uuids.length; from += readAtOnce) {
    yield* await readCases(cases, uuids.slice(from, from + readAtOnce), caseFields)
  }
}

/** Reads one severity after the other, each by its index. Sorting all cases would take longer with every case. */
async function readBySeverity(collections: Collections, scope: Scope, query: CaseQuery, sort: 'severity' | '-severity'): Promise<Page<Case>> {
  const [direction, order] = sort === 'severity' ? ([1, 'created_at'] as const) : ([-1, '-created_at'] as const)
  const { after, limit, severities: wanted = severities } = query
  const begun = after && Math.floor(after.key / severityStep)
  const items: CaseDocument[] = []
  for (const severity of direction === 1 ? severities : severities.toReversed()) {
    const rank = severities.indexOf(severity)
    if (!wanted.includes(severity) || (begun !== null && (rank - begun) * direction < 0)) continue
    const from = after && rank === begun ? { key: after.key - rank * severityStep, uuid: after.uuid } : null
    const part = await readOrdered(collections, scope, { ...query, severities: [severity], sort: order, after: from, limit: limit - items.length })
    items.push(...part.items)
    if (part.more) return casesOf({ items, more: true })
  }
  return casesOf({ items, more: false })
}

function readOrdered({ cases }: Collections, scope: Scope, query: CaseQuery & { readonly sort: CaseSort }): Promise<Page<CaseDocument>> {
  const { sort, after, limit } = query
  const [beyond, direction] = sort.startsWith('-') ? (['$lt', -1] as const) : (['$gt', 1] as const)
  const field = fieldOf(sort)
  const found = cases.find(
    { $and: [besideWords(query, field), conditions(scope, query), ...(after ? following<CaseDocument>(field, after.key, after.uuid, beyond) : [])] },
    { projection: caseFields, sort: { [field]: direction, _id: direction }, limit: limit + 1 },
  )
  return readPage(found, limit)
}

/**
 * Returns a condition that adds nothing. But if there are only words, MongoDB would try for a second whether indexes find one of the fields that
 * may have them. (Seen with `explain` in 7.0.)
 */
function besideWords({ words = [] }: CaseQuery, field: 'modifiedAt' | 'createdAt'): Filter<CaseDocument> {
  return words.length > 0 ? { [field]: { $gte: 0 } } : {}
}

function fieldOf(sort: CaseSort): 'modifiedAt' | 'createdAt' {
  return sort.endsWith('modified_at') ? 'modifiedAt' : 'createdAt'
}

function casesOf({ items, more }: Page<CaseDocument>): Page<Case> {
  return { items: items.map(toCase), more }
}
