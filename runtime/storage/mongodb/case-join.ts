import type { CaseAlert, CaseJoin, Millis, OrganizationId, RunId } from '../../domain/index.ts'
import type { Collections } from './collections.ts'
import type { RunCase } from './run-documents.ts'
import { storedEntry } from './timeline.ts'

export interface Joining {
  readonly organization: OrganizationId
  readonly alert: CaseAlert
  readonly run: RunId
  readonly join: CaseJoin
  readonly at: Millis
  readonly written: number
}

/**
 * Continues the organization's case of a join key: alert and entry are one write. Only one case of a key is `joinable`, by a unique index,
 * so two alerts that come at once meet in one case: the second cannot open another, and comes here. A case that is closed, or was last
 * changed too long ago, gives its place up. Null: there is none, and one is to be opened.
 */
export async function joinCase({ cases }: Collections, { organization, alert, run, join, at, written }: Joining): Promise<RunCase | null> {
  const key = `${run}#joined`
  const body = { kind: 'joined', text: `Alert ${alert.alertId} continues this case` } as const
  const place = { organization, joinKey: join.key, joinable: true } as const
  const joined = await cases.findOneAndUpdate(
    { ...place, status: { $ne: 'closed' }, modifiedAt: { $gte: at - join.within }, alert: { $ne: alert.alertUuid } },
    {
      $push: {
        alert: alert.alertUuid as never,
        alerts: alert,
        recent: { key, ...storedEntry({ key, at, actor: { run, step: '' }, body }, written) },
      },
      $max: { modifiedAt: at },
    },
    { projection: { caseId: 1 } },
  )
  if (joined) return { uuid: joined._id, caseId: joined.caseId }
  await cases.updateOne(
    { ...place, alert: { $ne: alert.alertUuid }, $or: [{ status: 'closed' }, { modifiedAt: { $lt: at - join.within } }] },
    { $unset: { joinable: '' } },
  )
  return null
}
