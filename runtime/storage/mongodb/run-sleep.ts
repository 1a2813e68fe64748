import { inScope, type JournalRecord, type Millis } from '../../domain/index.ts'
import type { RunStore } from '../port.ts'
import { journalDocument } from './journal.ts'
import { toPending } from './run-documents.ts'
import type { RunTools } from './run-tools.ts'
import { mustReach, within } from './scope.ts'

/** Missing is null, which is before every number; so it is left out of the comparison. */
const sooner = (field: string, at: unknown) => ({ $min: [{ $ifNull: [field, at] }, at] })

/** A waiting run is due then, if it is not due sooner; of a running one it is kept for when it sleeps. */
export function wokenBy(at: Millis) {
  return {
    wakeAt: { $cond: [{ $eq: ['$state', 'waiting'] }, sooner('$wakeAt', at), '$wakeAt'] },
    wokenAt: { $cond: [{ $eq: ['$state', 'running'] }, sooner('$wokenAt', at), '$$REMOVE'] },
  }
}

export function runSleeper({ collections, insertJournal }: RunTools): Pick<RunStore, 'sleep' | 'wake' | 'due'> {
  const { runs } = collections
  return {
    async sleep(scope, { run: id, epoch, position, records, wakeAt, at }) {
      const run = await runs.findOne({ _id: id }, { projection: { organization: 1 } })
      mustReach(run !== null && inScope(scope, run.organization), 'run')
      const slept: JournalRecord = { kind: 'slept', until: wakeAt, at }
      if (!(await insertJournal(journalDocument(id, { position, epoch, format: 1, records: [...records, slept] })))) return 'superseded'
      const due = wakeAt === null ? { $ifNull: ['$wokenAt', null] } : sooner('$wokenAt', wakeAt)
      const { matchedCount } = await runs.updateOne({ _id: id, state: 'running', epoch }, [
        { $set: { state: 'waiting', wakeAt: due } },
        { $unset: 'wokenAt' },
      ])
      return matchedCount > 0 ? 'slept' : 'superseded'
    },
    async wake(scope, id, at) {
      // One write, so that no sleep falls between a look and it.
      await runs.updateOne({ _id: id, state: { $in: ['waiting', 'running'] }, ...within(scope) }, [{ $set: wokenBy(at) }])
    },
    async due(scope, now, limit, skip = 0) {
      const found = await runs
        .find({ state: 'waiting', wakeAt: { $lte: now }, ...within(scope) })
        .sort({ wakeAt: 1 })
        .skip(skip)
        .limit(limit)
        .toArray()
      return found.map(toPending)
    },
  }
}
