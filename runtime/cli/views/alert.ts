import type { Answer } from '../client.ts'
import { bold, dim, linesText, listOf, plain, time } from '../print.ts'
import { deathLines } from './deaths.ts'
import { heldText } from './pause.ts'
import { attentionLines, undoneText, verdictLines } from './standing.ts'

/** The most characters of the content that are shown. */
const mostContent = 2_000

function contentLines(alert: Answer): string[] {
  const content = plain(alert['alert_content'])
  if (content.length <= mostContent) return [dim(content)]
  return [
    dim(content.slice(0, mostContent)),
    `… ${content.length - mostContent} more characters: tocsin alert show ${plain(alert['alert_id'])} --json`,
  ]
}

function runLines(run: Answer): string[] {
  const failure = run['failure'] as Answer | null
  const why = failure
    ? ` ${plain(failure['code'])}${failure['step'] ? ` at ${plain(failure['step'])}` : ''}: ${plain(failure['message'])}`
    : ` ${plain(run['reason'])}${run['wake_at'] ? `until ${time(run['wake_at'])} at most` : ''}`
  return [
    `  attempt ${plain(run['attempt'])}  ${bold(plain(run['state']))}${why}`,
    ...(failure?.['remedy'] ? [`    ${plain(failure['remedy'])}`] : []),
    ...deathLines(run).map((line) => `  ${line}`),
    ...listOf(run['undone_by']).map(undoneText),
    ...(run['retry_at'] ? [`    automatic retry at ${time(run['retry_at'])}`] : []),
    `    ${plain(run['playbook'])}, ${time(run['started_at'])}${run['ended_at'] ? ` to ${time(run['ended_at'])}` : ''} · tocsin run show ${plain(run['run_id'])}`,
  ]
}

function caseLines(found: Answer | null): string[] {
  if (found === null) return []
  const { case_id: id, title, severity, status, disposition } = found
  return [
    `  case ${bold(plain(id))} ${plain(title)} · severity ${plain(severity)} · status ${plain(status)} · disposition ${plain(disposition)} · tocsin case show ${plain(id)}`,
    ...attentionLines({ ...found, attention: listOf(found['attention']).filter(({ kind }) => kind !== 'run_failed') }),
    ...verdictLines(found),
  ]
}

/** Returns an alert as text for a terminal. */
export function alertText(alert: Answer): string {
  const id = plain(alert['alert_id'])
  const type = alert['alert_type'] === null ? 'no type: not investigated' : `type ${plain(alert['alert_type'])}`
  const repeated = Number(alert['duplicates'])
  const runs = listOf(alert['runs'])
  const lines = [
    `${bold(id)}  ${plain(alert['alert_name'])}  ${bold(plain(alert['status_name']))}`,
    `  ${type} · provider ${plain(alert['alert_provider'])} · organization ${plain(alert['organization_code'])}`,
    `  created ${time(alert['created_at'])}${alert['completed_at'] ? ` · completed ${time(alert['completed_at'])}` : ''} · ${plain(alert['alert_uuid'])}`,
    ...listOf(alert['pauses']).map(heldText),
    ...(alert['duplicate_of'] ? [`  duplicate of ${plain(alert['duplicate_of'])}, which was investigated instead`] : []),
    ...(repeated > 0 ? [`  ${repeated} ${repeated === 1 ? 'duplicate' : 'duplicates'} · tocsin alert list --duplicate-of ${id}`] : []),
    ...caseLines(alert['case'] as Answer | null),
    ...listOf(alert['open_decisions']).map(
      ({ id: decision, kind, title }) =>
        `  ${bold(kind === 'in_doubt' ? 'in doubt' : plain(kind))} ${plain(title)} · tocsin decision show ${plain(decision)}`,
    ),
    ...runs.flatMap(runLines),
    ...(alert['status_name'] === 'Failed' ? [`  to retry${runs.at(-1)?.['retry_at'] ? ' now' : ''}: tocsin alert retry ${id}`] : []),
  ]
  return [linesText(lines), '', ...contentLines(alert).map((line) => line.trimEnd())].join('\n')
}
