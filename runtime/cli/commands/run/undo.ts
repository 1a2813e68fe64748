import { systemClock } from '../../../config/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { type Answer, findTarget, Refused, request, type Target } from '../../client.ts'
import { mustConfirm } from '../../confirm.ts'
import { json as jsonText, listOf, plain } from '../../print.ts'
import { Progress } from '../../progress.ts'
import type { Shared } from '../../remote-command.ts'
import { heldText, planText, undoAnswerText, undoText } from '../../views/index.ts'

export interface UndoOptions extends Shared {
  readonly reason?: string
  readonly uncertain?: boolean
  readonly plan?: boolean
  readonly yes?: boolean
}

const lookEvery = 500

function pathOf(run: string): string {
  return `/platformapi/runs/${encodeURIComponent(run)}/undo`
}

/** An undo when the command stops following it: it has ended, or it waits for decisions of people or for a pause to end. */
interface Followed {
  readonly found: Answer
  readonly decisions: readonly unknown[]
  readonly pauses: readonly Answer[]
}

/** Polls until the undo has ended or waits for people. */
async function follow(target: Target, run: string, first: Answer): Promise<Followed> {
  let found = first
  const total = listOf((found['undo'] as Answer)['steps']).length
  const progress = new Progress('writes', total)
  let shown = 0
  try {
    for (;;) {
      const undo = found['undo'] as Answer
      const { run_id: id, state } = undo['run'] as Answer
      const done = listOf(undo['steps']).filter(({ outcome }) => outcome !== 'pending').length
      for (; shown < done; shown += 1) progress.step()
      if (state === 'completed' || state === 'failed') return { found, decisions: [], pauses: [] }
      if (state === 'waiting') {
        const waits = await request(target, 'GET', `/platformapi/runs/${encodeURIComponent(String(id))}`)
        const decisions = ((waits['waiting'] as Answer | null)?.['decisions'] ?? []) as readonly unknown[]
        const pauses = listOf(waits['pauses'])
        if (decisions.length + pauses.length > 0) return { found, decisions, pauses }
      }
      await systemClock.sleep(lookEvery)
      found = await request(target, 'GET', pathOf(run))
    }
  } finally {
    progress.end()
  }
}

function lookingAt(run: string): string {
  return `To see its progress: tocsin run undo ${plain(run)} --plan`
}

/** Shows the plan of the undo, asks, starts the undo and follows it. The exit status is 1 unless everything in the plan was undone. */
export async function undoRun(run: string, options: UndoOptions): Promise<void> {
  const target = findTarget(options)
  const also = options.uncertain ? '?uncertain=true' : ''
  let found = await request(target, 'GET', `${pathOf(run)}${also}`)
  const plan = found['plan'] as Answer | null
  if (options.plan) return console.log(options.json ? jsonText(found) : undoAnswerText(found))
  const steps = listOf(plan?.['steps'])
  const more = steps.length > 0
  if (plan && (more || found['undo'] === null)) console.error(planText(plan))
  if (!more && found['undo'] === null) throw new TocsinError('undo_nothing', `No write of the run ${run} can be undone.`)
  if (more && !options.yes) {
    const which = steps.length === 1 ? 'this write' : `these ${steps.length} writes`
    await mustConfirm(`\nUndo ${which}? [y/N] `, `${run} was not undone.`, options)
  }
  if (plan && more) {
    const body = {
      plan: plan['digest'],
      ...(options.reason !== undefined && { reason: options.reason }),
      ...(options.uncertain && { uncertain: true }),
    }
    found = await request(target, 'POST', pathOf(run), body).catch((error: unknown) => {
      if (!(error instanceof Refused)) console.error(`The undo may have begun. It is safe to run this command again. ${lookingAt(run)}`)
      throw error
    })
  }
  const {
    found: last,
    decisions,
    pauses,
  } = await follow(target, run, found).catch((error: unknown) => {
    console.error(`The undo has been requested and continues without this command. ${lookingAt(run)}`)
    throw error
  })
  console.log(options.json ? jsonText(last) : undoText(last['undo'] as Answer))
  for (const id of decisions) console.error(`The undo waits for an answer: tocsin decision show ${plain(id)}`)
  for (const pause of pauses) console.error(`The undo is paused, and continues when somebody resumes it:\n${heldText(pause)}`)
  const { state } = (last['undo'] as Answer)['run'] as Answer
  process.exitCode = state === 'completed' ? 0 : 1
}
