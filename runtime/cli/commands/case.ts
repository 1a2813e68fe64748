import type { Command } from 'commander'
import { collect, count } from '../arguments.ts'
import { type Answer, findTarget, request } from '../client.ts'
import { json as jsonText, listOf, plain, time } from '../print.ts'
import { remoteCommand, type Shared, showList } from '../remote-command.ts'
import { caseText } from '../views/index.ts'

interface CaseFilter {
  readonly attention?: boolean
  readonly status: readonly string[]
  readonly organization?: string
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

export function caseCommand(program: Command): void {
  const parent = program.command('case').description('Look at cases.')
  remoteCommand(parent, 'list', 'List cases, newest first.')
    .option('--attention', 'only cases that a person must look at: a failed run, an undo, or a write in doubt, whatever their status')
    .option('--status <status>', 'new, in_progress, analyst_pending, customer_pending, contained, closed; may be repeated', collect, [])
    .option('--organization <code>', 'only cases of this organization')
    .option('--limit <number>', 'at most this many', count, 50)
    .action((options: Shared & CaseFilter) => {
      const columns = {
        'CASE ID': (item: Answer) => item['case_id'],
        TITLE: (item: Answer) => item['title'],
        SEVERITY: (item: Answer) => item['severity'],
        STATUS: (item: Answer) => item['status'],
        DISPOSITION: (item: Answer) => item['disposition'],
        ATTENTION: attentionWords,
        'CREATION TIME': (item: Answer) => time(item['created_at']),
      }
      const query = new URLSearchParams({ limit: String(Math.min(options.limit, 100)) })
      for (const status of options.status) query.append('status', status)
      if (options.organization !== undefined) query.set('organization', options.organization)
      if (options.attention) query.set('attention', 'true')
      return showList(options, `/platformapi/cases?${query}`, columns, options.limit)
    })
  remoteCommand(parent, 'show <id>', 'Show a case with its timeline.').action(async (id: string, options: Shared) => {
    const found = await request(findTarget(options), 'GET', `/platformapi/cases/${encodeURIComponent(id)}`)
    console.log(options.json ? jsonText(found) : caseText(found))
  })
}
