import type { Command } from 'commander'
import { collect, count, daysAgo } from '../../arguments.ts'
import type { Answer } from '../../client.ts'
import { listOf, plain, time } from '../../print.ts'
import { remoteCommand, type Shared, showList } from '../../remote-command.ts'

interface CaseFilter {
  readonly attention?: boolean
  readonly status: readonly string[]
  readonly severity: readonly string[]
  readonly disposition: readonly string[]
  readonly assignee: readonly string[]
  readonly tag: readonly string[]
  readonly organization: readonly string[]
  readonly q?: string
  readonly days?: number
  readonly sort: string
  readonly limit: number
}

const undoWords: Readonly<Record<string, string>> = {
  under_way: 'being undone',
  nothing: 'undo failed',
  partly: 'partly undone',
  undone: 'undone',
  in_doubt: 'undo in doubt',
}

/** Says in a few words why a person must look at a case. */
export function attentionWords(found: Answer): string {
  const words = listOf(found['attention']).map(({ kind, code, undo }) => {
    if (kind === 'run_failed') return `failed: ${plain(code)}`
    return kind === 'undo' ? (undoWords[String((undo as Answer)['state'])] ?? 'undo') : 'write in doubt'
  })
  return [...new Set(words)].join(', ')
}

export function caseListCommand(parent: Command): void {
  const several = (command: Command, name: string, text: string): Command => command.option(name, `${text}; may be repeated`, collect, [])
  const command = remoteCommand(parent, 'list', 'List cases.').option(
    '--attention',
    'only cases that a person must look at: a failed run, an undo, or a write in doubt, whatever their status',
  )
  several(command, '--status <status>', 'new, in_progress, analyst_pending, customer_pending, contained, closed')
  several(command, '--severity <severity>', 'unassigned, informational, low, medium, high, critical')
  several(command, '--disposition <disposition>', 'pending, no_threat_found, non_malicious_positive, malicious')
  several(command, '--assignee <name>', 'cases of this person, of `me`, or of `nobody`')
  several(command, '--tag <tag>', 'cases with this tag')
  several(command, '--organization <code>', 'cases of this organization')
    .option('--q <words>', 'cases with all these words in their id, title or verdict')
    .option('--days <number>', 'cases that were created in the last days', count)
    .option('--sort <field>', 'created_at, modified_at or severity; with a minus, the largest first', '-created_at')
    .option('--limit <number>', 'at most this many', count, 50)
    .action((options: Shared & CaseFilter) => {
      const columns = {
        'CASE ID': (item: Answer) => item['case_id'],
        TITLE: (item: Answer) => item['title'],
        SEVERITY: (item: Answer) => item['severity'],
        STATUS: (item: Answer) => item['status'],
        DISPOSITION: (item: Answer) => item['disposition'],
        ASSIGNEE: (item: Answer) => item['assignee'],
        ATTENTION: attentionWords,
        'CREATION TIME': (item: Answer) => time(item['created_at']),
      }
      return showList(options, `/platformapi/cases?${queryOf(options)}`, columns, options.limit)
    })
}

function queryOf({ limit, sort, q, days, attention, ...lists }: CaseFilter): URLSearchParams {
  const query = new URLSearchParams({ limit: String(Math.min(limit, 100)), sort })
  for (const name of ['status', 'severity', 'disposition', 'assignee', 'tag', 'organization'] as const)
    for (const value of lists[name]) query.append(name, value)
  if (q !== undefined) query.set('q', q)
  if (days !== undefined) query.set('created_from', String(daysAgo(days)))
  if (attention) query.set('attention', 'true')
  return query
}
