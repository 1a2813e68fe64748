import {
  AlertStatus,
  type AlertUuid,
  type Fingerprint,
  type Millis,
  placeInWindow,
  repeatedEntry,
  type Scope,
  statusesBeforeClaim,
} from '../../../domain/index.ts'
import type { ClaimResult, RunClaim } from '../../port/index.ts'
import { storedEntry } from '../cases/timeline-documents.ts'
import type { Collections } from '../database/index.ts'
import { within } from '../database/index.ts'
import type { RunTools } from '../runs/run-tools.ts'
import type { AlertDocument, FingerprintDocument } from './alert-documents.ts'

const over: ClaimResult = { kind: 'over' }
const held: ClaimResult = { kind: 'held' }
const duplicate: ClaimResult = { kind: 'duplicate' }

type Standing = Pick<AlertDocument, '_id' | 'alertId' | 'status' | 'retryCount' | 'retryAt' | 'createdAt' | 'duplicateOf' | 'investigated'>

/**
 * Decides whether an alert is a duplicate. Returns null if it must be investigated. A crash can leave a
 * window whose first alert has no case yet. Its duplicates get `held` until the sweeper hands over the first
 * alert again and its claim completes.
 */
export function duplicateFinder(tools: RunTools): (claim: RunClaim, fingerprint: Fingerprint) => Promise<ClaimResult | null> {
  const { collections, insertFingerprint, insertEntry, caseOfAlert, written } = tools
  const { alerts, fingerprints, runs } = collections
  const alertOf = (uuid: AlertUuid): Promise<Standing | null> =>
    alerts.findOne({ _id: uuid }, { projection: { alertId: 1, status: 1, retryCount: 1, retryAt: 1, createdAt: 1, duplicateOf: 1, investigated: 1 } })
  const undecided = (alert: AlertUuid) => ({ _id: alert, status: { $in: [...statusesBeforeClaim] }, retryCount: 0 })

  /** Decides that the alert is investigated. Returns false if another claim has ended it as a duplicate meanwhile. */
  async function investigate(alert: AlertUuid): Promise<boolean> {
    return (await alerts.updateOne(undecided(alert), { $set: { investigated: true } })).matchedCount > 0
  }

  /** Makes the alert the first of a window. Returns false if the stored window has changed since it was read. */
  async function become(mine: FingerprintDocument, instead: FingerprintDocument | null): Promise<boolean> {
    if (instead === null) return insertFingerprint(mine)
    const { _id, ...window } = mine
    return (await fingerprints.updateOne({ _id, alert: instead.alert }, { $set: window })).matchedCount > 0
  }

  async function endAsDuplicate({ alert, at, pins }: RunClaim, first: Standing & { readonly alertId: string }): Promise<ClaimResult | null> {
    const theCase = await caseOfAlert(first._id)
    if (!theCase) return held
    const of = { alertId: first.alertId, alertUuid: first._id }
    const entry = repeatedEntry(of, at)
    // Write the entry first. The number of duplicates is counted when the entry is read, so without a
    // duplicate it says nothing.
    await insertEntry({ _id: { case: theCase._id, key: entry.key }, ...storedEntry(entry, written()) })
    const { matchedCount } = await alerts.updateOne(
      { ...undecided(alert), investigated: { $exists: false } },
      {
        $set: {
          status: AlertStatus.completed,
          modifiedAt: at,
          completedAt: at,
          investigator: pins.playbook.name,
          case: theCase._id,
          caseId: theCase.caseId,
          duplicateOf: of,
        },
        $unset: { waitingSince: '' },
      },
    )
    return matchedCount > 0 ? duplicate : null
  }

  return async (claim, { digest, within: duration }) => {
    const { organization, type, alert } = claim
    const _id = { organization, type, digest }
    for (;;) {
      const [begun, own, window] = await Promise.all([
        runs.findOne({ _id: claim.run }, { projection: { _id: 1 } }),
        alertOf(alert),
        fingerprints.findOne({ _id }),
      ])
      if (begun) return null
      // A late job: somebody has already asked for another attempt.
      if (!own || own.retryCount > 0 || own.status >= AlertStatus.completed) return over
      if (own.investigated) return null
      const mine = { _id, organization, alert, createdAt: own.createdAt, closesAt: own.createdAt + duration }
      if (window === null) {
        // Nobody else has found another first alert, so nobody ends this one as its duplicate.
        if (await become(mine, null)) return null
        continue
      }
      const place = window.alert === alert ? 'first' : placeInWindow(window.createdAt, own.createdAt, duration)
      const first = place === 'inside' ? await alertOf(window.alert) : null
      if (isStanding(first)) {
        const ended = await endAsDuplicate(claim, first)
        if (ended) return ended
        continue
      }
      const stays = place === 'first' || place === 'before'
      if ((stays || (await become(mine, window))) && (await investigate(alert))) return null
    }
  }
}

/**
 * Returns whether others may be duplicates of this alert: it is being investigated, has completed, or will be
 * retried automatically.
 */
function isStanding(first: Standing | null): first is Standing & { readonly alertId: string } {
  return first?.alertId !== undefined && !(first.status === AlertStatus.failed && !first.retryAt) && first.duplicateOf === undefined
}

export async function forgetWindows({ fingerprints }: Collections, scope: Scope, before: Millis): Promise<number> {
  return (await fingerprints.deleteMany({ closesAt: { $lt: before }, ...within(scope) })).deletedCount
}
