import type { Document, Filter } from 'mongodb'
import { type AlertFetch, inScope } from '../../../domain/index.ts'
import type { FetchStore, KnownFetch } from '../../port/index.ts'
import { mustReach } from '../../scope-guard.ts'
import { repeatedOnce } from '../client/index.ts'
import type { Collections } from '../database/index.ts'
import { readPage, within } from '../database/index.ts'
import type { FetchDocument } from './fetch-documents.ts'

/** A fetch that was read, and whether its lease lasts by the server's clock. */
interface ReadFetch extends FetchDocument {
  readonly leased?: boolean
}

function toKnown({ _id, state, dueAt: _d, holder: _h, begunAt, leased = false, input, ...fetch }: ReadFetch): KnownFetch {
  const known = { fetch: { id: _id, ...fetch, input: JSON.parse(input) as AlertFetch['input'] }, state }
  return leased && begunAt ? { ...known, begunAt: begunAt.getTime() } : known
}

/** Adds whether the lease lasts. */
const withLease = { $addFields: { leased: { $and: [{ $ne: ['$holder', null] }, { $gt: ['$dueAt', '$$NOW'] }] } } }

function toDocument({ id: _, input, ...fetch }: AlertFetch): Omit<FetchDocument, '_id' | 'state' | 'dueAt' | 'holder' | 'begunAt'> {
  return { ...fetch, input: JSON.stringify(input) }
}

/** The condition for fetches that are due, by the server's clock. */
export const fetchesDue = { enabled: true, $expr: { $lte: ['$dueAt', '$$NOW'] } } as const
const inTime = (delay: number): Document => ({ $add: ['$$NOW', { $literal: delay }] })

/** The `FetchStore` of the port on MongoDB. */
export function fetchStore({ fetches }: Collections): FetchStore {
  return {
    async create(scope, fetch, state) {
      const { id } = fetch
      mustReach(inScope(scope, fetch.organization), 'fetch')
      const made = { $mergeObjects: [{ $literal: { _id: id, ...toDocument(fetch), state, holder: null } }, { dueAt: '$$NOW' }] }
      // Only a pipeline has the server's time. A fetch that is there already stays as it is.
      const kept = { $cond: [{ $eq: [{ $type: '$state' }, 'missing'] }, made, '$$ROOT'] }
      const { upsertedCount } = await repeatedOnce(() => fetches.updateOne({ _id: id }, [{ $replaceWith: kept }], { upsert: true }))
      if (upsertedCount > 0) return
      // A try before this one may have made it.
      const found = await fetches.findOne({ _id: id, principal: fetch.principal }, { projection: { _id: 1 } })
      if (!found) throw new Error(`there is another fetch ${id}`)
    },
    async get(scope, id) {
      const [found] = await fetches.aggregate<ReadFetch>([{ $match: { _id: id, ...within(scope) } }, withLease]).toArray()
      return found ? toKnown(found) : null
    },
    async list(scope, { after, limit }) {
      const wanted = { ...within(scope), ...(after !== null && { _id: { $gt: after } }) }
      const found = fetches.aggregate<ReadFetch>([{ $match: wanted }, { $sort: { _id: 1 } }, { $limit: limit + 1 }, withLease])
      const page = await readPage(found, limit)
      return { ...page, items: page.items.map(toKnown) }
    },
    count: (scope, organization) => fetches.countDocuments({ $and: [{ organization }, within(scope)] }),
    failing: (scope) => fetches.countDocuments({ enabled: true, 'state.last.failure': { $type: 'object' }, ...within(scope) }),
    async revise(scope, next, since) {
      if (!inScope(scope, next.organization)) return 'changed'
      const changes = [
        { $set: { ...literals(toDocument(next)), dueAt: '$$NOW', holder: null } },
        ...(since === null ? [] : [{ $set: { 'state.since': { $literal: since } } }]),
      ]
      const { matchedCount } = await fetches.updateOne({ _id: next.id, revision: next.revision - 1, ...within(scope) }, changes)
      return matchedCount > 0 ? 'revised' : 'changed'
    },
    async remove(scope, id) {
      const { deletedCount } = await fetches.deleteOne({ _id: id, ...within(scope) })
      return deletedCount > 0
    },
    async hurry(scope, id, spacing) {
      // The clock of the process that made it may be ahead.
      const ended = { $min: ['$$NOW', { $add: [{ $literal: new Date(0) }, { $ifNull: ['$state.last.endedAt', 0] }] }] }
      const soonest = { $max: ['$$NOW', { $add: [ended, { $literal: spacing }] }] }
      // An attempt under way is at work already.
      const dueAt = { $cond: [{ $eq: ['$holder', null] }, { $min: ['$dueAt', soonest] }, '$dueAt'] }
      const { matchedCount } = await fetches.updateOne({ _id: id, ...within(scope) }, [{ $set: { dueAt } }])
      return matchedCount > 0
    },
    async due(scope, limit) {
      const found = await fetches.find({ ...fetchesDue, ...within(scope) }, { projection: { _id: 1 }, sort: { dueAt: 1, _id: 1 }, limit }).toArray()
      return found.map(({ _id }) => _id)
    },
    async lease(scope, id, { holder, duration }) {
      const mine: Filter<FetchDocument> = { _id: id, ...fetchesDue, ...within(scope) }
      const found = await fetches.findOneAndUpdate(mine, [{ $set: { holder: { $literal: holder }, dueAt: inTime(duration), begunAt: '$$NOW' } }])
      return found && toKnown(found)
    },
    async extend(scope, id, { holder, duration }) {
      const mine: Filter<FetchDocument> = { _id: id, holder, $expr: { $gt: ['$dueAt', '$$NOW'] }, ...within(scope) }
      const { matchedCount } = await fetches.updateOne(mine, [{ $set: { dueAt: inTime(duration) } }])
      return matchedCount > 0
    },
    async settle(scope, id, holder, state, delay) {
      const settled = { state: { $literal: state }, dueAt: inTime(delay), holder: null }
      const { matchedCount } = await fetches.updateOne({ _id: id, holder, ...within(scope) }, [{ $set: settled }])
      return matchedCount > 0
    },
  }
}

/** In a pipeline, texts that begin with `$` would be read as paths. */
function literals(values: object): Document {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { $literal: value as unknown }]))
}
