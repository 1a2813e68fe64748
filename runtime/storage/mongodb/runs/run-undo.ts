import { inScope } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import type { RunStore } from '../../port/index.ts'
import { toRun, unclaimed } from './run-documents.ts'
import { reclaimRun } from './run-reclaim.ts'
import type { RunTools } from './run-tools.ts'

/** Opens and claims runs that undo other runs. They belong to the case of their alert, like all its runs. */
export function undoRuns(tools: RunTools): Pick<RunStore, 'openUndo' | 'claimUndo'> {
  const { collections, insertRun, caseOfAlert } = tools
  return {
    async openUndo(scope, opening) {
      const undone = await collections.runs.findOne({ _id: opening.undo.run })
      if (!undone || !inScope(scope, undone.organization) || undone.endedAt === null) return null
      const theCase = await caseOfAlert(undone.alert)
      if (!theCase) return null
      const fresh = unclaimed(opening, undone)
      const standing = (await insertRun(fresh)) ? fresh : await collections.runs.findOne({ _id: opening.run })
      return standing && toRun(standing, { uuid: theCase._id, caseId: theCase.caseId })
    },
    async claimUndo(scope, claim) {
      const standing = await collections.runs.findOne({ _id: claim.run })
      if (!standing?.undo || !inScope(scope, standing.organization)) return { kind: 'over' }
      return reclaimRun(tools, standing, claim, async ({ alert }) => {
        const theCase = await caseOfAlert(alert)
        if (!theCase) throw new TocsinError('internal', `The case of the alert ${alert} is gone.`)
        return { uuid: theCase._id, caseId: theCase.caseId }
      })
    },
  }
}
