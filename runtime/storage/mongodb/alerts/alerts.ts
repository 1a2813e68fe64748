import {
  type Alert,
  AlertStatus,
  type AlertUuid,
  type Clock,
  endedStatuses,
  type Ids,
  inScope,
  type Millis,
  type Scope,
} from '../../../domain/index.ts'
import type { AlertStore } from '../../port/index.ts'
import { mustReach } from '../../scope-guard.ts'
import { type BulkTurns, finder, inBulks } from '../client/index.ts'
import type { Collections } from '../database/index.ts'
import { sortedInMemory, takeNumbers, within } from '../database/index.ts'
import { standingPauses } from '../guards/pauses.ts'
import { type AlertDocument, alertFields, isNumbered, toAlert } from './alert-documents.ts'
import { alertInserter } from './alert-insert.ts'
import { alertLists } from './alert-list.ts'
import { numberLeft } from './alert-numbering.ts'
import type { LateWords } from './late-words.ts'
import { notePreparing, noteWaiting, toPending } from './preparing.ts'

/** The most alerts of one `repair`. The sweeper calls again. */
const mostRepaired = 1_000

interface Tools {
  readonly collections: Collections
  readonly turns: BulkTurns
  /** The turns of inserts alone. So an acknowledgement does not wait for bulks of runs. */
  readonly insertTurns: BulkTurns
  readonly clock: Clock
  readonly ids: Ids
  readonly late: LateWords
  /** Starts to build segments that are due. Nobody waits for it. */
  readonly seal: () => void
}

/** Returns the update for an alert that is investigated again. */
function handedOverAgain(at: Millis) {
  const set = { status: AlertStatus.submitted, modifiedAt: at, waitingSince: at, completedAt: null, retryAt: null }
  return { $set: set, $inc: { retryCount: 1 }, $unset: { duplicateOf: '' } } as const
}

/** Records that alerts were handed over. Calls with the same time and scope share a statement. */
function submitter(turns: BulkTurns, { alerts }: Collections) {
  interface HandOver {
    readonly scope: Scope
    readonly uuids: readonly AlertUuid[]
    readonly at: Millis
  }
  return inBulks<HandOver, void>(turns, 256, async (calls) => {
    const together = new Map<string, { readonly scope: Scope; readonly uuids: AlertUuid[]; readonly at: Millis }>()
    for (const { scope, uuids, at } of calls) {
      const key = JSON.stringify([scope.organizations, at])
      const group = together.get(key)
      if (group) group.uuids.push(...uuids)
      else together.set(key, { scope, uuids: [...uuids], at })
    }
    const statements = [...together.values()].map(({ scope, uuids, at }) => ({
      updateMany: {
        filter: { _id: { $in: uuids }, status: { $in: [AlertStatus.created, AlertStatus.submitted] }, waitingSince: { $gt: 0 }, ...within(scope) },
        // A pipeline, because only the step from 0 to 5 changes `modifiedAt`. Another handover does not.
        update: [
          {
            $set: {
              modifiedAt: { $cond: [{ $eq: ['$status', AlertStatus.created] }, at, '$modifiedAt'] },
              status: AlertStatus.submitted,
              waitingSince: { $max: ['$waitingSince', at] },
            },
          },
        ],
        hint: { _id: 1 },
      },
    }))
    await alerts.bulkWrite(statements, { ordered: false })
    return calls.map(() => () => undefined)
  })
}

/** The `AlertStore` of the port on MongoDB. */
export function alertStore({ collections, turns, insertTurns, clock, ids, late, seal }: Tools): AlertStore {
  const lists = alertLists(collections)
  const { alerts } = collections
  const take = takeNumbers(collections.counters)
  const insert = alertInserter({ collections, turns: insertTurns, take, clock, ids, late })
  const submit = submitter(turns, collections)
  const find = finder<AlertUuid, AlertDocument>(turns, alerts, '_id', alertFields)
  const own = (scope: Scope, document: AlertDocument | null): Alert | null =>
    isNumbered(document) && inScope(scope, document.organization) ? toAlert(document) : null

  return {
    async insert(scope, batch) {
      for (const { organization } of batch) mustReach(inScope(scope, organization), 'alert')
      return batch.length === 0 ? [] : insert(batch)
    },
    async get(scope, uuids) {
      const found = await Promise.all(uuids.map(find))
      return found.map((document) => own(scope, document)).filter((alert) => alert !== null)
    },
    async names(scope, uuids) {
      const found = await alerts
        .find({ _id: { $in: [...uuids] }, ...within(scope) })
        .project<AlertDocument>({ organization: 1, alertId: 1, name: 1, caseId: 1 })
        .toArray()
      return found.filter(isNumbered).map(({ _id, organization, alertId, name, caseId }) => ({ uuid: _id, organization, alertId, name, caseId }))
    },
    async byAlertId(scope, alertId) {
      return own(scope, await alerts.findOne({ alertId }, { projection: alertFields }))
    },
    ...lists,
    async submit(scope, uuids, at) {
      if (uuids.length > 0) await submit({ scope, uuids, at })
    },
    async retry(scope, uuid, at) {
      const retried = await alerts.findOneAndUpdate({ _id: uuid, status: { $in: [...endedStatuses] }, ...within(scope) }, handedOverAgain(at), {
        returnDocument: 'after',
        projection: alertFields,
      })
      const alert = own(scope, retried ?? (await alerts.findOne({ _id: uuid }, { projection: alertFields })))
      return alert && { retried: retried !== null, alert }
    },
    async retryDue(scope, now, limit) {
      const due = { status: AlertStatus.failed, retryAt: { $gt: 0, $lte: now } } as const
      const found = await alerts
        .find({ ...due, ...within(scope) })
        .project<AlertDocument>({ organization: 1, typeKey: 1, retryCount: 1 })
        .sort({ retryAt: 1 })
        .limit(limit)
        .toArray()
      const won = await Promise.all(
        found.map(async (alert) => {
          const { modifiedCount } = await alerts.updateOne({ _id: alert._id, retryCount: alert.retryCount, ...due }, handedOverAgain(now))
          return modifiedCount > 0 ? [{ ...alert, retryCount: alert.retryCount + 1 }] : []
        }),
      )
      return toPending(collections, won.flat())
    },
    async repeats(scope, first) {
      const filter = { 'duplicateOf.alertUuid': first, ...within(scope) }
      const [count, latest] = await Promise.all([
        alerts.countDocuments(filter),
        alerts.findOne(filter, { projection: { alertId: 1, createdAt: 1 }, sort: { createdAt: -1, _id: -1 } }),
      ])
      return { count, latest: latest?.alertId === undefined ? null : { alertId: latest.alertId, createdAt: latest.createdAt } }
    },
    async pending(scope, before, limit) {
      const found = await alerts
        .find({ waitingSince: { $lt: before }, ...within(scope) })
        .project<AlertDocument>({ organization: 1, typeKey: 1, retryCount: 1, preparing: 1 })
        .sort({ waitingSince: 1 })
        .limit(limit)
        .toArray()
      return toPending(collections, found)
    },
    prepare: (scope, uuid, preparing) => notePreparing(collections, scope, uuid, preparing),
    prepared: (scope, uuid, session) => noteWaiting(collections, scope, uuid, session),
    async hold(scope, uuid, pause) {
      const waits = { waitingSince: { $gt: 0 }, ...within(scope) }
      await alerts.updateOne({ _id: uuid, ...waits }, { $set: { heldBy: pause }, $unset: { waitingSince: '' } })
    },
    async heldBy(scope, uuid) {
      const found = await alerts.findOne({ _id: uuid, ...within(scope) }, { projection: { heldBy: 1 } })
      return found?.heldBy ?? null
    },
    async release(scope, at, limit) {
      const standing = await standingPauses(collections)
      const found = await sortedInMemory((allowDiskUse) =>
        alerts
          .find({ heldBy: { $exists: true, $nin: standing }, ...within(scope) }, { sort: { _id: 1 }, limit, allowDiskUse })
          .project<AlertDocument>({ organization: 1, typeKey: 1, retryCount: 1, status: 1, preparing: 1 })
          .toArray(),
      )
      if (found.length === 0) return []
      const waits = found.filter(({ status }) => status === AlertStatus.created || status === AlertStatus.submitted)
      const ids = (documents: readonly AlertDocument[]) => documents.map(({ _id }) => _id)
      // Repeat both conditions in the update: meanwhile a run may have claimed an alert, or a pause may hold it.
      const still = { heldBy: { $exists: true, $nin: standing } }
      const waiting = { status: { $in: [AlertStatus.created, AlertStatus.submitted] } }
      await alerts.updateMany({ _id: { $in: ids(waits) }, ...waiting, ...still }, { $set: { waitingSince: at }, $unset: { heldBy: '' } })
      // An alert that was claimed in spite of the pause no longer waits.
      await alerts.updateMany({ _id: { $in: ids(found) }, status: { $gt: AlertStatus.submitted }, ...still }, { $unset: { heldBy: '' } })
      return toPending(collections, waits)
    },
    async repair(scope, before) {
      seal()
      const left = await alerts
        .find({ unnumberedSince: { $lt: before }, ...within(scope) })
        .sort({ unnumberedSince: 1 })
        .limit(mostRepaired)
        .toArray()
      if (left.length === 0) return 0
      return (await numberLeft({ collections, take, clock, ids, late }, left)).written
    },
  }
}
