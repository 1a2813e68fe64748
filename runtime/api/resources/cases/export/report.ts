import { beginningOf, timeText } from '../../../../domain/index.ts'
import type { Block } from '../../../../pdf/index.ts'
import type { Static } from '../../../../schema/index.ts'
import type { TimelineEntryShape } from '../timeline-view.ts'
import type { CaseDetailsSchema } from '../view.ts'

export type ReportedCase = Omit<Static<typeof CaseDetailsSchema>, 'timeline'> & { readonly timeline: readonly TimelineEntryShape[] }

/** The most characters of one text of a report, and of the evidence of one finding. */
const longest = 8_000

function clip(text: string): string {
  return text.length > longest ? `${beginningOf(text, longest)} … (${text.length - longest} more characters)` : text
}

/** Returns the parts of a report in reading order: first the present state, then what led to it. */
export function reportOf(found: ReportedCase, madeAt: number, madeBy: string): readonly Block[] {
  return [
    { kind: 'heading', level: 1, text: `${found.case_id}: ${clip(found.title)}` },
    { kind: 'paragraph', text: `Report of ${timeText(madeAt)}, made by ${madeBy}. All times are UTC.` },
    ...section('Now', [{ kind: 'table', head: ['Field', 'Value'], rows: factsOf(found) }]),
    ...(found.attention.length > 0
      ? section('Needs attention', [{ kind: 'list', items: found.attention.map(({ text, at }) => `${clip(text)} (${timeText(at)})`) }])
      : []),
    ...(found.summary === null ? [] : section(found.superseded ? 'Verdict (superseded)' : 'Verdict', verdictOf(found, found.summary))),
    ...findingsOf(found),
    ...(found.writes.length > 0 ? section('Changes in external systems', [writesOf(found)]) : []),
    ...(found.tasks.length > 0 ? section('Tasks', [{ kind: 'list', items: found.tasks.map(taskLine) }]) : []),
    ...section('Timeline', [
      ...(found.timeline_earlier === null ? [] : [{ kind: 'paragraph', text: 'Earlier entries are left out.' } as const]),
      { kind: 'table', head: ['Time', 'Who', 'What'], rows: found.timeline.map((entry) => [timeText(entry.at), whoOf(entry), clip(lineOf(entry))]) },
    ]),
  ]
}

function section(title: string, blocks: readonly Block[]): readonly Block[] {
  return [{ kind: 'heading', level: 2, text: title }, ...blocks]
}

function factsOf(found: ReportedCase): readonly (readonly string[])[] {
  const clock = ({ due_at, done_at, state }: ReportedCase['response']): string =>
    due_at === null ? 'no time set' : `${state}, due ${timeText(due_at)}${done_at === null ? '' : `, done ${timeText(done_at)}`}`
  return [
    ['Organization', found.organization_code],
    ['Severity', found.severity],
    ['Status', found.status],
    ['Disposition', found.disposition],
    ['Assignee', found.assignee ?? 'nobody'],
    ['Alerts', found.alerts.map(({ alert_id }) => alert_id).join(', ')],
    ['Opened', timeText(found.created_at)],
    ['Last change', timeText(found.modified_at)],
    ['First response', clock(found.response)],
    ['Close', clock(found.close)],
    ...(found.tags.length > 0 ? [['Tags', found.tags.join(', ')]] : []),
    ...(found.merged_into ? [['Merged into', found.merged_into.case_id]] : []),
    ...(found.merged.length > 0 ? [['Merged cases', found.merged.map(({ case_id }) => case_id).join(', ')]] : []),
    ...(found.links.length > 0 ? [['Linked cases', found.links.map(({ case_id }) => case_id).join(', ')]] : []),
    ...(found.open_decisions.length > 0 ? [['Open decisions', found.open_decisions.map(({ title }) => clip(title)).join('; ')]] : []),
  ]
}

function verdictOf({ superseded }: ReportedCase, summary: string): readonly Block[] {
  return [...(superseded ? [{ kind: 'paragraph', text: superseded.text } as const] : []), { kind: 'paragraph', text: clip(summary) }]
}

function findingsOf({ timeline }: ReportedCase): readonly Block[] {
  const findings = timeline.filter(({ kind }) => kind === 'finding')
  if (findings.length === 0) return []
  const blocks = findings.flatMap(({ risk, title, evidence }): Block[] => [
    { kind: 'paragraph', text: `${risk ?? 'info'}: ${clip(title ?? '')}` },
    ...(evidence === undefined || evidence === null ? [] : [{ kind: 'code', text: clip(JSON.stringify(evidence, null, 2)) } as const]),
  ])
  return section('Findings', blocks)
}

const states = { stands: 'in effect', undone: 'undone', in_doubt: 'in doubt' } as const

function writesOf({ writes, more_writes }: ReportedCase): Block {
  const rows = writes.map(({ at, skill, target, connection, outcome, state, undo, run_id, step }) => [
    timeText(at),
    skill,
    target ?? '',
    connection,
    outcome,
    `${states[state]}${undo ? `, undo by ${undo.by ?? 'somebody'} at ${timeText(undo.at)}` : ''}`,
    `${run_id} ${step}`,
  ])
  const more = more_writes > 0 ? [[`${more_writes} more writes are in the timeline`, '', '', '', '', '', '']] : []
  return { kind: 'table', head: ['Time', 'Call', 'Target', 'Connection', 'Outcome', 'Now', 'Run and step'], rows: [...rows, ...more] }
}

function taskLine({ text, assignee, done_at, done_by }: ReportedCase['tasks'][number]): string {
  const whose = assignee === null ? '' : `, for ${assignee}`
  return `${done_at === null ? 'Open' : `Done by ${done_by ?? 'somebody'} at ${timeText(done_at)}`}${whose}: ${text}`
}

function whoOf({ actor: { name, principal_uuid, run }, by }: TimelineEntryShape): string {
  if (principal_uuid !== undefined) return name ?? principal_uuid
  const people = name !== undefined ? ` for ${name}` : by && by.length > 0 ? `, ${by.join(', ')}` : ''
  return `run ${run ?? ''}${people}`
}

/** Says in one line what an entry records. */
function lineOf(entry: TimelineEntryShape): string {
  const { kind, text, title, skill, target, connection, outcome, change, before, state, act, other_case } = entry
  const refused = entry.refused ? ' (refused)' : ''
  switch (kind) {
    case 'finding':
      return `finding: ${entry.risk ?? ''} ${title ?? ''}`
    case 'lookups':
      return `looked up: ${(entry.calls ?? []).map(({ skill: read, times }) => `${read} × ${times}`).join(', ')}`
    case 'action':
      return `${skill ?? ''}${target ? ` on ${target}` : ''} via ${connection ?? ''}: ${outcome ?? ''}`
    case 'protected':
      return `not sent: ${skill ?? ''} on ${target ?? ''}: ${text ?? ''}`
    case 'change':
      return [...(isEmpty(change) ? [] : [`changed ${changeText(change, before)}`]), ...withheldText(entry.withheld)].join('; ')
    case 'decision':
      return `decision ${state ?? ''}: ${title ?? ''}${text ? ` (${text})` : ''}`
    case 'failure':
      return `failure: ${entry.code ?? ''}: ${text ?? ''}`
    case 'tags':
      return `tags${refused}: ${[...(entry.added ?? []).map((tag) => `+${tag}`), ...(entry.removed ?? []).map((tag) => `-${tag}`)].join(' ')}`
    case 'task':
      return `task ${act ?? ''}${refused}: ${text ?? ''}`
    case 'link':
    case 'merge':
      return `${kind} ${act ?? ''}${refused}: ${other_case?.case_id ?? ''}${text ? `: ${text}` : ''}`
    default:
      return `${kind}: ${text ?? ''}`
  }
}

const isEmpty = (fields: unknown): boolean => Object.keys((fields ?? {}) as object).length === 0

function withheldText(withheld: unknown): string[] {
  return isEmpty(withheld) ? [] : [`not set, because a person had closed the case: ${changeText(withheld, null)}`]
}

function changeText(change: unknown, before: unknown): string {
  const was = (before ?? {}) as Readonly<Record<string, unknown>>
  return Object.entries((change ?? {}) as object)
    .map(([field, value]) => `${field} = ${String(value ?? 'nobody')}${field in was ? ` (was ${String(was[field] ?? 'nobody')})` : ''}`)
    .join(', ')
}
