import type { Command } from 'commander'
import { count } from './arguments.ts'
import { type Answer, findTarget, request } from './client.ts'
import { remoteCommand, type Shared, showList } from './command.ts'
import { time } from './print.ts'
import { caseText } from './show-case.ts'

export function caseCommand(program: Command): void {
  const parent = program.command('case').description('Look at cases.')
  remoteCommand(parent, 'list', 'List cases, newest first.')
    .option('--limit <number>', 'at most this many', count, 50)
    .action((options: Shared & { limit: number }) => {
      const columns = {
        'CASE ID': (item: Answer) => item['case_id'],
        TITLE: (item: Answer) => item['title'],
        SEVERITY: (item: Answer) => item['severity'],
        STATUS: (item: Answer) => item['status'],
        DISPOSITION: (item: Answer) => item['disposition'],
        'CREATION TIME': (item: Answer) => time(item['created_at']),
      }
      return showList(options, `/platformapi/cases?limit=${Math.min(options.limit, 100)}`, columns, options.limit)
    })
  remoteCommand(parent, 'show <id>', 'Show a case with its timeline.').action(async (id: string, options: Shared) => {
    const found = await request(findTarget(options), 'GET', `/platformapi/cases/${encodeURIComponent(id)}`)
    console.log(options.json ? JSON.stringify(found, null, 2) : caseText(found))
  })
}
