import { inScope, type JournalRecord, type Millis, noDeaths, type PauseId } from '../../../domain/index.ts'
import type { RunStore } from '../../port/index.ts'
import { mustReach } from '../../scope-guard.ts'
import { within } from '../database/index.ts'
import { standingPauses } from '../guards/pauses.ts'
import { journalDocument } from '../journal/journal.ts'
import { toPending } from './run-documents.ts'
import type { RunTools } from './run-tools.ts'

/** Returns the earlier time. MongoDB sorts null before every number, so a missing field is replaced first. */
const sooner = (field: string, at: unknown) => ({ $min: [{ $ifNull: [field, at] }, at] })

/**
 * Holds the run, unless somebody woke it while it was running, for example to cancel it. Then the run is
 * looked at once more.
 */
const heldUnlessWoken = (pause: PauseId, at: Millis) => ({
  ...heldBy(pause, at),
  heldBy: { $cond: [{ $gt: ['$wokenAt', null] }, '$$REMOVE', pause] },
})

const heldBy = (pause: PauseId, since: Millis) => ({ heldBy: pause, heldSince: { $ifNull: ['$heldSince', since] } })

/**
 * Returns the update that makes a waiting run due at `at`, unless it is due sooner. A running run remembers
 * it until it sleeps.
 */
export function wokenBy(at: Millis) {
  return {
    wakeAt: { $cond: [{ $eq: ['$state', 'waiting'] }, sooner('$wakeAt', at), '$wakeAt'] },
    wokenAt: { $cond: [{ $eq: ['$state', 'running'] }, sooner('$wokenAt', at), '$$REMOVE'] },
  }
}

export function runSleeper({ collections, insertJournal, toShow }: RunTools): Pick<RunStore, 'sleep' | 'wake' | 'due' | 'hold' | 'release'> {
  const { runs } = collections
  return {
    async sleep(scope, { run: id, epoch, position, records, wakeAt, pause, at }) {
      const run = await runs.findOne({ _id: id }, { projection: { organization: 1 } })
      mustReach(run !== null && inScope(scope, run.organization), 'run')
      // Nobody claims a run that sleeps, so nobody else would show its claim.
      await toShow.now(id)
      const slept: JournalRecord = { kind: 'slept', until: wakeAt, ...(pause !== undefined && { pause }), at }
      if (!(await insertJournal(journalDocument(id, { position, epoch, format: 1, records: [...records, slept] })))) return 'superseded'
      const due = wakeAt === null ? { $ifNull: ['$wokenAt', null] } : sooner('$wokenAt', wakeAt)
      const { matchedCount } = await runs.updateOne({ _id: id, state: 'running', epoch }, [
        { $set: { state: 'waiting', wakeAt: due, ...(pause !== undefined && heldUnlessWoken(pause, at)) } },
        { $unset: 'wokenAt' },
      ])
      return matchedCount > 0 ? 'slept' : 'superseded'
    },
    async wake(scope, id, at) {
      // One write, so that the run cannot fall asleep between a read and a write.
      await runs.updateOne({ _id: id, state: { $in: ['waiting', 'running'] }, ...within(scope) }, [{ $set: wokenBy(at) }])
    },
    async hold(scope, id, pause, since) {
      const waits = { state: { $in: ['waiting', 'running'] as const }, cancelled: null }
      await runs.updateOne({ _id: id, ...waits, ...within(scope) }, [{ $set: heldBy(pause, since) }])
    },
    async release(scope, limit) {
      const over = { heldBy: { $exists: true, $nin: await standingPauses(collections) }, ...within(scope) }
      const found = await runs
        .find(over, { projection: { _id: 1 } })
        .limit(limit)
        .toArray()
      if (found.length === 0) return 0
      const { modifiedCount } = await runs.updateMany({ _id: { $in: found.map(({ _id }) => _id) }, ...over }, { $unset: { heldBy: '' } })
      return modifiedCount
    },
    async due(scope, now, limit, skip = 0) {
      const found = await runs
        .find({ state: 'waiting', heldBy: null, wakeAt: { $lte: now }, ...within(scope) })
        .sort({ wakeAt: 1 })
        .skip(skip)
        .limit(limit)
        .toArray()
      // A run that slept has made progress.
      return found.map((run) => toPending(run, { ...(run.deaths ?? noDeaths), inPlace: 0 }))
    },
  }
}
