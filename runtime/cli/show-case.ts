import type { Answer } from './client.ts'
import { bold, clipped, dim, plain, time } from './print.ts'

const evidenceWidth = 120

function callText({ skill, connection, times, failed }: Answer): string {
  return `${plain(skill)} × ${plain(times)}${Number(failed) > 0 ? ` (${plain(failed)} failed)` : ''} via ${plain(connection)}`
}

function byWhom({ by }: Answer): string {
  const names = (by ?? []) as readonly string[]
  return names.length === 0 ? '' : ` by ${names.map(plain).join(', ')}`
}

function entryLines(entry: Answer): string[] {
  switch (entry['kind']) {
    case 'finding':
      return [
        `finding   [${plain(entry['risk'])}] ${plain(entry['title'])}`,
        ...(entry['evidence'] ? [`          ${dim(clipped(entry['evidence'], evidenceWidth))}`] : []),
      ]
    case 'lookups':
      return (entry['calls'] as Answer[]).map((call, index) => `${index === 0 ? 'looked up ' : '          '}${callText(call)}`)
    case 'action':
      return [
        `action    ${plain(entry['skill'])}${entry['target'] ? ` on ${plain(entry['target'])}` : ''} via ${plain(entry['connection'])}: ${bold(plain(entry['outcome']))}`,
      ]
    case 'protected':
      return [`protected ${bold(plain(entry['target']))} from ${plain(entry['skill'])} via ${plain(entry['connection'])}: ${plain(entry['text'])}`]
    case 'change':
      return [
        `change    ${Object.entries(entry['change'] as Answer)
          .map(([field, value]) => `${field} = ${plain(value)}`)
          .join(', ')}`,
      ]
    case 'decision':
      return [
        `decision  ${plain(entry['title'])} ${bold(plain(entry['state']))}${byWhom(entry)} ${dim(plain(entry['decision']))}`,
        ...(entry['text'] ? [`          ${plain(entry['text'])}`] : []),
      ]
    case 'undo': {
      const [first = '', ...rest] = plain(entry['text']).split('\n')
      return [`undo      ${bold(plain(entry['undoes']))} ${first}`, ...rest.map((line) => `          ${line}`)]
    }
    case 'retry':
      return [`retry     ${plain(entry['text'])}${entry['due'] ? ` ${dim(time(entry['due']))}` : ''}`]
    case 'cancelled':
      return [`cancelled by ${((entry['by'] ?? []) as readonly unknown[]).map(plain).join(', ')}${entry['text'] ? `: ${plain(entry['text'])}` : ''}`]
    case 'failure':
      return [`failure   ${plain(entry['code'])}: ${plain(entry['text'])}`]
    default:
      return [`${plain(entry['kind']).padEnd(10)}${plain(entry['text'])}`]
  }
}

/** A case as a person reads it on a terminal. */
export function caseText(found: Answer): string {
  const alerts = (found['alerts'] as Answer[]).map(({ alert_id }) => plain(alert_id)).join(', ')
  const head = [
    `${bold(plain(found['case_id']))}  ${bold(plain(found['title']))}`,
    `  severity ${plain(found['severity'])} · status ${plain(found['status'])} · disposition ${plain(found['disposition'])} · alert ${alerts}`,
    ...(found['summary'] ? [`  ${plain(found['summary'])}`] : []),
    ...((found['open_decisions'] ?? []) as Answer[]).map(
      ({ id, kind, title }) => `  ${bold(kind === 'in_doubt' ? 'in doubt' : plain(kind))} ${plain(title)} · tocsin decision show ${plain(id)}`,
    ),
  ]
  const lines = ((found['timeline'] ?? []) as Answer[]).flatMap((entry) => {
    const [first = '', ...rest] = entryLines(entry)
    return [`  ${dim(time(entry['at']).slice(11))}  ${first}`, ...rest.map((line) => `            ${line}`)]
  })
  return [...head, ...lines].join('\n')
}
