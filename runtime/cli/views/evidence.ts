import type { Answer } from '../client.ts'
import { bold, clipped, linesText, listOf, plain, table, time } from '../print.ts'

const longestInput = 100
/** The most makers of a key that are shown. `--json` has all. */
const mostShown = 5

function objectOf(value: unknown): Answer {
  return typeof value === 'object' && value !== null ? (value as Answer) : {}
}

/** Returns the document of evidence as text for a terminal. */
export function evidenceText(document: Answer): string {
  const [run, alert, code, journal] = [document['run'], document['alert'], document['code'], document['journal']].map(objectOf)
  const head = [
    ...headLines(document, run ?? {}, alert ?? {}),
    ...codeLines(code ?? {}),
    `  journal ${plain(journal?.['entries'])} entries, digest ${plain(journal?.['digest'])}`,
  ]
  return [linesText(head), '', ...writeLines(listOf(document['writes'])), ...decisionLines(listOf(document['decisions']))].join('\n')
}

function headLines(document: Answer, run: Answer, alert: Answer): readonly string[] {
  const [error, cancelled, requested] = [run['error'], run['cancelled'], run['requested']].map((value) => (value ? objectOf(value) : null))
  return [
    `${bold(plain(run['run_id']))}  ${plain(run['state'])}${error ? ` ${plain(error['code'])}: ${plain(error['message'])}` : run['reason'] ? ` ${plain(run['reason'])}` : ''}`,
    `  alert ${plain(alert['alert_id'] ?? 'gone')} · case ${plain(run['case_id'])} · organization ${plain(run['organization_code'] ?? run['organization_uuid'])}${run['undoes'] ? ` · undoes ${plain(run['undoes'])}` : ''}`,
    `  began ${time(run['started_at'])}${run['ended_at'] ? ` · ended ${time(run['ended_at'])}` : ' · had not ended'}`,
    `  evidence made ${time(document['made_at'])} for ${plain(objectOf(document['made_for'])['by'])}, by Tocsin ${plain(document['tocsin'])}`,
    ...(requested ? [`  requested by ${plain(requested['by'])}${requested['reason'] ? `: ${plain(requested['reason'])}` : ''}`] : []),
    ...(cancelled ? [`  cancelled by ${plain(cancelled['by'])}${cancelled['reason'] ? `: ${plain(cancelled['reason'])}` : ''}`] : []),
  ]
}

function codeLines(code: Answer): readonly string[] {
  const playbook = objectOf(code['playbook'])
  const others = [code['playbooks'], code['plugins']].flatMap((named) => Object.entries(objectOf(named)))
  const line = (name: unknown, digest: unknown): string => `  ${plain(name)} ${plain(digest)}`
  return [
    line(`playbook ${plain(playbook['name'])}`, playbook['digest']),
    ...others.map(([name, digest]) => line(name, digest)),
    `  policy revision ${plain(code['policy_revision'])}`,
  ]
}

function writeLines(writes: readonly Answer[]): readonly string[] {
  if (writes.length === 0) return ['It tried no writes.']
  const outcome = (write: Answer): string => `${plain(write['outcome'])}${write['changed'] === 'no' ? ', changed nothing' : ''}`
  const rows = writes.map((write) => [
    time(listOf(write['history'])[0]?.['at']),
    write['step'],
    write['skill'],
    write['target'],
    objectOf(write['connection'])['instance'],
    outcome(write),
    write['input_left_out'] ? 'left out' : clipped(write['input'], longestInput),
  ])
  return [table(['FIRST TRIED', 'STEP', 'WRITE', 'ON', 'WITH', 'OUTCOME', 'INPUT'], rows)]
}

function decisionLines(decisions: readonly Answer[]): readonly string[] {
  if (decisions.length === 0) return []
  const rows = decisions.map((decision) => [
    time(decision['asked_at']),
    decision['step'],
    decision['kind'],
    decision['state'],
    listOf(decision['answers'])
      .map(
        (answer) =>
          `${plain(answer['verdict'])} by ${whoText(answer)} at ${time(answer['at'])}${answer['reason'] ? `: ${plain(answer['reason'])}` : ''}`,
      )
      .join('; '),
  ])
  return ['', table(['ASKED', 'STEP', 'DECISION', 'STATE', 'ANSWERS'], rows)]
}

/** Names who answered, and whose key made their key. Evidence of earlier versions does not say it. */
function whoText(answer: Answer): string {
  const makers = listOf(answer['made_by'])
  if (makers.length === 0) return plain(answer['by'])
  const named = makers.slice(0, mostShown).map((maker) => `by ${plain(maker['by'] ?? maker['principal_uuid'])}`)
  const more = makers.length - named.length
  return `${plain(answer['by'])} (key made ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''})`
}
