import type { Command } from 'commander'
import { moment } from '../arguments.ts'
import { type Answer, findTarget, request } from '../client.ts'
import { time } from '../print.ts'
import { remoteCommand, type Shared, show, showList } from '../remote-command.ts'

interface CreateOptions extends Shared {
  readonly scopes?: string
  readonly organizations?: string
  readonly expires?: number
}

function split(text: string): string[] {
  return text.split(',').map((item) => item.trim())
}

export function keyCommand(program: Command): void {
  const key = program.command('key').description('Create, list and revoke API keys.')
  remoteCommand(key, 'create <name>', 'Create a key, and show its value once.')
    .option('--scopes <list>', 'what it may do, separated by commas (default: what an alert source needs)')
    .option('--organizations <list>', 'organization codes, separated by commas (default: those of the key that creates it)')
    .option('--expires <date>', 'when it stops working, in UTC if it has no zone (default: never)', moment)
    .action(async (name: string, options: CreateOptions) => {
      const body = {
        name,
        ...(options.scopes !== undefined && { scopes: split(options.scopes) }),
        ...(options.organizations !== undefined && { organizations: split(options.organizations) }),
        ...(options.expires !== undefined && { expires_at: options.expires }),
      }
      show(await request(findTarget(options), 'POST', '/platformapi/keys', body), options)
    })
  remoteCommand(key, 'list', 'List keys, without their values.').action((options: Shared) => {
    const columns = {
      ID: (item: Answer) => item['id'],
      NAME: (item: Answer) => item['name'],
      ORGANIZATIONS: (item: Answer) => organizationsText(item['organizations'] as 'all' | readonly string[]),
      SCOPES: (item: Answer) => (item['scopes'] as string[]).join(','),
      CREATED: (item: Answer) => time(item['created_at']),
      'CREATED BY': (item: Answer) => item['created_by_name'] ?? item['created_by'] ?? '',
      USED: (item: Answer) => time(item['last_used_at']),
      EXPIRES: (item: Answer) => `${time(item['expires_at'])}${item['expired'] === true ? ' (expired)' : ''}`,
      REVOKED: (item: Answer) => time(item['revoked_at']),
    }
    return showList(options, '/platformapi/keys', columns, Number.POSITIVE_INFINITY)
  })
  remoteCommand(key, 'revoke <id>', 'Revoke a key.').action(async (id: string, options: Shared) => {
    await request(findTarget(options), 'DELETE', `/platformapi/keys/${encodeURIComponent(id)}`)
    console.log(`revoked ${id}`)
  })
}

/** The most codes in the table. `--json` has all. */
const mostCodes = 5

function organizationsText(organizations: 'all' | readonly string[]): string {
  // An organization may have the code "all".
  if (organizations === 'all') return '(all)'
  const more = organizations.length - mostCodes
  return `${organizations.slice(0, mostCodes).join(',')}${more > 0 ? ` and ${more} more` : ''}`
}
