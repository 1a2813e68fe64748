import type { Command } from 'commander'
import { count, daysAgo } from '../arguments.ts'
import type { Answer } from '../client.ts'
import { plain, time } from '../print.ts'
import { remoteCommand, type Shared, showList } from '../remote-command.ts'

interface ListOptions extends Shared {
  readonly about?: string
  readonly by?: string
  readonly action?: string
  readonly days?: number
  readonly limit: number
}

export function auditCommand(program: Command): void {
  const audit = program.command('audit').description('Show who did what over the API.')
  remoteCommand(audit, 'list', 'List what people and scripts did, newest first.')
    .option('--about <name>', 'only acts on this case, connection, key, user …: its name or id, exactly')
    .option('--by <name>', 'only acts of this principal: its name or id')
    .option('--action <operation>', 'only this operation of the API, such as createKey')
    .option('--days <number>', 'only acts of the last days', count)
    .option('--limit <number>', 'at most this many', count, 50)
    .action((options: ListOptions) => {
      const columns = {
        TIME: (item: Answer) => time(item['at']),
        WHO: (item: Answer) => item['by'],
        WHAT: (item: Answer) => item['text'],
        ON: (item: Answer) => onText(item['on'] as Answer),
      }
      return showList(options, `/platformapi/audit?${queryOf(options)}`, columns, options.limit)
    })
}

function queryOf({ about, by, action, days, limit }: ListOptions): URLSearchParams {
  const query = new URLSearchParams({ limit: String(Math.min(limit, 100)) })
  for (const [name, value] of Object.entries({ about, by, action })) if (value !== undefined) query.set(name, value)
  if (days !== undefined) query.set('created_from', String(daysAgo(days)))
  return query
}

/** Returns the details of an act on one line: `instance=crm-prod revision=4`. */
function onText(on: Answer): string {
  return Object.entries(on)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${name}=${plain(value)}`)
    .join('  ')
}
