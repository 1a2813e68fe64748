import type { Answer } from '../../../client.ts'
import { plain } from '../../../print.ts'

const told: Readonly<Record<string, readonly [did: string, would: string]>> = {
  activated: ['is active', 'would be active'],
  unchanged: ['was active already', 'is active already'],
  kept_edit: ['not changed: what somebody edited or withdrew stays', 'would not be changed: what somebody edited or withdrew stays'],
}

/** What an activation has done, or would, for people. */
export function activationText(answer: Answer): string {
  const tense = answer['checked_only'] === true ? 1 : 0
  return (answer['playbooks'] as readonly Answer[]).flatMap((playbook) => [...describeOne(playbook, tense)]).join('\n')
}

function* describeOne(playbook: Answer, tense: 0 | 1): Generator<string> {
  const { file, name, kind } = playbook
  for (const { key, outcome, standing } of playbook['places'] as readonly Answer[]) {
    const revision = (standing as Answer | null)?.['revision']
    const what = kind === 'sub_playbook' ? `sub-playbook ${plain(key)}` : `${plain(name)} for ${plain(key)}`
    yield `${plain(file)}: ${what} ${told[String(outcome)]?.[tense] ?? plain(outcome)}${revision === undefined ? '' : ` (revision ${plain(revision)}${tense === 1 ? ' stands' : ''})`}`
  }
  for (const { line, column, message, code } of playbook['findings'] as readonly Answer[])
    yield `${plain(file)}:${plain(line)}:${plain(column)} warning: ${plain(message)} [${plain(code)}]`
  const { high, write, read, targets } = playbook['impact'] as Answer
  yield `  at most ${plain(high)} high-impact, ${plain(write)} write and ${plain(read)} read calls a run, on ${plain(targets)} different targets`
  for (const { organization_code: organization, slots } of playbook['unbound'] as readonly Answer[])
    for (const { why } of slots as readonly Answer[]) yield `  runs of ${plain(organization)} would fail: ${plain(why)}`
  for (const { organization_code: organization, exceeded } of playbook['over_policy'] as readonly Answer[])
    for (const { name: what, most, limit } of exceeded as readonly Answer[])
      yield `  the policy of ${plain(organization)} allows ${plain(limit)} (${plain(what)}), and it may come to ${plain(most)}: such a run would end there`
}
