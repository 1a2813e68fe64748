import type { Answer } from '../../../client.ts'
import { plain } from '../../../print.ts'

const outcomeWords: Readonly<Record<string, readonly [done: string, checked: string]>> = {
  activated: ['activated', 'would be activated'],
  unchanged: ['already active', 'already active'],
  kept_edit: ['not changed: somebody edited or withdrew it', 'would not be changed: somebody edited or withdrew it'],
}

/** What an activation did, or with `--check` would do, as text for a terminal. */
export function activationText(answer: Answer): string {
  const tense = answer['checked_only'] === true ? 1 : 0
  return (answer['playbooks'] as readonly Answer[]).flatMap((playbook) => [...describeOne(playbook, tense)]).join('\n')
}

function* describeOne(playbook: Answer, tense: 0 | 1): Generator<string> {
  const { file, name, kind } = playbook
  for (const { key, outcome, standing, replaced } of playbook['places'] as readonly Answer[]) {
    const revision = (standing as Answer | null)?.['revision']
    const what = kind === 'sub_playbook' ? `sub-playbook ${plain(key)}` : `${plain(name)} for ${plain(key)}`
    yield `${plain(file)}: ${what} ${outcomeWords[String(outcome)]?.[tense] ?? plain(outcome)}${revision === undefined ? '' : ` (${tense === 1 ? 'now ' : ''}revision ${plain(revision)})`}${inPlaceOf(replaced)}`
  }
  for (const { line, column, message, code } of playbook['findings'] as readonly Answer[])
    yield `${plain(file)}:${plain(line)}:${plain(column)} warning: ${plain(message)} [${plain(code)}]`
  const { high, write, read, targets } = playbook['impact'] as Answer
  yield `  at most ${plain(high)} high-impact, ${plain(write)} write and ${plain(read)} read calls per run, on ${plain(targets)} different targets`
  for (const { organization_code: organization, slots } of playbook['unbound'] as readonly Answer[])
    for (const { why } of slots as readonly Answer[]) yield `  runs of ${plain(organization)} would fail: ${plain(why)}`
  for (const { organization_code: organization, exceeded } of playbook['over_policy'] as readonly Answer[])
    for (const { name: what, most, limit } of exceeded as readonly Answer[])
      yield `  a run may reach ${plain(most)} (${plain(what)}), but the policy of ${plain(organization)} allows ${plain(limit)}: a run that exceeds it fails`
}

/** A playbook of another name no longer gets the alerts of its type. */
function inPlaceOf(replaced: unknown): string {
  return replaced === null ? '' : `, in place of the playbook ${plain(replaced)}`
}
