import { systemClock } from '../config/index.ts'
import { TocsinError } from '../errors/index.ts'
import { type Answer, findTarget, Refused, request, type Target } from './client.ts'
import type { Shared } from './command.ts'
import { mustConfirm } from './confirm.ts'
import { bold, clipped, json as jsonText, listOf, plain, table } from './print.ts'
import { Progress } from './progress.ts'
import { heldText } from './show-pause.ts'

export interface UndoOptions extends Shared {
  readonly reason?: string
  readonly uncertain?: boolean
  readonly plan?: boolean
  readonly yes?: boolean
}

const lookEvery = 500
const widest = 60

function short(value: unknown): string {
  return clipped(value, widest)
}

function writeCells(write: Answer): string[] {
  return [short(write['skill'] ?? write['step']), short(write['target'] ?? ''), short(write['connection'] ?? '')]
}

const held: Readonly<Record<string, string>> = { approval: 'an approval', protected: 'nothing: it is protected, and left alone' }

/** What undoing would do, and what it would not. */
export function planText(plan: Answer): string {
  const steps = listOf(plan['steps']).map((step) => [...writeCells(step['undoes'] as Answer), short(step['skill']), held[String(step['held'])] ?? ''])
  const parts = steps.length > 0 ? [table(['WRITTEN', 'ON', 'WITH', 'IS UNDONE BY', 'NEEDS'], steps)] : ['Nothing of the run can be undone.']
  return [...parts, ...leftText(plan['left'])].join('\n\n')
}

function leftText(left: unknown): string[] {
  const rows = listOf(left).map(({ write, code, message }) => [...writeCells(write as Answer), plain(code), plain(message)])
  return rows.length === 0 ? [] : [table(['NOT UNDONE', 'ON', 'WITH', 'CODE', 'BECAUSE'], rows)]
}

const words: Readonly<Record<string, string>> = { in_doubt: 'in doubt', not_begun: 'not begun', pending: 'to come' }

/** What became of an undo. */
export function undoText(undo: Answer): string {
  const { run_id: id, state, error } = undo['run'] as Answer
  const asked = undo['requested_by_name'] ? `, asked for by ${plain(undo['requested_by_name'])}` : ''
  const rows = listOf(undo['steps']).map(({ undoes, skill, outcome, code, message }) => [
    ...writeCells(undoes as Answer),
    short(skill),
    words[String(outcome)] ?? plain(outcome),
    code === null ? '' : `${plain(code)}: ${plain(message)}`,
  ])
  const why = error ? ` ${plain((error as Answer)['code'])}: ${plain((error as Answer)['message'])}` : ''
  const head = `${bold(plain(id))}  ${bold(plain(state))}${asked}${why}`
  return [head, table(['WRITTEN', 'ON', 'WITH', 'UNDONE BY', 'OUTCOME', 'WHY'], rows), ...leftText(undo['left'])].join('\n\n')
}

function pathOf(run: string): string {
  return `/platformapi/runs/${encodeURIComponent(run)}/undo`
}

/** An undo as it is when there is nothing to follow any more, and what it waits for: decisions of people, and pauses that are to be resumed. */
interface Followed {
  readonly found: Answer
  readonly decisions: readonly unknown[]
  readonly pauses: readonly Answer[]
}

/** Looks until the undo has ended, or waits for people. */
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
  return `What becomes of it: tocsin run undo ${plain(run)} --plan`
}

/** Shows what undoing a run does, asks, and follows it. The exit status is 1 unless everything that was to be undone is. */
export async function undoRun(run: string, options: UndoOptions): Promise<void> {
  const target = findTarget(options)
  const also = options.uncertain ? '?uncertain=true' : ''
  let found = await request(target, 'GET', `${pathOf(run)}${also}`)
  const plan = found['plan'] as Answer | null
  if (options.plan) return console.log(options.json ? jsonText(found) : shownPlan(found))
  const steps = listOf(plan?.['steps'])
  const more = steps.length > 0
  if (plan && (more || found['undo'] === null)) console.error(planText(plan))
  if (!more && found['undo'] === null) throw new TocsinError('undo_nothing', `Nothing of the run ${run} can be undone.`)
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
      if (!(error instanceof Refused)) console.error(`It may have begun all the same. ${lookingAt(run)} Asked for again it is the same undo.`)
      throw error
    })
  }
  const {
    found: last,
    decisions,
    pauses,
  } = await follow(target, run, found).catch((error: unknown) => {
    console.error(`The undo was asked for, and goes on without this command. ${lookingAt(run)}`)
    throw error
  })
  console.log(options.json ? jsonText(last) : undoText(last['undo'] as Answer))
  for (const id of decisions) console.error(`It waits for people, and goes on when they have answered: tocsin decision show ${plain(id)}`)
  for (const pause of pauses) console.error(`It waits, and goes on when that is resumed:\n${heldText(pause)}`)
  const { state } = (last['undo'] as Answer)['run'] as Answer
  process.exitCode = state === 'completed' ? 0 : 1
}

function shownPlan({ plan, undo }: Answer): string {
  return [...(plan ? [planText(plan as Answer)] : []), ...(undo ? [undoText(undo as Answer)] : [])].join('\n\n')
}
