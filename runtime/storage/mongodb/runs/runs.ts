import type { Filter } from 'mongodb'
import { type AlertUuid, byOpening, deathsAfter, inScope, noDeaths, type Run } from '../../../domain/index.ts'
import type { RunStore } from '../../port/index.ts'
import { forgetWindows } from '../alerts/fingerprints.ts'
import { fewStates, following, readPage, sortedInMemory, within } from '../database/index.ts'
import { runCanceller } from './run-cancel.ts'
import { runClaimer } from './run-claim.ts'
import { type RunDocument, toPending, toRun } from './run-documents.ts'
import { deathsNow, executionEnd } from './run-reclaim.ts'
import { settleRuns } from './run-settle.ts'
import { runSleeper } from './run-sleep.ts'
import type { RunTools } from './run-tools.ts'
import { undoRuns } from './run-undo.ts'
import { sessionStates } from './sessions.ts'

/** The `RunStore` of the port on MongoDB. */
export function runStore(tools: RunTools, end: RunStore['end']): RunStore {
  const { runs, sessions } = tools.collections
  /** Adds the case to runs. A run is visible only once its case exists. Until then, its claim is still under way. */
  const withCase = async (alert: AlertUuid, found: readonly RunDocument[]): Promise<Run[]> => {
    const theCase = found.length > 0 ? await tools.caseOfAlert(alert) : null
    return theCase ? found.map((run) => toRun(run, { uuid: theCase._id, caseId: theCase.caseId })) : []
  }

  return {
    claim: runClaimer(tools),
    end,
    ...runCanceller(tools),
    ...undoRuns(tools),
    ...runSleeper(tools),
    async get(scope, id) {
      const found = await runs.findOne({ _id: id })
      if (!found || !inScope(scope, found.organization)) return null
      return (await withCase(found.alert, [found]))[0] ?? null
    },
    async list(scope, { organizations, types, playbooks, states, startedFrom, after, limit }) {
      const filters: Filter<RunDocument>[] = [within(scope, organizations)]
      if (types) filters.push({ type: { $in: [...types] } })
      if (playbooks) filters.push({ 'pins.playbook.name': { $in: [...playbooks] } })
      if (states) filters.push({ state: { $in: [...states] } })
      if (states && !states.includes('completed')) filters.push({ state: { $in: [...fewStates] } })
      if (startedFrom !== undefined) filters.push({ startedAt: { $gte: startedFrom } })
      if (after) filters.push(...following<RunDocument>('startedAt', after.startedAt, after.id))
      const page = await sortedInMemory((allowDiskUse) =>
        readPage(runs.find({ $and: filters }, { sort: { startedAt: -1, _id: -1 }, limit: limit + 1, allowDiskUse }), limit),
      )
      return { ...page, items: (await Promise.all(page.items.map((run) => withCase(run.alert, [run])))).flat() }
    },
    async ofAlert(scope, alert) {
      // A run's id consists of the id of its alert and the attempt.
      const found = await runs.find({ _id: { $gte: `${alert}-r`, $lt: `${alert}-s` } as never, undo: { $exists: false }, ...within(scope) }).toArray()
      return withCase(
        alert,
        found.sort((a, b) => a.attempt - b.attempt),
      )
    },
    async undosOfAlert(scope, alert) {
      const found = await runs.find({ _id: { $gte: `${alert}-r`, $lt: `${alert}-s` } as never, undo: { $exists: true }, ...within(scope) }).toArray()
      return (await withCase(alert, found)).sort(byOpening)
    },
    async orphans(scope, limit) {
      const alive = await sessions.find({ state: 'alive' }, { projection: { _id: 1 } }).toArray()
      const left = { state: 'running', heldBy: null, owner: { $nin: alive.map(({ _id }) => _id) }, ...within(scope) } as const
      const found = await sortedInMemory((allowDiskUse) => runs.find(left, { sort: { epoch: 1 }, limit, allowDiskUse }).toArray())
      const states = await sessionStates(
        tools.collections,
        found.map(({ owner }) => owner),
      )
      return Promise.all(
        found.map(async (run) => {
          const end = executionEnd(run, states.get(run.owner) ?? null, null) ?? 'left'
          const { epoch, deaths = noDeaths } = run
          // The journal is only needed if a process has died in the run. It shows whether the run has made
          // progress since.
          return toPending(run, deaths.inPlace === 0 ? deathsAfter({ epoch, deaths }, [], end) : await deathsNow(tools.collections, run, end))
        }),
      )
    },
    forgetWindows: (scope, before) => forgetWindows(tools.collections, scope, before),
    settle: (scope, limit) => settleRuns(tools, scope, limit),
  }
}
