import type { Answer } from '../client.ts'
import { bold, linesText, listOf, plain, time } from '../print.ts'
import { deathLines } from './deaths.ts'
import { heldText } from './pause.ts'
import { undoneText } from './standing.ts'

/** Returns what became of the run, on the line of its id, and the lines below that. */
function stateLines(run: Answer): string[] {
  const { state, waiting, cancelled, error, retry_at: retryAt } = run as Record<string, Answer | undefined> & { retry_at?: unknown }
  const parts = [bold(plain(state))]
  if (waiting) {
    const count = listOf(waiting['decisions']).length
    if (count > 0) parts.push(`for ${count === 1 ? 'a decision' : `${count} decisions`}`)
    // A held run continues when it is resumed, so its time says nothing.
    if (waiting['until'] && listOf(run['pauses']).length === 0) parts.push(`until ${time(waiting['until'])}`)
  }
  if (error) parts.push(`${plain(error['code'])}${error['step'] ? ` at ${plain(error['step'])}` : ''}: ${plain(error['message'])}`)
  else if (run['reason']) parts.push(plain(run['reason']))
  const lines = [parts.join(' ')]
  if (error?.['remedy']) lines.push(`  ${plain(error['remedy'])}`)
  if (cancelled)
    lines.push(`  cancelled by ${plain(cancelled['by'])} at ${time(cancelled['at'])}${cancelled['reason'] ? `: ${plain(cancelled['reason'])}` : ''}`)
  lines.push(...deathLines(run))
  if (retryAt) lines.push(`  automatic retry at ${time(retryAt)}`)
  return lines
}

/** What a person can do about a run that has ended. */
function nextLines(run: Answer): string[] {
  const undone = listOf(run['undone_by']).flatMap((undo) => [undoneText(undo).slice(2)])
  if (undone.length > 0) undone.push(`    result for each write: tocsin run undo ${plain(run['run_id'])} --plan`)
  if (run['undoes'] || run['ended_at'] === null) return undone
  const writes = listOf(run['writes']).length
  const wrote =
    undone.length === 0 && writes > 0 ? [`  to undo its ${writes === 1 ? 'write' : `${writes} writes`}: tocsin run undo ${plain(run['run_id'])}`] : []
  const again = run['state'] === 'failed' ? [`  to retry${run['retry_at'] ? ' now' : ''}: tocsin alert retry ${plain(run['alert_uuid'])}`] : []
  return [...undone, ...wrote, ...again]
}

function requestLine({ by, reason }: Answer): string {
  return `  requested by ${bold(plain(by ?? 'somebody'))}${reason ? `: ${plain(reason)}` : ''}`
}

/** Returns a run as text for a terminal, without its steps. */
export function runText(run: Answer): string {
  const policy = `policy revision ${plain(run['policy_revision'])}`
  const connections = listOf(run['connections']).map(
    // An undo has no slots of a playbook. Its slots have the ids of their connections.
    ({ slot, id, instance, revision }) => `${slot === id ? '' : `${plain(slot)} = `}${plain(instance)} (revision ${plain(revision)})`,
  )
  const [state = '', ...below] = stateLines(run)
  const head = [
    `${bold(plain(run['run_id']))}  ${state}`,
    ...below,
    `  playbook ${plain(run['playbook'])} · case ${plain(run['case_id'])} · organization ${plain(run['organization_code'])} · attempt ${plain(run['attempt'])}${run['undoes'] ? ` · undoes ${plain(run['undoes'])}` : ''}${run['retry_of'] ? `, after ${plain(run['retry_of'])}` : ''}`,
    ...(run['requested_by'] ? [requestLine(run['requested_by'] as Answer)] : []),
    `  began ${time(run['started_at'])}${run['ended_at'] ? ` · ended ${time(run['ended_at'])}` : ''} · ${policy}`,
    ...(connections.length > 0 ? [`  connections ${connections.join(', ')}`] : []),
  ]
  const doubts = listOf(run['in_doubt']).map(
    ({ step, skill, since, decision }) =>
      `  ${bold('in doubt')} ${plain(step)} ${plain(skill)}, sent ${time(since)}${decision ? ` · tocsin decision show ${plain(decision)}` : ''}`,
  )
  const open = listOf(run['decisions'])
    .filter(({ kind }) => kind !== 'in_doubt')
    .map(({ id, title, kind }) => `  ${bold(plain(kind))} ${plain(title)} · tocsin decision show ${plain(id)}`)
  const held = listOf(run['pauses']).map(heldText)
  return linesText([...head, ...held, ...doubts, ...open, ...nextLines(run)])
}
