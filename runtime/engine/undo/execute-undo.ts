import type { Alert, Run, TimelineEntry } from '../../domain/index.ts'
import type { RunOutcome } from '../end/run-outcome.ts'
import { failed } from '../failure/failed.ts'
import type { Execution } from '../run/execution.ts'
import { bodyStop } from '../run/flow/body-stop.ts'
import { bodyFrame } from '../run/flow/frame.ts'
import { runPlaybookBody } from '../run/flow/playbook-body.ts'
import { Variables } from '../run/flow/variables.ts'
import { runSteps } from '../run/run-steps.ts'
import { runContext } from '../run/values/template-context.ts'
import { shownTarget } from '../write/resolve-unknown-write.ts'
import type { NotUndone, UndoDocument, UndoStep } from './document.ts'
import { askedBy } from './undone-entries.ts'

/**
 * Undoes the writes of a run, after the case says who asked for it.
 * @throws signals that interrupt the run
 */
export async function executeUndo(execution: Execution, alert: Alert, document: UndoDocument): Promise<RunOutcome> {
  await execution.record(null, askedEntry(execution.run, document))
  const roots = runContext(alert, {}, execution.plan, execution.run)
  const frame = bodyFrame('', roots, new Variables(), new Variables({ case_id: execution.run.caseId }), bodyStop(execution, ''))
  await runPlaybookBody(execution, frame, execution.plan.steps, runSteps)
  execution.cancel.check()
  const not = document.steps.flatMap((step) => {
    const left = frame.steps[step.id] as { readonly status?: string; readonly error?: { readonly code: string } } | undefined
    return left?.status === 'done' ? [] : [`${nameOf(step)}: ${left?.error?.code ?? (left?.status === 'skipped' ? 'protected' : 'not begun')}`]
  })
  if (not.length === 0) return { state: 'completed', reason: null, failure: null }
  const message = `${not.length} of ${document.steps.length} writes were not undone (${not.join('; ')}).`
  return { state: 'failed', reason: null, failure: failed('undo_incomplete', message, null) }
}

function nameOf({ integration, skill, targets }: UndoStep): string {
  return `${integration}.${skill}${targets.length === 0 ? '' : ` on ${shownTarget(targets.join(','))}`}`
}

/** Returns the timeline entry that says who wants a run undone, and what will and will not be undone. */
export function askedEntry(run: Run, { run: undoes, steps, left }: UndoDocument): TimelineEntry {
  const { principal, by, reason } = askedBy(run)
  const text = [...(reason === null ? [] : [reason]), countLine(steps.length, left.length), ...left.map(leftLine)].join('\n')
  const body = { kind: 'undo', undoes, text, asked: { undo: run.id, by, reason } } as const
  return { key: `${run.id}#undo`, at: run.startedAt, actor: { principal }, body }
}

function countLine(undone: number, left: number): string {
  if (left === 0) return undone === 1 ? 'The only write of the run is to be undone.' : `All ${undone} writes of the run are to be undone.`
  return `${undone} of the ${undone + left} writes of the run ${undone === 1 ? 'is' : 'are'} to be undone.`
}

function leftLine({ write, message }: NotUndone): string {
  const what = write.skill === null ? write.address : `${write.skill}${write.target === null ? '' : ` on ${shownTarget(write.target)}`}`
  return `Not undone: ${what}: ${message}`
}
