import type { Answer } from '../client.ts'
import { bold, dim, listOf, plain, time } from '../print.ts'

/** The most writes that are listed. The timeline has all of them. */
const mostWrites = 10

const writeStates: Readonly<Record<string, string>> = { stands: 'in effect', undone: 'UNDONE', in_doubt: 'IN DOUBT' }

function reasonOf(undo: Answer | undefined): string[] {
  return undo?.['reason'] ? [`      reason: ${plain(undo['reason'])}`] : []
}

/** What a person can do about a failed attempt. */
function afterFailure({ remedy, retry_at: retryAt, alert_id: alert }: Answer): string[] {
  const again = retryAt ? `automatic retry at ${time(retryAt)}; to retry now: ` : 'to retry: '
  return [...(remedy ? [`      ${plain(remedy)}`] : []), `      ${again}tocsin alert retry ${plain(alert)}`]
}

/** Why a person must look at a case, whatever its status: a few lines for each reason. */
export function attentionLines(found: Answer): string[] {
  return listOf(found['attention']).flatMap((one) => {
    const undo = one['undo'] as Answer | undefined
    return [
      `  ${bold('!')} ${bold(plain(one['text']))} ${dim(time(one['at']))}`,
      ...reasonOf(undo),
      ...(one['kind'] === 'run_failed' ? afterFailure(one) : []),
      `      tocsin run show ${plain(undo?.['undo_run_id'] ?? one['run_id'])}`,
    ]
  })
}

/** Returns the verdict of a case, and who superseded it. */
export function verdictLines(found: Answer): string[] {
  const { summary, superseded } = found
  if (!summary) return []
  if (!superseded) return [`  verdict: ${plain(summary)}`]
  const { by, at, text } = superseded as Answer
  return [`  verdict, ${bold('SUPERSEDED')} by ${plain(by)} at ${time(at)}: ${plain(text)}`, `      earlier verdict: ${dim(plain(summary))}`]
}

/** Returns the writes of a case, and whether each is still in effect. */
export function writeLines(found: Answer): string[] {
  const writes = listOf(found['writes'])
  const more = Number(found['more_writes'] ?? 0) + Math.max(0, writes.length - mostWrites)
  const lines = writes.slice(-mostWrites).map((write) => {
    const { skill, target, connection, state, outcome } = write
    const undo = write['undo'] as Answer | null
    const word = writeStates[String(state)] ?? plain(state)
    const by = undo && state !== 'stands' ? ` by ${plain(undo['by'] ?? 'somebody')} at ${time(undo['at'])}` : ''
    const how = outcome === undefined || outcome === 'done' ? '' : ` (${plain(outcome)})`
    const kept = undo && state === 'stands' ? ' (an undo did not change that)' : ''
    return `  wrote ${plain(skill)}${target ? ` on ${plain(target)}` : ''} via ${plain(connection)}: ${bold(word)}${how}${by}${kept}`
  })
  return more > 0 ? [...lines, `  and ${more} more writes: see the timeline`] : lines
}

/** Who undid a run or is undoing it, and why. */
export function undoneText({ run_id: id, state, by, reason, started_at: at }: Answer): string {
  const going = state === 'running' || state === 'waiting'
  const why = reason ? `: ${plain(reason)}` : ''
  const how = going ? 'being undone' : state === 'completed' ? 'undone' : 'partly undone, or not at all,'
  return `    ${bold(how)} by ${plain(by ?? 'somebody')}, requested ${time(at)}${why} · tocsin run show ${plain(id)}`
}
