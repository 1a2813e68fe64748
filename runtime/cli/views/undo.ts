import type { Answer } from '../client.ts'
import { bold, clipped, listOf, plain, table } from '../print.ts'

const widest = 60

function short(value: unknown): string {
  return clipped(value, widest)
}

function writeCells(write: Answer): string[] {
  return [short(write['skill'] ?? write['step']), short(write['target'] ?? ''), short(write['connection'] ?? '')]
}

const held: Readonly<Record<string, string>> = { approval: 'needs an approval', protected: 'target is protected: stays as it is' }

/** Returns the plan of an undo: the writes that it would undo, and those that it would not. */
export function planText(plan: Answer): string {
  const steps = listOf(plan['steps']).map((step) => [...writeCells(step['undoes'] as Answer), short(step['skill']), held[String(step['held'])] ?? ''])
  const parts = steps.length > 0 ? [table(['WRITE', 'ON', 'WITH', 'UNDONE BY', 'NOTE'], steps)] : ['No write of this run can be undone.']
  return [...parts, ...leftText(plan['left'])].join('\n\n')
}

function leftText(left: unknown): string[] {
  const rows = listOf(left).map(({ write, code, message }) => [...writeCells(write as Answer), plain(code), plain(message)])
  return rows.length === 0 ? [] : [table(['NOT UNDONE', 'ON', 'WITH', 'CODE', 'REASON'], rows)]
}

const words: Readonly<Record<string, string>> = { in_doubt: 'in doubt', not_begun: 'not started', pending: 'pending' }

/** Returns the result of an undo, or its progress so far. */
export function undoText(undo: Answer): string {
  const { run_id: id, state, error } = undo['run'] as Answer
  const asked = undo['requested_by_name'] ? `, requested by ${plain(undo['requested_by_name'])}` : ''
  const rows = listOf(undo['steps']).map(({ undoes, skill, outcome, code, message }) => [
    ...writeCells(undoes as Answer),
    short(skill),
    words[String(outcome)] ?? plain(outcome),
    code === null ? '' : `${plain(code)}: ${plain(message)}`,
  ])
  const why = error ? ` ${plain((error as Answer)['code'])}: ${plain((error as Answer)['message'])}` : ''
  const head = `${bold(plain(id))}  ${bold(plain(state))}${asked}${why}`
  return [head, table(['WRITE', 'ON', 'WITH', 'UNDONE BY', 'OUTCOME', 'REASON'], rows), ...leftText(undo['left'])].join('\n\n')
}

/** Returns the plan of an undo, its result, or both. */
export function undoAnswerText({ plan, undo }: Answer): string {
  return [...(plan ? [planText(plan as Answer)] : []), ...(undo ? [undoText(undo as Answer)] : [])].join('\n\n')
}
