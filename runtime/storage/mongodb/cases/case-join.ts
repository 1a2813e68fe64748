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
 * Puts an alert that was a duplicate into the case that it has: alert and entry are one write. Null: it is in it, or there is no such case (a crash may have left
 * one in the alert's projection that was not written).
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
          // One by itself, where none could join.
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

/** This field exists only in a case that is full. */
const full = `alerts.${mostAlertsOfCase - 1}`

/**
 * Continues the organization's case with a join key. Alert and entry are one write. A unique index allows only one `joinable` case for a key. So if
 * two alerts come at once, the second cannot open another case and joins this one. A case that is closed or full, or was last changed too long ago,
 * stops being joinable. Null: there is no such case, and the caller must open one.
 */
export async function joinCase({ cases }: Collections, { organization, alert, run, join, at, written }: Joining): Promise<RunCase | null> {
  const entry = joinedEntry(run, alert, at, written)
  const place = { organization, joinKey: join.key, joinable: true } as const
  const joined = await cases.findOneAndUpdate(
    { ...place, status: { $ne: 'closed' }, modifiedAt: { $gte: at - join.within }, alert: { $ne: alert.alertUuid }, [full]: { $exists: false } },
    {
      $push: {
        alert: alert.alertUuid as never,
        alerts: alert,
        recent: entry,
      },
      $max: { modifiedAt: at },
    },
    { projection: { caseId: 1 } },
  )
  if (joined) return { uuid: joined._id, caseId: joined.caseId }
  await cases.updateOne(
    {
      ...place,
      alert: { $ne: alert.alertUuid },
      $or: [{ status: 'closed' }, { modifiedAt: { $lt: at - join.within } }, { [full]: { $exists: true } }],
    },
    { $unset: { joinable: '' } },
  )
  return null
}
