import { AlertStatus, type AlertUuid, deathsPreparing, type Scope, type SessionId, stricterNeeded } from '../../../domain/index.ts'
import type { PendingAlert, Preparing } from '../../port/index.ts'
import type { Collections } from '../database/index.ts'
import { within } from '../database/index.ts'
import { sessionStates } from '../runs/sessions.ts'
import type { AlertDocument } from './alert-documents.ts'

/** Turns alert documents into pending alerts, with the number of processes that died while they prepared them. */
export async function toPending(collections: Collections, found: readonly AlertDocument[]): Promise<PendingAlert[]> {
  const states = await sessionStates(
    collections,
    found.flatMap(({ preparing }) => preparing?.session ?? []),
  )
  return found.map(({ _id, organization, typeKey, retryCount, preparing: mark = null }) => {
    const deaths = deathsPreparing(mark, retryCount + 1, mark?.session ? (states.get(mark.session) ?? null) : null)
    return { uuid: _id, organization, type: typeKey ?? '', retryCount, deaths }
  })
}

/** See `AlertStore.prepare`. */
export async function notePreparing(
  collections: Collections,
  scope: Scope,
  uuid: AlertUuid,
  { attempt, session, among }: Preparing,
): Promise<number> {
  const { alerts } = collections
  const waits = { _id: uuid, status: { $in: [AlertStatus.created, AlertStatus.submitted] }, retryCount: attempt - 1 }
  // Mostly nobody has prepared the alert before. Then this one write is all.
  const fresh = await alerts.updateOne(
    { ...waits, ...within(scope), preparing: { $exists: false } },
    { $set: { preparing: { attempt, session, deaths: 0 } } },
  )
  if (fresh.matchedCount > 0) return 0
  const found = await alerts.findOne({ _id: uuid, ...within(scope) }, { projection: { preparing: 1 } })
  if (!found) return 0
  const mark = found.preparing ?? null
  const state = mark?.session ? ((await sessionStates(collections, [mark.session])).get(mark.session) ?? null) : null
  const deaths = deathsPreparing(mark, attempt, state)
  if (stricterNeeded({ inPlace: deaths, total: deaths }, among)) return deaths
  const others = mark?.attempt === attempt && mark.session !== session && state === 'alive'
  // Write only if the mark is still as it was read, to keep what another session has noted since.
  const asRead = mark ? { 'preparing.session': mark.session, 'preparing.attempt': mark.attempt } : { preparing: { $exists: false } }
  if (!others) await alerts.updateOne({ ...waits, ...asRead }, { $set: { preparing: { attempt, session, deaths } } })
  return deaths
}

/** See `AlertStore.prepared`. */
export async function noteWaiting({ alerts }: Collections, scope: Scope, uuid: AlertUuid, session: SessionId): Promise<void> {
  await alerts.updateOne({ _id: uuid, ...within(scope), 'preparing.session': session }, { $set: { 'preparing.session': null } })
}
