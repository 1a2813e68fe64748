import type { Answer } from '../client.ts'
import { bold, dim, linesText, listOf, plain, time } from '../print.ts'

/** Returns a decision as text for a terminal. */
export function decisionText(found: Answer): string {
  const by = (found['by'] ?? []) as readonly string[]
  const who = by.length === 0 ? 'anybody who may answer decisions' : by.map(plain).join(', ')
  const needed = Number(found['approvers']) > 1 ? ` (${plain(found['approvers'])} needed)` : ''
  const head = [
    `${bold(plain(found['title']))}  ${bold(plain(found['state']))}`,
    `  ${plain(found['kind'])} ${plain(found['id'])}`,
    `  case ${plain(found['case_id'])} · playbook ${plain(found['playbook'])} · step ${plain(found['step'])}`,
    `  asked ${time(found['asked_at'])}${found['expires_at'] ? ` · expires ${time(found['expires_at'])}` : ''} · for ${who}${needed}`,
  ]
  const waiting = Number((found['quota'] as Answer | null)?.['waiting'] ?? 0)
  const others =
    found['state'] === 'open' && waiting > 1
      ? [
          `  ${bold(String(waiting - 1))} more wait for this quota. To give all the same answer: tocsin decision answer ${plain(found['id'])} <verdict> --same-quota`,
        ]
      : []
  const actions = listOf(found['actions']).flatMap((action) => [
    `  ${plain(action['skill'])}${action['target'] ? ` on ${plain(action['target'])}` : ''} via ${plain(action['connection'])}`,
    `    ${dim(plain(action['input']))}`,
  ])
  const answers = listOf(found['answers']).map(
    (answer) => `  ${dim(time(answer['at']))} ${plain(answer['by'])}: ${bold(plain(answer['verdict']))} ${plain(answer['reason'])}`,
  )
  return linesText([...head, ...others, ...actions, ...answers])
}
