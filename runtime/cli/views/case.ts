import type { Answer } from '../client.ts'
import { bold, clipped, dim, linesText, plain, time } from '../print.ts'
import { attentionLines, verdictLines, writeLines } from './standing.ts'

const evidenceWidth = 120

function callText({ skill, connection, times, failed }: Answer): string {
  return `${plain(skill)} × ${plain(times)}${Number(failed) > 0 ? ` (${plain(failed)} failed)` : ''} via ${plain(connection)}`
}

function byWhom({ by }: Answer): string {
  const names = (by ?? []) as readonly string[]
  return names.length === 0 ? '' : ` by ${names.map(plain).join(', ')}`
}

/** Returns the name of the person who wrote an entry. Null if a run wrote it. */
function author({ actor }: Answer): string | null {
  const { name, principal_uuid: id } = (actor ?? {}) as Answer
  return name === undefined && id === undefined ? null : plain(name ?? id)
}

/** The words for a link or a merge. The id of the other case follows them. */
const linkWords: Readonly<Record<string, string>> = {
  'link added': 'linked to',
  'link removed': 'no longer linked to',
  'merge into': 'merged into',
  'merge absorbed': 'took in',
  'merge taken_back': 'no longer merged into',
  'merge released': 'gave back',
}

function listOfText(value: unknown): string[] {
  return ((value ?? []) as readonly unknown[]).map(plain)
}

function byWhomOf(entry: Answer): string {
  const by = author(entry)
  return by === null ? '' : ` by ${by}`
}

function textLines(kind: string, text: unknown): string[] {
  const [first = '', ...rest] = plain(text).split('\n')
  return [`${kind.padEnd(10)}${first}`, ...rest.map((line) => `          ${line}`)]
}

function linesOf(entry: Answer): string[] {
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
        `action    ${plain(entry['skill'])}${entry['target'] ? ` on ${plain(entry['target'])}` : ''} via ${plain(entry['connection'])}: ${bold(plain(entry['outcome']))}${entry['undoes_step'] ? ` (undoes ${plain(entry['undoes_step'])})` : ''}`,
      ]
    case 'protected':
      return [`protected ${bold(plain(entry['target']))} from ${plain(entry['skill'])} via ${plain(entry['connection'])}: ${plain(entry['text'])}`]
    case 'change': {
      const by = author(entry)
      const before = (entry['before'] ?? {}) as Answer
      const was = (field: string): string => (before[field] === undefined ? '' : ` (was ${plain(before[field] ?? 'nobody')})`)
      const all = Object.entries(entry['change'] as Answer)
      // A playbook may also set what the case already has.
      const changed = all.filter(([field, value]) => before[field] !== value)
      const fields = (changed.length > 0 ? changed : all).map(([field, value]) => `${field} = ${plain(value)}${was(field)}`)
      const withheld = Object.entries((entry['withheld'] ?? {}) as Answer).map(([field, value]) => `${field} = ${plain(value)}`)
      const kept = withheld.length === 0 ? [] : [`not set, because a person had closed the case: ${withheld.join(', ')}`]
      return [`change    ${[...(fields.length === 0 ? [] : [fields.join(', ')]), ...kept].join('; ')}${by === null ? '' : ` by ${by}`}`]
    }
    case 'comment':
      return textLines('comment', `${author(entry) ?? 'somebody'}: ${plain(entry['text'])}`)
    case 'decision':
      return [
        `decision  ${plain(entry['title'])} ${bold(plain(entry['state']))}${byWhom(entry)} ${dim(plain(entry['decision']))}`,
        ...(entry['text'] ? [`          ${plain(entry['text'])}`] : []),
      ]
    case 'tags': {
      const tags = [...listOfText(entry['added']).map((tag) => `+${tag}`), ...listOfText(entry['removed']).map((tag) => `-${tag}`)]
      return [`tags      ${tags.join(' ')}${byWhomOf(entry)}`]
    }
    case 'task':
      return textLines('task', `${plain(entry['act'])}${byWhom(entry)}: ${plain(entry['text'])}`)
    case 'link':
    case 'merge': {
      const { act, refused, other_case: other, text } = entry
      const words = linkWords[`${plain(entry['kind'])} ${plain(act)}`] ?? plain(act)
      const said = `${refused ? 'could not be ' : ''}${words} ${plain((other as Answer)['case_id'])}${byWhom(entry)}`
      return textLines(plain(entry['kind']), text ? `${said}: ${plain(text)}` : said)
    }
    case 'undo':
      return textLines('undo', `${author(entry) ?? 'somebody'} requested to undo ${plain(entry['undoes'])}: ${plain(entry['text'])}`)
    case 'undone':
      return textLines('undone', `${plain(entry['undoes'])}, requested${byWhom(entry)}: ${bold(plain(entry['undo_state']))}. ${plain(entry['text'])}`)
    case 'retry':
      return [`retry     ${plain(entry['text'])}${entry['due'] ? ` ${dim(time(entry['due']))}` : ''}`]
    case 'cancelled':
      return [`cancelled by ${((entry['by'] ?? []) as readonly unknown[]).map(plain).join(', ')}${entry['text'] ? `: ${plain(entry['text'])}` : ''}`]
    case 'failure':
      return [`failure   ${plain(entry['code'])}: ${plain(entry['text'])}`, ...(entry['remedy'] ? [`          ${plain(entry['remedy'])}`] : [])]
    default:
      return textLines(plain(entry['kind']), entry['text'])
  }
}

/** Returns the lines of an entry, and the case's new status if the entry changed it. */
function entryLines(entry: Answer): string[] {
  return [...linesOf(entry), ...(entry['status'] ? [`          the case is now ${bold(plain(entry['status']))}`] : [])]
}

/** Names a run for a case that has several: `attempt 2`, `undo 1 of attempt 2`. */
function runName(run: unknown): string {
  const [, attempt, undo] = /-r(\d+)(?:-u(\d+))?$/.exec(String(run)) ?? []
  if (attempt === undefined) return ''
  return undo === undefined ? `attempt ${attempt}` : `undo ${undo} of attempt ${attempt}`
}

/** Returns the entries, grouped by day. */
function timelineLines(timeline: readonly Answer[]): string[] {
  const runs = new Set(timeline.flatMap(({ actor }) => ((actor as Answer | undefined)?.['run'] ? [(actor as Answer)['run']] : [])))
  let day = ''
  return timeline.flatMap((entry) => {
    const [date = '', clock = ''] = time(entry['at']).split(' ')
    const run = (entry['actor'] as Answer | undefined)?.['run']
    const [first = '', ...rest] = entryLines(entry)
    const of = runs.size > 1 && run !== undefined ? dim(` · ${runName(run)}`) : ''
    const lines = [`  ${dim(clock)}  ${first}${of}`, ...rest.map((line) => `            ${line}`)]
    if (date === day) return lines
    day = date
    return [`  ${dim(date)}`, ...lines]
  })
}

/** Returns tags, clocks, open tasks and merges, as far as there are any. */
function deskLines(found: Answer): string[] {
  const clock = (name: string): string[] => {
    const { due_at: due, state } = (found[name] ?? {}) as Answer
    return due ? [`${name} ${state === 'overdue' || state === 'missed' ? bold(plain(state)) : plain(state)}, due ${time(due)}`] : []
  }
  const clocks = [...clock('response'), ...clock('close')]
  const tags = listOfText(found['tags'])
  const into = found['merged_into'] as Answer | null | undefined
  return [
    ...(into ? [`  ${bold(`merged into ${plain(into['case_id'])}`)} by ${plain(into['by'])}`] : []),
    ...(clocks.length > 0 ? [`  ${clocks.join(' · ')}`] : []),
    ...(tags.length > 0 ? [`  tags ${tags.join(', ')}`] : []),
    ...((found['tasks'] ?? []) as Answer[]).map(({ text, done_by: by }) => `  [${by ? 'x' : ' '}] ${plain(text)}`),
    ...((found['merged'] ?? []) as Answer[]).map(({ case_id: id, title }) => `  merged: ${plain(id)} ${plain(title)}`),
  ]
}

/** Returns a case as text for a terminal: its current state, then its timeline. */
export function caseText(found: Answer): string {
  const alerts = (found['alerts'] as Answer[]).map(({ alert_id }) => plain(alert_id)).join(', ')
  const head = [
    `${bold(plain(found['case_id']))}  ${bold(plain(found['title']))}`,
    `  severity ${plain(found['severity'])} · status ${bold(plain(found['status']))} · disposition ${plain(found['disposition'])}${found['assignee'] ? ` · assigned to ${plain(found['assignee'])}` : ''} · alert ${alerts}`,
    ...attentionLines(found),
    ...verdictLines(found),
    ...writeLines(found),
    ...deskLines(found),
    ...((found['open_decisions'] ?? []) as Answer[]).map(
      ({ id, kind, title }) => `  ${bold(kind === 'in_doubt' ? 'in doubt' : plain(kind))} ${plain(title)} · tocsin decision show ${plain(id)}`,
    ),
  ]
  const cut = found['timeline_earlier']
    ? [`  ${dim(`earlier entries are not shown: GET /platformapi/cases/${plain(found['case_id'])}/timeline`)}`]
    : []
  return linesText([...head, ...cut, ...timelineLines((found['timeline'] ?? []) as Answer[])])
}
