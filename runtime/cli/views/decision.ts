import type { Answer } from '../client.ts'
import { bold, dim, linesText, listOf, plain, time } from '../print.ts'

/** Why the key may not approve, by `cannot_approve`. */
const onlyDecline: Readonly<Record<string, string>> = {
  one_person: 'your key and that of an earlier approver count as one person, because one of them made the other',
  key_newer: 'it needs several people, and your key is newer than the question',
  key_chain: 'it needs several people, and too many keys made one another before yours',
}

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
  const only = onlyDecline[String(found['cannot_approve'])]
  const refused = found['state'] === 'open' && only !== undefined ? [`  you can only decline: ${only}`] : []
  const actions = listOf(found['actions']).flatMap((action) => [
    `  ${plain(action['skill'])}${action['target'] ? ` on ${plain(action['target'])}` : ''} via ${plain(action['connection'])}`,
    `    ${dim(plain(action['input']))}`,
  ])
  const answers = listOf(found['answers']).map(
    (answer) => `  ${dim(time(answer['at']))} ${plain(answer['by'])}: ${bold(plain(answer['verdict']))} ${plain(answer['reason'])}`,
  )
  return linesText([...head, ...others, ...refused, ...actions, ...answers])
}
