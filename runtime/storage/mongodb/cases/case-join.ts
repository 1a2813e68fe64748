import {
  type CaseAlert,
  type CaseJoin,
  type CaseUuid,
  continuesCase,
  type Millis,
  mostAlertsOfCase,
  type OrganizationId,
  type RunId,
} from '../../../domain/index.ts'
import type { Collections } from '../database/index.ts'
import type { RunCase } from '../runs/run-documents.ts'
import { type RecentEntry, storedEntry } from './timeline-documents.ts'

export interface Joining {
  readonly organization: OrganizationId
  readonly alert: CaseAlert
  readonly run: RunId
  readonly join: CaseJoin
  readonly at: Millis
  readonly written: number
}

function joinedEntry(run: RunId, { alertId }: CaseAlert, at: Millis, written: number): RecentEntry {
  const key = `${run}#joined`
  return { key, ...storedEntry({ key, at, actor: { run, step: '' }, body: { kind: 'joined', text: continuesCase(alertId) } }, written) }
}

/**
 * Adds an alert that was a duplicate to the case that it points to. Alert and entry are one write. Null if
 * the alert is in the case already, or if there is no such case, because a crash set the alert's case before
 * it was written.
 */
export async function continueCase(
  { cases }: Collections,
  uuid: CaseUuid,
  { organization, alert, run, at, written }: Omit<Joining, 'join'>,
): Promise<RunCase | null> {
  const one = (value: unknown) => [{ $literal: value }]
  const continued = await cases.findOneAndUpdate(
    { _id: uuid, organization, alert: { $ne: alert.alertUuid } },
    [
      {
        $set: {
          // It is a single value if no other alert could join.
          alert: { $concatArrays: [{ $cond: [{ $isArray: '$alert' }, '$alert', ['$alert']] }, one(alert.alertUuid)] },
          alerts: { $concatArrays: ['$alerts', one(alert)] },
          recent: { $concatArrays: ['$recent', one(joinedEntry(run, alert, at, written))] },
          modifiedAt: { $max: ['$modifiedAt', at] },
        },
      },
    ],
    { projection: { caseId: 1 } },
  )
  return continued && { uuid: continued._id, caseId: continued.caseId }
}

/** A field that exists only in a full case. */
const full = `alerts.${mostAlertsOfCase - 1}`

/**
 * Adds an alert to the organization's open case with a join key. If there are several, because one was reopened, to
 * the case that changed last. Alert and entry are one write. A unique index allows only one `joinable` case for each
 * key. So if two alerts arrive at once, the second cannot open another case and joins the first one's. A case that
 * is closed, full, or changed too long ago stops being joinable, so that another can be opened.
 * Null if there is no such case: the caller must open one.
 */
export async function joinCase({ cases }: Collections, { organization, alert, run, join, at, written }: Joining): Promise<RunCase | null> {
  const entry = joinedEntry(run, alert, at, written)
  const place = { organization, joinKey: join.key, alert: { $ne: alert.alertUuid } }
  const joined = await cases.findOneAndUpdate(
    { ...place, status: { $ne: 'closed' }, modifiedAt: { $gte: at - join.within }, [full]: { $exists: false } },
    {
      $push: {
        alert: alert.alertUuid as never,
        alerts: alert,
        recent: entry,
      },
      $max: { modifiedAt: at },
    },
    { projection: { caseId: 1 }, sort: { modifiedAt: -1, number: -1 } },
  )
  if (joined) return { uuid: joined._id, caseId: joined.caseId }
  await cases.updateOne(
    {
      ...place,
      joinable: true,
      $or: [{ status: 'closed' }, { modifiedAt: { $lt: at - join.within } }, { [full]: { $exists: true } }],
    },
    { $unset: { joinable: '' } },
  )
  return null
}
