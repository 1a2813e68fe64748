import type { AnyBulkWriteOperation, Document, Filter } from 'mongodb'
import { type Delivery, type NewDelivery, reaches, type WebhookId } from '../../../domain/index.ts'
import type { DeliveryOutcome, DeliveryStore, LeasedDelivery } from '../../port/index.ts'
import { mustReach } from '../../scope-guard.ts'
import { itemFaults, repeatedOnce } from '../client/index.ts'
import type { Collections } from '../database/index.ts'
import { following, readPage, within } from '../database/index.ts'
import type { DeliveryDocument } from './delivery-documents.ts'

function toDelivery({ _id, since: _s, dueAt, holder: _h, endedAt: _e, ...rest }: DeliveryDocument): Delivery {
  return { id: _id, ...rest, nextAttemptAt: dueAt?.getTime() ?? null }
}

/** The condition for due deliveries, written so that MongoDB can use the index of waiting deliveries. */
export const dueNow = { dueAt: { $exists: true }, $expr: { $lte: ['$dueAt', '$$NOW'] } } as const
const inTime = (delay: number): Document => ({ $add: ['$$NOW', { $literal: delay }] })

/** Inserts a delivery, or leaves an existing one as it is. Only a pipeline has the server's time. */
function adding({ id, ...delivery }: NewDelivery): AnyBulkWriteOperation<DeliveryDocument> {
  const fresh = { ...delivery, state: 'waiting', attempts: 0, lastAttempt: null }
  const made = { $mergeObjects: [{ $literal: { _id: id, ...fresh } }, { since: '$$NOW', dueAt: '$$NOW' }] }
  const update = [{ $replaceWith: { $cond: [{ $eq: [{ $type: '$state' }, 'missing'] }, made, '$$ROOT'] } }]
  return { updateOne: { filter: { _id: id }, update, upsert: true } }
}

function settling(outcome: DeliveryOutcome): Document[] {
  if (outcome.kind === 'released') return [{ $set: { dueAt: '$$NOW' } }, { $unset: 'holder' }]
  const tried = { attempts: { $add: ['$attempts', 1] }, lastAttempt: { $literal: outcome.attempt } }
  if (outcome.kind === 'again') return [{ $set: { ...tried, dueAt: inTime(outcome.delay) } }, { $unset: 'holder' }]
  return [{ $set: { ...tried, state: outcome.kind, endedAt: '$$NOW' } }, { $unset: ['holder', 'dueAt'] }]
}

/** The `DeliveryStore` of the port on MongoDB. */
export function deliveryStore({ deliveries }: Collections): DeliveryStore {
  return {
    async add(scope, added) {
      for (const delivery of added) mustReach(reaches(scope, delivery.organization), 'delivery')
      if (added.length === 0) return
      try {
        await repeatedOnce(() => deliveries.bulkWrite(added.map(adding), { ordered: false }))
      } catch (error) {
        // If two calls add the same delivery at once, one of them gets a duplicate key. That is no error.
        for (const fault of itemFaults(error).values()) if (fault instanceof Error) throw fault
      }
    },
    async get(scope, id) {
      const found = await deliveries.findOne({ _id: id, ...within(scope) })
      return found && toDelivery(found)
    },
    async list(scope, { webhook, states, after, limit }) {
      const filters: Filter<DeliveryDocument>[] = [{ webhook, ...within(scope) }]
      if (states) filters.push({ state: { $in: [...states] } })
      if (after) filters.push(...following<DeliveryDocument>('createdAt', after.createdAt, after.id))
      const found = deliveries.find({ $and: filters }, { sort: { createdAt: -1, _id: -1 }, limit: limit + 1 })
      const page = await readPage(found, limit)
      return { ...page, items: page.items.map(toDelivery) }
    },
    async due(scope) {
      const found = await deliveries
        .aggregate<{ readonly _id: WebhookId }>([{ $match: { ...dueNow, ...within(scope) } }, { $group: { _id: '$webhook' } }])
        .toArray()
      return found.map(({ _id }) => _id)
    },
    async lease(scope, webhook, { holder, duration, limit }) {
      const mine: Filter<DeliveryDocument> = { webhook, ...dueNow, ...within(scope) }
      const found = await deliveries.find(mine, { projection: { _id: 1 }, sort: { dueAt: 1 }, limit }).toArray()
      if (found.length === 0) return []
      const ids = { _id: { $in: found.map(({ _id }) => _id) } }
      // If two callers found the same delivery, it is no longer due for the second.
      await deliveries.updateMany({ ...ids, ...dueNow }, [{ $set: { holder: { $literal: holder }, dueAt: inTime(duration) } }])
      const leased = await deliveries
        .aggregate<DeliveryDocument & { readonly age: number }>([
          { $match: { ...ids, holder } },
          { $set: { age: { $subtract: ['$$NOW', '$since'] } } },
        ])
        .toArray()
      return leased.map(({ age, ...document }): LeasedDelivery => ({ ...toDelivery(document), holder, age }))
    },
    async settle(scope, id, holder, outcome) {
      const { matchedCount } = await deliveries.updateOne({ _id: id, holder, ...within(scope) }, settling(outcome))
      return matchedCount > 0
    },
    async abandon(scope, webhook, attempt) {
      const given: Document[] = [{ $set: { state: 'dead', lastAttempt: { $literal: attempt }, endedAt: '$$NOW' } }, { $unset: ['holder', 'dueAt'] }]
      const { modifiedCount } = await deliveries.updateMany({ webhook, state: 'waiting', ...within(scope) }, given)
      return modifiedCount
    },
    async again(scope, id) {
      const found = await deliveries.findOneAndUpdate(
        { _id: id, ...within(scope) },
        [{ $set: { state: 'waiting', attempts: 0, since: '$$NOW', dueAt: '$$NOW' } }, { $unset: ['endedAt', 'holder'] }],
        { returnDocument: 'after' },
      )
      return found && toDelivery(found)
    },
    async prune(scope, state, age, limit) {
      const old = { state, endedAt: { $exists: true }, $expr: { $lte: ['$endedAt', { $subtract: ['$$NOW', age] }] } } as const
      const found = await deliveries.find({ ...old, ...within(scope) }, { projection: { _id: 1 }, limit }).toArray()
      if (found.length === 0) return 0
      const { deletedCount } = await deliveries.deleteMany({ _id: { $in: found.map(({ _id }) => _id) }, ...old })
      return deletedCount
    },
  }
}
