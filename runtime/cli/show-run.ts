import type { Answer } from './client.ts'
import { bold, dim, plain, time } from './print.ts'
import { pauseText } from './show-pause.ts'

function list(value: unknown): readonly Answer[] {
  return Array.isArray(value) ? (value as readonly Answer[]) : []
}

const widest = 60

/** What became of a step, in a word or two. */
function outcomeOf({ kind, outcome, code, value }: Answer): string {
  if (kind === 'asked') return 'asked people'
  if (kind === 'decided') {
    const text = plain(value)
    return dim(text.length > widest ? `${text.slice(0, widest - 1)}…` : text)
  }
  if (outcome === 'skipped') {
    const { target, reason } = (value ?? {}) as Answer
    return `${bold('skipped')}: ${plain(target)} is protected (${plain(reason)})`
  }
  const word = outcome === 'sent' ? 'sent, outcome unknown' : plain(outcome)
  return bold(code ? `${word}: ${plain(code)}` : word)
}

/** The steps as a tree by their addresses: what lies in a step stands under it, in the order in which each was first heard of. */
function stepLines(steps: readonly Answer[]): string[] {
  const lines: string[] = []
  let before: readonly string[] = []
  for (const step of steps) {
    const path = plain(step['address']).split('/')
    const common = path.findIndex((part, index) => before[index] !== part)
    const from = common < 0 ? path.length - 1 : Math.min(common, path.length - 1)
    for (let depth = from; depth < path.length - 1; depth += 1) lines.push(`${' '.repeat(10)}${'  '.repeat(depth)}${dim(path[depth] ?? '')}`)
    const at = step['at'] ? time(step['at']).slice(11) : ''
    const skill = step['skill'] ? ` ${plain(step['skill'])}` : ''
    lines.push(`${dim(at.padEnd(8))}  ${'  '.repeat(path.length - 1)}${path.at(-1) ?? ''}${skill}  ${outcomeOf(step)}`)
    before = path
  }
  return lines
}

function stateLine(run: Answer): string {
  const { state, waiting, cancelled, error, retry_at: retryAt } = run as Record<string, Answer | undefined> & { retry_at?: unknown }
  const parts = [bold(plain(state))]
  if (waiting) {
    const count = list(waiting['decisions']).length
    if (count > 0) parts.push(`for ${count === 1 ? 'a decision' : `${count} decisions`}`)
    if (waiting['until']) parts.push(`until ${time(waiting['until'])}`)
  }
  if (error) parts.push(`${plain(error['code'])}${error['step'] ? ` at ${plain(error['step'])}` : ''}: ${plain(error['message'])}`)
  else if (run['reason']) parts.push(plain(run['reason']))
  const lines = [parts.join(' ')]
  if (cancelled)
    lines.push(`  cancelled by ${plain(cancelled['by'])} at ${time(cancelled['at'])}${cancelled['reason'] ? `: ${plain(cancelled['reason'])}` : ''}`)
  if (retryAt) lines.push(`  investigated again by itself at ${time(retryAt)}`)
  return lines.join('\n')
}

/** A run as a person reads it on a terminal. */
export function runText(run: Answer): string {
  const policy = run['policy_revision'] === null ? 'no policy' : `policy revision ${plain(run['policy_revision'])}`
  const connections = list(run['connections']).map(
    ({ slot, instance, revision }) => `${plain(slot)} = ${plain(instance)} (revision ${plain(revision)})`,
  )
  const head = [
    `${bold(plain(run['run_id']))}  ${stateLine(run)}`,
    `  playbook ${plain(run['playbook'])} · case ${plain(run['case_id'])} · organization ${plain(run['organization_code'])} · attempt ${plain(run['attempt'])}${run['undoes'] ? ` · undoes ${plain(run['undoes'])}` : ''}${run['retry_of'] ? `, after ${plain(run['retry_of'])}` : ''}`,
    `  began ${time(run['started_at'])}${run['ended_at'] ? ` · ended ${time(run['ended_at'])}` : ''} · ${policy}`,
    ...(connections.length > 0 ? [`  connections ${connections.join(', ')}`] : []),
  ]
  const doubts = list(run['in_doubt']).map(
    ({ step, skill, decision }) =>
      `  ${bold('in doubt')} ${plain(step)} ${plain(skill)}${decision ? ` · tocsin decision show ${plain(decision)}` : ''}`,
  )
  const open = list(run['decisions'])
    .filter(({ kind }) => kind !== 'in_doubt')
    .map(({ id, title, kind }) => `  ${bold(plain(kind))} ${plain(title)} · tocsin decision show ${plain(id)}`)
  const held = list(run['pauses']).map((pause) => `  ${bold('held')} ${pauseText(pause)}`)
  return [...head, ...held, ...doubts, ...open, '', ...stepLines(list(run['steps']))].map((line) => line.trimEnd()).join('\n')
}
